package import Arguments
package import JSONText
import Values

// What is made of a report's description besides its answer.

extension ReportKind {
  /// Its command; `shared` are options such as the database's.
  package func command(sharing shared: [Option] = []) -> Command {
    let words = Format.allCases.map(\.rawValue)
    let format = Option.value("--format", "FORMAT", .choice(words), "Output format.", default: words[0])
    let exitCode: [Option] = isCheck ? [TypedOption.exitCode.option] : []
    return Command(
      commandName, summary, discussion: discussion, examples: examples,
      options: shared + options + [format] + exitCode)
  }

  private var requestOptions: [Option] {
    let format = Option.value(
      "--format", "FORMAT", .choice(Format.forPrograms.map(\.rawValue)),
      "Format of the answer; it counts before Accept.")
    guard let pageSize else { return options + [format] }
    return options + [
      format,
      .value(
        "--limit", "N", .integer(1...Self.mostRows), "Rows of a page; it may have fewer.",
        default: "\(pageSize)"),
      .value("--cursor", "CURSOR", .text, "Start of the page: what the page before named as next."),
    ]
  }

  /// Rows of a page at most.
  package static var mostRows: Int { 10_000 }

  /// The JSON Schema of its JSON document; `columns` can leave out any member of a row.
  package var schema: JSONOutput { schema() }

  /// The same with further members, with or without the explanation of each column.
  package func schema(describing: Bool = true, adding more: [JSONOutput.Member] = []) -> JSONOutput {
    func rows(_ headers: [Header], requiresAll: Bool = true) -> JSONOutput {
      ["type": "array", "items": headers.rowSchema(requiresAll: requiresAll, describing: describing)]
    }
    var members: [JSONOutput.Member] = [
      .init("rows", rows(headers, requiresAll: isStreamed)),
      .init("total", headers.totalSchema(requiresAll: isStreamed, describing: describing)),
    ]
    members += details.map { .init($0.name, rows($0.headers)) }
    members.append(.init("notes", ["type": "array", "items": ["type": "string"]]))
    if pageSize != nil { members.append(.init("next", ["type": "string"])) }
    return [
      "type": "object", "required": ["rows", "notes"], "additionalProperties": false,
      "properties": .object(members + more),
    ]
  }

  /// The parameters of its HTTP resource in OpenAPI 3.1.
  package var openAPIParameters: [JSONOutput] { requestOptions.map(\.openAPI) }

  /// The options that choose what it answers, without those of one surface.
  package var questions: [Option] { options.filter { $0.name != "--table" } }

  /// The JSON Schema of its question: an object with a member for each parameter, and some more.
  package func questionSchema(adding more: [Option] = []) -> JSONOutput {
    let all = questions + more
    return [
      "type": "object", "additionalProperties": false,
      "properties": .object(all.map { .init(String($0.name.dropFirst(2)), $0.argument) }),
      "required": .array(all.filter(\.isRequired).map { .string(String($0.name.dropFirst(2))) }),
    ]
  }

  package var markdown: String {
    let options = command().options.map { "| `\($0.usage)` | \($0.explanation) |\n" }.joined()
    let columns = headers.map { header in
      "| `\(header.fields.joined(separator: "`, `"))` | \(header.title.english) | \(header.help.english) |\n"
    }.joined()
    let paragraphs = ([summary] + discussion).map { $0 + "\n\n" }.joined()
    return "## \(name)\n\n\(paragraphs)`skan \(commandName)`, `GET \(path)`\n\n"
      + "| option | meaning |\n|---|---|\n\(options)\n| column | title | meaning |\n|---|---|---|\n\(columns)\n"
  }
}

extension TypedOption<Bool> {
  package static let exitCode = flag("--exit-code", "Exit with 1 if the check fails.")
}

extension Option {
  /// How help and documentation write it, such as `--by NAME,...`.
  fileprivate var usage: String { name + (placeholder.map { " \($0)" } ?? "") }

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
    var members: [JSONOutput.Member] = [
      .init("name", .string(String(name.dropFirst(2)))), .init("in", "query"),
      .init("required", .bool(isRequired)),
      .init("description", .string(explanation)),
    ]
    if isList { members += [.init("style", "form"), .init("explode", false)] }
    members.append(.init("schema", isList ? ["type": "array", "items": one] : one))
    if let example = kind.example ?? defaultText.map({ .string($0) }) {
      members.append(.init("example", isList ? [example] : example))
    }
    return .object(members)
  }
}

extension Option {
  /// The JSON Schema of its value as a member of an object.
  fileprivate var argument: JSONOutput {
    var members = kind.schemaMembers
    if isRepeatable { members = [.init("type", "array"), .init("items", .object(members))] }
    members.append(
      .init("description", .string(summary + form + (defaultNote.map { " [default: \($0)]" } ?? ""))))
    if let usual = defaultText {
      let words = isList ? usual.split(separator: ",").map(String.init) : [usual]
      members.append(.init("default", isRepeatable ? .array(words.map(kind.value)) : kind.value(usual)))
    }
    return .object(members)
  }

  /// What the text has to look like, where the schema cannot express it.
  private var form: String {
    switch kind {
    case .duration, .form, .hostPort, .hostPortOr: " It is \(kind.expectation)."
    case .text, .path, .integer, .choice, .time, .day: ""
    }
  }
}

extension ValueKind {
  fileprivate var schema: JSONOutput { .object(schemaMembers) }

  /// A text of it as a value of JSON.
  fileprivate func value(_ text: String) -> JSONOutput {
    switch self {
    case .integer: Int64(text).map { .integer($0) } ?? .string(text)
    case .choice(["true", "false"]): .bool(text == "true")
    default: .string(text)
    }
  }

  fileprivate var schemaMembers: [JSONOutput.Member] {
    let day = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    let time = "[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
    switch self {
    case .text, .path, .hostPort, .hostPortOr, .duration, .form:
      return [.init("type", "string"), .init("minLength", 1)]
    case .integer(let range):
      let most: [JSONOutput.Member] =
        range.upperBound == .max ? [] : [.init("maximum", .integer(Int64(range.upperBound)))]
      return [.init("type", "integer"), .init("minimum", .integer(Int64(range.lowerBound)))] + most
    case .choice(["true", "false"]): return [.init("type", "boolean")]
    case .choice(let words):
      return [.init("type", "string"), .init("enum", .array(words.map { .string($0) }))]
    case .time:
      return [.init("type", "string"), .init("pattern", .string("^\(day)([Tt ]\(time))?$"))]
    case .day: return [.init("type", "string"), .init("pattern", .string("^\(day)$"))]
    }
  }

  /// A value that every report takes; `nil` for text, which may have to be a name that the database knows.
  fileprivate var example: JSONOutput? {
    switch self {
    case .text, .path, .hostPort, .hostPortOr, .duration, .form, .time, .day: nil
    case .integer(let range): .integer(Int64(range.lowerBound))
    case .choice(["true", "false"]): true
    case .choice(let words): .string(words[0])
    }
  }
}
