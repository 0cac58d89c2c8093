import Arguments
package import Values

/// The whole answer of a report as values, for surfaces that lay it out themselves.
package struct ReportAnswer: Sendable {
  /// The rows with every column that programs read, and the total.
  package let rows: Table
  /// Whether there are more rows than were asked for.
  package let isCut: Bool
  /// What names the next page; `nil` where there is none, or the report has no pages.
  package let next: String?
  /// All rows of the report; `nil` where they come while the database is read and are not counted there.
  package let count: Int?
  /// Further tables below the rows.
  package let details: [Table]
  /// Sentences that a reader needs to understand the rows.
  package let notes: [Sentence]

  /// A further table; `nil` where the report has none of that name.
  package func detail(_ name: String) -> Table? { details.first { $0.name == name } }
}

extension Report {
  /// Gathers the answer.
  ///
  /// - Parameters:
  ///   - sort: Columns to sort by, each with a `-` in front for the largest first, as for `--sort`.
  ///   - limit: Rows at most.
  /// - Throws: ``ParameterError`` for a column that there is not, and what gathering throws.
  package func answer(
    from source: Source, sort: [String] = [], limit: Int = .max
  ) throws -> ReportAnswer {
    try answer(from: source, Arrangement(sort.isEmpty ? [:] : ["sort": sort]), limit: limit)
  }

  /// Gathers the answer from the row on that the cursor of the page before names.
  func answer(
    from source: Source, _ arrangement: Arrangement, limit: Int, cursor: String? = nil
  ) throws -> ReportAnswer {
    let place = try cursor.map { text throws(ParameterError) in try PageCursor(text, of: Self.name).place }
    let rows = try arranged(rows(from: source), arrangement)
    let sheet = try arrangement.sheet(shownColumns, held: rows.keyed ?? rows.held, for: .json, needs: need)
    let start = try rows.isHeld ? rows.start(behind: place) : 0
    var first = Array(rows.held[start...].prefix(limit))
    var isCut = rows.held.count - start > limit
    if !rows.isHeld {
      try rows.each(place) { row in
        isCut = first.count == limit
        if !isCut { first.append(row) }
        return !isCut
      }
    }
    let table = Table(
      name: "rows", headers: sheet.headers, rows: TableRows(first, sheet), total: rows.total.map(sheet.cells))
    return ReportAnswer(
      rows: table, isCut: isCut,
      next: isCut && Self.pageSize != nil
        ? first.last.map { PageCursor(report: Self.name, place: rows.place($0)).text } : nil,
      count: try rows.count(), details: rows.details,
      notes: rows.notes
        + (first.isEmpty && place == nil ? [rows.noteIfEmpty].compactMap(\.self) : []))
  }

  /// The answer as text, as `skan report` prints it.
  ///
  /// - Parameter table: The further table that a format with one table has; `nil` for the rows.
  package func text(
    _ format: Format, from source: Source, sort: [String] = [], table: String? = nil
  ) throws -> String {
    var text = ""
    _ = try deliver(
      Delivery(format), table, Arrangement(sort.isEmpty ? [:] : ["sort": sort]), from: source,
      isLate: { false }
    ) {
      text += $0
      return true
    }
    return text
  }
}

extension ReportAnswer {
  /// The answer as a document of a format, with its further tables where the format has room for them.
  ///
  /// - Parameter most: Rows of a further table at most.
  package func text(_ format: Format, mostOfDetails most: Int = .max) -> String {
    let shown = rows.shown(in: format)
    var renderer = format.renderer(for: shown.headers)
    var ending = Ending()
    (ending.total, ending.notes, ending.next) = (shown.total, notes.map(\.english), next)
    ending.details = details.map { $0.prefix(most) }
    let begin = renderer.begin()
    let lines = shown.rows.map { renderer.row($0) }
    return begin + lines.joined() + renderer.end(ending)
  }
}

/// One row of a table, whose cells are found by the names of their columns.
package struct NamedCells: Sendable {
  private let places: [String: Int]
  private let rows: TableRows
  private let row: Int

  fileprivate init(_ places: [String: Int], _ rows: TableRows, _ row: Int) {
    (self.places, self.rows, self.row) = (places, rows, row)
  }

  /// The cell of a column; ``Cell/none`` where the table has no such column.
  package subscript(name: String) -> Cell { places[name].map { rows[row, $0] } ?? .none }

  fileprivate func cell(at place: Int) -> Cell { rows[row, place] }

  /// The whole number in a column, 0 where there is none.
  package func count(_ name: String) -> Int64 { self[name].integer ?? 0 }

  package func text(_ name: String) -> String? { self[name].text }
}

extension Table {
  private var places: [String: Int] {
    Dictionary(
      headers.indices.reversed().map {
        (headers[$0].fields.count == 1 ? headers[$0].name : headers[$0].name + ".range", $0)
      },
      uniquingKeysWith: { _, first in first })
  }

  /// The rows with their cells by name; an interval has the name of its column and `.range`.
  package var named: [NamedCells] {
    let places = places
    return rows.indices.map { NamedCells(places, rows, $0) }
  }

  /// The whole numbers in some columns, row by row, with 0 where there is none: in less time than cell by cell.
  package func counts(_ names: [String]) -> [[Int64]] {
    let places = places
    let known = names.compactMap { places[$0] }
    let columns = zip(known, rows.vectors(of: known)).reduce(into: [Int: [Int64]]()) { columns, column in
      columns[column.0] =
        column.1.numbers(count: rows.count) ?? rows.indices.map { column.1[$0].integer ?? 0 }
    }
    return names.map { name in
      places[name].flatMap { columns[$0] } ?? [Int64](repeating: 0, count: rows.count)
    }
  }

  package var namedTotal: NamedCells? { total.map { NamedCells(places, [$0], 0) } }

  /// Some rows with some columns, in their order; both bounds of an interval come with its column.
  package func selecting(_ names: [String], _ rows: [NamedCells]) -> Table {
    let chosen = names.flatMap { name in headers.indices.filter { headers[$0].name == name } }
    return Table(
      name: name, headers: chosen.map { headers[$0] },
      rows: TableRows(rows.map { row in chosen.map { row.cell(at: $0) } }), total: nil)
  }

  package func header(_ name: String) -> Header? { headers.first { $0.name == name } }

  /// What the names of the columns of a family have in the place of `{}`, such as the currencies of `revenue-mid-`.
  package func keys(after prefix: String) -> [String] {
    headers.compactMap { $0.name.hasPrefix(prefix) ? String($0.name.dropFirst(prefix.count)) : nil }
  }
}

extension Cell {
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// Exact, where it is a number of any kind; what a whole number does not fit is held at the end of the range.
  package var amount: Amount? {
    switch self {
    case .decimal(let micros): Amount(micros: micros)
    case .integer(let number): Amount(micros: number.multipliedHeld(by: 1_000_000))
    default: nil
    }
  }
  package var number: Double? { amount?.units }
  package var flag: Bool { if case .flag(let flag) = self { flag } else { false } }
  package var text: String? {
    switch self {
    case .text(let text): text
    case .sentence(let sentence): sentence.english
    default: nil
    }
  }
  package var sentence: Sentence? { if case .sentence(let sentence) = self { sentence } else { nil } }
  package var words: [String] { if case .words(let words) = self { words } else { [] } }
  /// The bounds, where it is an interval with both.
  package var bounds: (low: Amount, high: Amount)? {
    if case .range(let low?, let high?) = self { (Amount(micros: low), Amount(micros: high)) } else { nil }
  }
}
