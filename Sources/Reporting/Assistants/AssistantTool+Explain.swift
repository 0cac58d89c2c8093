import Arguments
import Explanations
import JSONText
import Values

extension AssistantTool {
  /// Everything known of one postback.
  package static let explain: AssistantTool = {
    let name = "explain"
    let description = ([Explanation.summary] + Explanation.discussion).joined(separator: "\n\n")
    return AssistantTool(
      name: name, title: String(Explanation.summary.prefix { $0 != "." }), description: description,
      argumentNames: ["id"],
      input: [
        "type": "object", "additionalProperties": false,
        "properties": [
          "id": [
            "type": "string", "minLength": 1,
            "description": "A transaction-id or postback-identifier, complete; it is case-sensitive.",
          ]
        ],
        "required": ["id"],
      ], output: nil, guide: "## \(name)\n\n\(description)\n"
    ) { (texts) throws(ParameterError) in
      guard let words = texts["id"] else {
        throw ParameterError(
          "id", Sentence("found none; use a transaction-id or postback-identifier."))
      }
      guard words.count == 1, let id = words.first, !id.isEmpty else {
        throw ParameterError(
          "id", Sentence("found \(words.count) values; use one transaction-id or postback-identifier."))
      }
      return { source in
        let found = try Explanation(of: id, from: source.open(), keyring: source.keyring)
        guard !found.isEmpty else {
          throw ParameterError(
            "id",
            Sentence(
              "the database has no postback with the identifier '\(name: id)'; copy the complete identifier, which is case-sensitive."
            ))
        }
        return Answer(
          structured: found.json,
          text: found.text + "\nThe explanation is explained at \(guideAddress(name))\n")
      }
    }
  }()
}
