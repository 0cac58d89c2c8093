import JSONText
import Tables
import Values

/// What the figures of one column are: unit, interval, explanation, and where there is more about it.
struct ColumnGuide {
  private let header: Header
  /// The columns with its bounds, where there are any.
  private let interval: Header?
  private let table: String
  private let address: String

  /// Explains the columns of a table; the bounds of a figure are with the figure.
  ///
  /// - Parameter address: Where the report is explained.
  static func all(of headers: [Header], in table: String, at address: String) -> [ColumnGuide] {
    let intervals = headers.filter(\.isInterval)
    let figures = Set(headers.filter { !$0.isInterval }.map(\.name))
    return headers.filter { !$0.isInterval || !figures.contains($0.name) }.map { header in
      ColumnGuide(
        header: header, interval: header.isInterval ? nil : intervals.first { $0.name == header.name },
        table: table, address: "\(address)#\(header.name)")
    }
  }

  var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("table", .string(table)), .init("names", Self.texts(header.fields)),
      .init("title", .string(header.title.english)), .init("unit", .string(header.kind.unit)),
      .init("explanation", .string(header.help.english)),
    ]
    if let interval {
      members += [
        .init("interval", Self.texts(interval.fields)),
        .init("interval-explanation", .string(interval.help.english)),
      ]
    }
    return .object(members + [.init("link", .string(address))])
  }

  var line: String {
    let bounds = interval.map { " Its bounds are in '\($0.title)': \($0.help)" } ?? ""
    return "- \(header.title): \(header.kind.unitForPeople). \(header.help)\(bounds)\n"
  }

  /// The JSON Schema of ``json``.
  static let schema: JSONOutput = {
    let text: JSONOutput = ["type": "string"]
    let texts: JSONOutput = ["type": "array", "items": text]
    return [
      "type": "object", "additionalProperties": false,
      "required": ["table", "names", "title", "unit", "explanation", "link"],
      "properties": [
        "table": text, "names": texts, "title": text, "unit": text, "explanation": text, "interval": texts,
        "interval-explanation": text, "link": text,
      ],
    ]
  }()

  private static func texts(_ texts: [String]) -> JSONOutput { .array(texts.map { .string($0) }) }
}

extension Header {
  fileprivate var isInterval: Bool { if case .interval = kind { true } else { false } }
}
