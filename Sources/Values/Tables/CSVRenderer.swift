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

  func rows(_ vectors: [Vector], count: Int) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * vectors.count * count)
    let spans = Self.spans(
      hasIntervals ? zip(headers, vectors).flatMap { $0.vectors(of: $1, count: count) } : vectors)
    for row in 0..<count {
      for place in spans.indices {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        // By a span, so that no array of numbers is retained for each cell.
        spans.span[place].append(row, to: &bytes)
      }
      bytes.append(UInt8(ascii: "\r"))
      bytes.append(UInt8(ascii: "\n"))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func end(_ ending: Ending) -> String { "" }

  /// Columns that are written together.
  private enum Span {
    case numbers(NumberBlock, Range<Int>)
    case vector(Vector)

    func append(_ row: Int, to bytes: inout [UInt8]) {
      switch self {
      case .numbers(let block, let columns): block.appendCSV(row, columns, to: &bytes)
      case .vector(let vector): vector.appendCSV(row, to: &bytes)
      }
    }
  }

  private static func spans(_ vectors: [Vector]) -> [Span] {
    var spans: [Span] = []
    var last: Int?
    for vector in vectors {
      guard case .part(let block, let column) = vector else {
        spans.append(.vector(vector))
        last = nil
        continue
      }
      if last == column - 1, case .numbers(let other, let columns)? = spans.last, other === block {
        spans[spans.count - 1] = .numbers(block, columns.lowerBound..<column + 1)
      } else {
        spans.append(.numbers(block, column..<column + 1))
      }
      last = column
    }
    return spans
  }
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

  mutating func rows(_ vectors: [Vector], count: Int) -> String {
    defer { isEmpty = isEmpty && count == 0 }
    return object.text(vectors, count: count, separator: ",\n", start: isEmpty ? "\n" : ",\n", end: "")
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

  func rows(_ vectors: [Vector], count: Int) -> String {
    object.text(vectors, count: count, separator: "\n", start: "", end: "\n")
  }

  func end(_ ending: Ending) -> String { "" }
}

/// Writes rows as JSON objects with their members in the order of the columns.
///
/// It writes bytes and makes no value of JSON in between.
struct ObjectWriter {
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

  /// Rows with a text before the first, between any two, and behind the last.
  func text(_ vectors: [Vector], count: Int, separator: String, start: String, end: String) -> String {
    guard count > 0 else { return "" }
    let fields = fields.map { field in
      let header = headers[field.cell]
      return field.bound.map { header.vectors(of: vectors[field.cell], count: count)[$0] }
        ?? vectors[field.cell]
    }
    var bytes = Array(start.utf8)
    bytes.reserveCapacity(16 * fields.count * count)
    for row in 0..<count {
      if row > 0 { bytes += separator.utf8 }
      bytes.append(UInt8(ascii: "{"))
      for place in fields.indices {
        bytes += self.fields[place].prefix
        fields[place].appendJSON(row, headers[self.fields[place].cell].kind, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes += end.utf8
    return String(decoding: bytes, as: UTF8.self)
  }

  func text(_ cells: [Cell]) -> String {
    text(cells.map { .cells([$0]) }, count: 1, separator: "", start: "", end: "")
  }

  func array(_ rows: some Collection<[Cell]>) -> String {
    var bytes: [UInt8] = []
    append(rows, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func append(_ rows: some Collection<[Cell]>, to bytes: inout [UInt8]) {
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
      (field.bound.map { header.fields(of: cell)[$0] } ?? cell).appendJSON(header.kind, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
