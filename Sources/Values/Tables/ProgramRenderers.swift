import CSVText
import JSONText
import Values

/// Comma-separated values for one table: the rows and nothing else.
struct CSVRenderer: Renderer {
  private let headers: [Header]
  private let isFirst: Bool

  init(_ headers: [Header], isFirst: Bool) {
    self.headers = headers
    self.isFirst = isFirst
  }

  func begin() -> String { isFirst ? CSV.line(headers.flatMap(\.fields).map { .verbatim($0) }) : "" }

  func row(_ cells: [Cell]) -> String {
    CSV.line(zip(headers, cells).flatMap { $0.fields(of: $1) }.map(\.csv))
  }

  func end(_ ending: Ending) -> String { "" }
}

/// One JSON document: the rows under `rows`, then the total, further tables, the notes and the next page's cursor.
struct JSONRenderer: Renderer {
  private let headers: [Header]
  private var isEmpty = true

  init(_ headers: [Header]) { self.headers = headers }

  func begin() -> String { "{\"rows\":[" }

  mutating func row(_ cells: [Cell]) -> String {
    defer { isEmpty = false }
    return (isEmpty ? "\n" : ",\n") + headers.object(cells).text()
  }

  func end(_ ending: Ending) -> String {
    var members: [JSONOutput.Member] = []
    if let total = ending.total { members.append(.init("total", headers.object(total, isTotal: true))) }
    members += ending.details.lazy.map { $0.shown(in: .json) }.map {
      .init($0.name, $0.headers.array($0.rows))
    }
    members.append(.init("notes", .array(ending.notes.map { .string($0) })))
    if let next = ending.next { members.append(.init("next", .string(next))) }
    let lines = members.map { member in
      ",\n" + JSONOutput.string(member.name).text() + ":" + member.value.text()
    }
    return (isEmpty ? "]" : "\n]") + lines.joined() + "}\n"
  }
}

/// One JSON object a line: the rows and nothing else.
struct NDJSONRenderer: Renderer {
  private let headers: [Header]

  init(_ headers: [Header]) { self.headers = headers }

  func begin() -> String { "" }

  func row(_ cells: [Cell]) -> String { headers.object(cells).text() + "\n" }

  func end(_ ending: Ending) -> String { "" }
}

extension [Header] {
  /// A row with its members in the order of the columns; a total has no dimensions.
  fileprivate func object(_ cells: [Cell], isTotal: Bool = false) -> JSONOutput {
    let shown = zip(self, cells).filter { !isTotal || $0.0.presence != .onRequest }
    return .object(
      shown.flatMap { header, cell in
        zip(header.fields, header.fields(of: cell)).map { .init($0, $1.json(header.kind)) }
      })
  }

  fileprivate func array(_ rows: [[Cell]]) -> JSONOutput { .array(rows.map { object($0) }) }
}

extension Cell {
  fileprivate var csv: CSV.Cell {
    switch self {
    case .none, .range, .records: .none
    case .integer(let number): .integer(number)
    case .decimal(let micros): .number(Amount(micros: micros).description)
    case .text(let text): .string(text)
    case .words(let words): .string(words.joined(separator: " "))
    case .flag(let isOn): .verbatim(isOn ? "true" : "false")
    }
  }

  fileprivate func json(_ kind: ColumnKind) -> JSONOutput {
    switch self {
    case .none, .range: return .null
    case .integer(let number): return .integer(number)
    case .decimal(let micros):
      return JSONNumber(Amount(micros: micros).description).map { .number($0) } ?? .null
    case .text(let text): return .string(text)
    case .words(let words): return .array(words.map { .string($0) })
    case .flag(let isOn): return .bool(isOn)
    case .records(let rows):
      guard case .records(let headers) = kind else { return .null }
      return headers.array(rows)
    }
  }
}
