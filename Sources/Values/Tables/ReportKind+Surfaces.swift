package import Arguments
package import JSONText

// What is made of a report's description besides its answer.

extension ReportKind {
  /// Its command, without the options that all commands of the program share.
  package func command(adding more: [Option] = []) -> Command {
    let pages = ["--limit", "--cursor"]
    let exitCode: [Option] = isCheck ? [.flag("--exit-code", "Exit with 1 if the check fails.")] : []
    return Command(
      "report \(name)", summary, discussion: discussion, examples: examples,
      options: more + options.filter { !pages.contains($0.name) } + exitCode)
  }

  /// The path of its HTTP resource.
  package var path: String { "/v1/reports/\(name)" }

  /// The JSON Schema of its JSON document.
  package var schema: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("rows", ["type": "array", "items": headers.rowSchema]), .init("total", headers.totalSchema),
    ]
    members += details.map { .init($0.name, ["type": "array", "items": $0.headers.rowSchema]) }
    members.append(.init("notes", ["type": "array", "items": ["type": "string"]]))
    if pageSize != nil { members.append(.init("next", ["type": "string"])) }
    return [
      "type": "object", "required": ["rows", "notes"], "additionalProperties": false,
      "properties": .object(members),
    ]
  }

  /// Its path item in OpenAPI 3.1, with the answers that all resources share, such as errors.
  package func openAPI(sharing responses: [JSONOutput.Member]) -> JSONOutput {
    let text: JSONOutput = ["schema": ["type": "string"]]
    let content: JSONOutput = [
      "application/json": ["schema": schema], "text/csv": text, "application/x-ndjson": text,
    ]
    let success = JSONOutput.Member("200", ["description": "The report.", "content": content])
    return [
      "parameters": .array(options.map(\.openAPI)),
      "get": [
        "operationId": .string(name), "tags": ["reports"], "summary": .string(summary),
        "responses": .object([success] + responses),
      ],
    ]
  }

  /// Its section of the documentation.
  package var markdown: String {
    let options = command().options.map { "| `\($0.usage)` | \($0.explanation) |\n" }.joined()
    let columns = headers.map { header in
      "| `\(header.fields.joined(separator: "`, `"))` | \(header.title) | \(header.help) |\n"
    }.joined()
    let paragraphs = ([summary] + discussion).map { $0 + "\n\n" }.joined()
    return "## \(name)\n\n\(paragraphs)`skan report \(name)`, `GET \(path)`\n\n"
      + "| option | meaning |\n|---|---|\n\(options)\n| column | title | meaning |\n|---|---|---|\n\(columns)\n"
  }
}

extension Option {
  /// How help and documentation write it, such as `--by NAME,...`.
  fileprivate var usage: String { name + (placeholder.map { " \($0)" } ?? "") }

  /// The help, with what is allowed and the default.
  fileprivate var explanation: String {
    var notes: [String] = []
    if case .choice(let words) = kind, placeholder != nil {
      notes.append((isList ? "some of " : "one of ") + words.joined(separator: ", "))
    }
    if let text = defaultText ?? defaultNote { notes.append("default: \(text)") }
    return summary + (notes.isEmpty ? "" : " [\(notes.joined(separator: "; "))]")
  }

  /// The parameter object of OpenAPI 3.1.
  fileprivate var openAPI: JSONOutput {
    let one = kind.schema
    return [
      "name": .string(String(name.dropFirst(2))), "in": "query", "required": false,
      "description": .string(explanation), "style": "form", "explode": false,
      "schema": isList ? ["type": "array", "items": one] : one,
    ]
  }
}

extension ValueKind {
  fileprivate var schema: JSONOutput {
    switch self {
    case .text, .path, .hostPort, .hostPortOr, .duration: ["type": "string", "minLength": 1]
    case .integer(let range) where range.upperBound == .max:
      ["type": "integer", "minimum": .integer(Int64(range.lowerBound))]
    case .integer(let range):
      [
        "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
        "maximum": .integer(Int64(range.upperBound)),
      ]
    case .choice(["true", "false"]): ["type": "boolean"]
    case .choice(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
    case .time: ["type": "string", "anyOf": [["format": "date"], ["format": "date-time"]]]
    case .day: ["type": "string", "format": "date"]
    }
  }
}
