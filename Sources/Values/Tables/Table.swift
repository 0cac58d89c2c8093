import Values

/// Columns, rows of cells and a row of totals: all that any format needs.
package struct Table: Equatable, Sendable {
  package let name: String
  package let headers: [Header]
  package let rows: TableRows
  package let total: [Cell]?
  /// Rows that people see below a report at most; programs get all.
  var mostForPeople: Int?

  init(name: String, headers: [Header], rows: TableRows, total: [Cell]?) {
    (self.name, self.headers, self.rows, self.total) = (name, headers, rows, total)
  }

  /// Makes a table of rows of one type; a family gets a column for each key in the rows.
  package init<Row>(_ columns: [Column<Row>], rows: [Row], total: Row? = nil) {
    self.init("rows", columns, rows: rows, total: total)
  }

  package init<Row>(_ name: String, _ columns: [Column<Row>], rows: [Row], total: Row? = nil) {
    let sheet = Sheet(columns.flatMap { $0.expanded(over: rows + (total.map { [$0] } ?? [])) })
    self.name = name
    headers = sheet.headers
    self.rows = TableRows(rows.map(sheet.cells))
    self.total = total.map(sheet.cells)
  }
}

/// The columns of a table in place, for rows that come one by one.
package struct Sheet<Row>: Sendable {
  let columns: [Column<Row>]

  /// Leaves out the columns that a format does not show, and expands families by the keys of held rows.
  package init(_ columns: [Column<Row>], held rows: [Row], for format: Format) {
    self.init(columns.filter { format.shows($0.header) }.flatMap { $0.expanded(over: rows) })
  }

  init(_ columns: [Column<Row>]) { self.columns = columns }

  package var headers: [Header] { columns.map(\.header) }

  package func cells(of row: Row) -> [Cell] { vectors(of: [row]).map { $0[0] } }

  package func vectors(of rows: [Row]) -> [Vector] { vectors(of: rows, at: Array(columns.indices)) }

  func vectors(of rows: [Row], at places: [Int]) -> [Vector] {
    var last: (whole: ColumnBlock<Row>, numbers: NumberBlock)?
    return places.map { place in
      let column = columns[place]
      guard let (whole, place) = column.part else { return column.vector(of: rows) }
      let numbers = last?.whole === whole ? last?.numbers : nil
      let made = numbers ?? whole.numbers(of: rows)
      last = (whole, made)
      return .part(made, place)
    }
  }

  func cells(of rows: [Row]) -> [[Cell]] {
    let vectors = vectors(of: rows)
    return rows.indices.map { row in vectors.map { $0[row] } }
  }
}

package struct Ending: Equatable, Sendable {
  package var total: [Cell]?
  /// Sentences that a reader needs to understand the rows.
  package var notes: [String] = []
  /// Lines that programs do not need.
  package var linesForPeople: [String] = []
  package var details: [Table] = []
  /// Where the next page begins.
  package var next: String?

  package init() {}
}

package enum Format: String, Hashable, Sendable, CaseIterable {
  case table
  case json
  case ndjson
  /// Comma-separated values for spreadsheets.
  case csv

  package static let forPrograms: [Format] = [.json, .ndjson, .csv]

  /// Whether it has the rows and nothing else.
  var holdsOneTable: Bool { self == .csv || self == .ndjson }

  func shows(_ header: Header) -> Bool {
    switch self {
    case .table: return header.presence != .forPrograms && header.presence != .onRequestForPrograms
    case .csv:
      if case .records = header.kind { return false }
      return header.presence != .forPeople
    case .json, .ndjson: return header.presence != .forPeople
    }
  }

  /// Prints a table row by row, so that no format has to hold them all.
  ///
  /// `headers` are without the columns that this format does not show. Only the first page of CSV has a heading, so that
  /// pages put together are one file. `paint` colours the texts of cells for people.
  package func renderer(
    for headers: [Header], isFirst: Bool = true, width: Int? = nil, paint: Paint? = nil
  ) -> any Renderer {
    switch self {
    case .table: TextRenderer(headers, width: width, paint: paint)
    case .csv: CSVRenderer(headers, isFirst: isFirst)
    case .json: JSONRenderer(headers)
    case .ndjson: NDJSONRenderer(headers)
    }
  }
}

/// Colours the text of a cell, by the name of its column.
package typealias Paint = @Sendable (_ column: String, _ text: String) -> String

package protocol Renderer: Sendable {
  mutating func begin() -> String
  /// Some rows, by their columns.
  mutating func rows(_ vectors: [Vector], count: Int) -> String
  /// What is held back to align it, for a reader who waits for rows that come slowly.
  mutating func flush() -> String
  mutating func end(_ ending: Ending) -> String
}

extension Renderer {
  package mutating func flush() -> String { "" }

  package mutating func row(_ cells: [Cell]) -> String { rows(cells.map { .cells([$0]) }, count: 1) }
}

extension Table {
  /// The whole table in a format, with notes below; it ends with a line break.
  ///
  /// `width` is the letters that a line for people may have: texts are cut for it, numbers never, and no column is made
  /// narrower than its title or eight letters.
  package func text(_ format: Format, notes: [String] = [], width: Int? = nil) -> String {
    let table = shown(in: format)
    var renderer = format.renderer(for: table.headers, width: width)
    var ending = Ending()
    (ending.total, ending.notes) = (table.total, notes)
    let begin = renderer.begin()
    let lines = table.rows.map { renderer.row($0) }
    return begin + lines.joined() + renderer.end(ending)
  }

  /// The table without the columns that a format does not show.
  func shown(in format: Format) -> Table {
    let shown = headers.indices.filter { format.shows(headers[$0]) }
    func cells(_ row: [Cell]) -> [Cell] { shown.map { row[$0] } }
    var table = Table(
      name: name, headers: shown.map { headers[$0] }, rows: TableRows(rows.map(cells)),
      total: total.map(cells))
    table.mostForPeople = mostForPeople
    return table
  }

  /// The table with its first rows alone.
  func prefix(_ most: Int) -> Table {
    guard rows.count > most else { return self }
    var table = Table(name: name, headers: headers, rows: TableRows(Array(rows.prefix(most))), total: total)
    table.mostForPeople = mostForPeople
    return table
  }

  /// The table for people below a report, and how many rows more there are.
  var forPeople: String {
    let more = rows.count - (mostForPeople ?? rows.count)
    guard more > 0 else { return text(.table) }
    let first = TableRows(Array(rows.dropLast(more)))
    return Table(name: name, headers: headers, rows: first, total: total).text(.table)
      + "and \(grouped(more)) more; --format json has all\n"
  }
}
