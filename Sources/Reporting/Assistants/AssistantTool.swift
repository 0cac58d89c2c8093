import Arguments
import JSONText
import Values

/// Something that an assistant can ask, made from the description of a report.
package struct AssistantTool: Sendable {
  /// What a tool found.
  struct Answer {
    let structured: JSONOutput
    /// The same for people, with what explains it.
    let text: String
  }

  /// Asks the database.
  typealias Job = @Sendable (AssistantSource) throws -> Answer

  /// The words of the command, joined with `_`.
  package let name: String
  /// A task in the imperative.
  let title: String
  let description: String
  let argumentNames: [String]
  /// JSON Schemas of the arguments and of the structured answer; the answer's is `nil` where none is declared.
  let input: JSONOutput
  let output: JSONOutput?
  /// What the figures mean, in Markdown.
  let guide: String
  /// Reads the texts of each argument, by name, or reports which one cannot be used.
  let ask: @Sendable ([String: [String]]) throws(ParameterError) -> Job

  var guideAddress: String { Self.guideAddress(name) }

  static func guideAddress(_ name: String) -> String { "skan://tools/\(name)" }

  /// The description that lists of tools have.
  var json: JSONOutput {
    .object(
      [
        .init("name", .string(name)), .init("title", .string(title)),
        .init("description", .string(description)), .init("inputSchema", input),
      ] + (output.map { [.init("outputSchema", $0)] } ?? []) + [
        .init(
          "annotations",
          [
            "title": .string(title), "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
            "openWorldHint": false,
          ])
      ])
  }

  /// The guide as lists of resources have it.
  var resource: JSONOutput {
    [
      "uri": .string(guideAddress), "name": .string(name), "title": .string(title),
      "description": .string("The parameters and columns of the tool \(name)."), "mimeType": "text/markdown",
    ]
  }

  /// The words of a command as the name of a tool.
  static func name(ofCommand command: String) -> String {
    command.split(separator: " ").joined(separator: "_")
  }
}

extension ParameterError {
  /// What a reader of the error needs: which argument, what was found, what is allowed, and the cure.
  var sentence: String { "The argument '\(printable(name))' cannot be used: \(detail)" }
}
