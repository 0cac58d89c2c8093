import Arguments
import JSONText
import Values

/// The arguments of a call as the texts that parameters are read from.
struct ToolArguments {
  let texts: [String: [String]]

  /// Takes numbers, texts and truths for one another, as assistants do; `null` is an argument that is not given.
  init(_ object: JSONObject, allowing names: [String]) throws(ParameterError) {
    var texts: [String: [String]] = [:]
    for member in object.members {
      guard names.contains(member.name) else {
        throw names.isEmpty
          ? ParameterError(member.name, Sentence("this tool takes none."))
          : .unknown(member.name, among: names)
      }
      switch member.value.value {
      case .null: continue
      case .array(let elements):
        var words: [String] = []
        for element in elements { words.append(try Self.word(element.value, of: member.name)) }
        texts[member.name] = words
      case let value: texts[member.name] = [try Self.word(value, of: member.name)]
      }
    }
    self.texts = texts
  }

  private static func word(_ value: JSONValue, of name: String) throws(ParameterError) -> String {
    switch value {
    case .string(let text): return text
    case .number(let number): return number.text
    case .bool(let truth): return truth ? "true" : "false"
    case .null, .array, .object:
      throw ParameterError(
        name,
        Sentence(
          "found \(value.sort.words); use a string, a number, a boolean or an array of these."
        ))
    }
  }
}
