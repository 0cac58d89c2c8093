import CSVText
import JSONText
import Values

/// Comma-separated values for one table: the rows and nothing else.
struct CSVRenderer: Renderer {
  private let headers: [Header]
  private let isFirst: Bool
  private let hasIntervals: Bool

  init(_ headers: [Header], isFirst: Bool) {
    self.headers = headers
    self.isFirst = isFirst
    hasIntervals = headers.contains { $0.fields.count > 1 }
  }

  func begin() -> String { isFirst ? CSV.line(headers.flatMap(\.fields).map { .verbatim($0) }) : "" }

  func row(_ cells: [Cell]) -> String {
    let fields = hasIntervals ? zip(headers, cells).flatMap { $0.fields(of: $1) } : cells
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * fields.count)
    for (place, cell) in fields.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      cell.appendCSV(to: &bytes)
    }
    bytes += "\r\n".utf8
    return String(decoding: bytes, as: UTF8.self)
  }

  func end(_ ending: Ending) -> String { "" }
}

/// One JSON document: the rows under `rows`, then the total, further tables, the notes and the next page's cursor.
struct JSONRenderer: Renderer {
  private let object: ObjectWriter
  private let total: ObjectWriter
  private var isEmpty = true

  init(_ headers: [Header]) {
    object = ObjectWriter(headers)
    total = ObjectWriter(headers, isTotal: true)
  }

  func begin() -> String { "{\"rows\":[" }

  mutating func row(_ cells: [Cell]) -> String {
    defer { isEmpty = false }
    return object.text(cells, between: isEmpty ? "\n" : ",\n", and: "")
  }

  func end(_ ending: Ending) -> String {
    var lines: [String] = []
    func add(_ name: String, _ value: String) {
      lines.append(",\n" + JSONOutput.string(name).text() + ":" + value)
    }
    if let cells = ending.total { add("total", total.text(cells)) }
    for detail in ending.details.lazy.map({ $0.shown(in: .json) }) {
      add(detail.name, ObjectWriter(detail.headers).array(detail.rows))
    }
    add("notes", JSONOutput.array(ending.notes.map { .string($0) }).text())
    if let next = ending.next { add("next", JSONOutput.string(next).text()) }
    return (isEmpty ? "]" : "\n]") + lines.joined() + "}\n"
  }
}

/// One JSON object a line: the rows and nothing else.
struct NDJSONRenderer: Renderer {
  private let object: ObjectWriter

  init(_ headers: [Header]) { object = ObjectWriter(headers) }

  func begin() -> String { "" }

  func row(_ cells: [Cell]) -> String { object.text(cells, between: "", and: "\n") }

  func end(_ ending: Ending) -> String { "" }
}

/// Writes rows as JSON objects with their members in the order of the columns.
///
/// It writes bytes and makes no value of JSON in between: a campaign report has a hundred members a row.
private struct ObjectWriter {
  private struct Field {
    let cell: Int
    /// Which bound of an interval it is; `nil` for a whole cell.
    let bound: Int?
    /// The name with its colon, and a comma in front of all but the first.
    let prefix: [UInt8]
  }

  private let headers: [Header]
  private let fields: [Field]

  init(_ headers: [Header], isTotal: Bool = false) {
    self.headers = headers
    var fields: [Field] = []
    for (cell, header) in headers.enumerated() where !isTotal || !header.isOnRequest {
      for (bound, name) in header.fields.enumerated() {
        let prefix = (fields.isEmpty ? "" : ",") + JSONOutput.string(name).text() + ":"
        fields.append(
          Field(cell: cell, bound: header.fields.count > 1 ? bound : nil, prefix: Array(prefix.utf8)))
      }
    }
    self.fields = fields
  }

  func text(_ cells: [Cell], between start: String = "", and end: String = "") -> String {
    var bytes = Array(start.utf8)
    append(cells, to: &bytes)
    bytes += end.utf8
    return String(decoding: bytes, as: UTF8.self)
  }

  func array(_ rows: some Collection<[Cell]>) -> String {
    var bytes: [UInt8] = []
    append(rows, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(_ rows: some Collection<[Cell]>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, row) in rows.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(row, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private func append(_ cells: [Cell], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for field in fields {
      bytes += field.prefix
      let (cell, header) = (cells[field.cell], headers[field.cell])
      append(field.bound.map { header.fields(of: cell)[$0] } ?? cell, header.kind, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func append(_ cell: Cell, _ kind: ColumnKind, to bytes: inout [UInt8]) {
    switch cell {
    case .none, .range: bytes += "null".utf8
    case .integer(let number): appendDigits(of: number, to: &bytes)
    case .decimal(let micros): Amount(micros: micros).append(to: &bytes)
    case .text(let text): appendJSONString(text, to: &bytes)
    case .words(let words): bytes += JSONOutput.array(words.map { .string($0) }).bytes()
    case .flag(let isOn): bytes += (isOn ? "true" : "false").utf8
    case .records(let rows):
      guard case .records(let headers) = kind else { return bytes += "null".utf8 }
      ObjectWriter(headers).append(rows, to: &bytes)
    }
  }
}

extension Cell {
  fileprivate func appendCSV(to bytes: inout [UInt8]) {
    switch self {
    case .none, .range, .records: break
    case .integer(let number): appendDigits(of: number, to: &bytes)
    case .decimal(let micros): Amount(micros: micros).append(to: &bytes)
    case .text(let text): CSV.append(.string(text), to: &bytes)
    case .words(let words): CSV.append(.string(words.joined(separator: "; ")), to: &bytes)
    case .flag(let isOn): bytes += (isOn ? "true" : "false").utf8
    }
  }
}

private func appendDigits(of number: Int64, to bytes: inout [UInt8]) {
  if number < 0 { bytes.append(UInt8(ascii: "-")) }
  appendDecimalDigits(of: number.magnitude, to: &bytes)
}
