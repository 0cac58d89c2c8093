import Arguments
package import Values

/// The answer of a report with rows of its own type, which pages read, and as a document for surfaces that lay out any
/// report.
///
/// ```swift
/// let answer = try NullReport().answer(from: source, sort: NullReport.postbacks.descending)
/// let withheld = answer.rows.map(\.nulls)
/// let changes = answer.rows(of: NullReport.changes)
/// ```
package struct ReportAnswer<R: Report>: Sendable {
  /// The rows that were asked for, in their order.
  package let rows: [R.Row]
  package let total: R.Row?
  /// The parameter `sort` in force; empty for the report's own order.
  package let sort: String
  package let document: ReportDocument
  private let sheet: Sheet<R.Row>

  fileprivate init(
    _ rows: [R.Row], total: R.Row?, sort: String, _ sheet: Sheet<R.Row>, _ document: ReportDocument
  ) {
    (self.rows, self.total, self.sort, self.sheet, self.document) = (rows, total, sort, sheet, document)
  }

  /// Sentences that a reader needs to understand the rows.
  package var notes: [Sentence] { document.notes }
  /// Whether there are more rows than were asked for.
  package var isCut: Bool { document.isCut }

  /// The rows of a further table; none where the answer does not have it.
  package func rows<Row>(of detail: Detail<Row>) -> [Row] { detail.rows(in: document.details) }

  /// The columns of the answer, with those of families for each of their keys.
  package var columns: [Column<R.Row>] { sheet.columns }

  package func has(_ column: Column<R.Row>) -> Bool { !columns(of: column).isEmpty }

  /// The columns that a family has in this answer, by their keys; of a column that is no family itself.
  package func columns(of family: Column<R.Row>) -> [Column<R.Row>] {
    sheet.columns.filter { $0.isOf(family) }
  }

  /// Some rows with some columns, in their order, in a format; a figure and its interval come together.
  package func text(_ format: Format, _ rows: [R.Row], _ columns: [Column<R.Row>]) -> String {
    var names: [String] = []
    for column in columns where !names.contains(column.name) { names.append(column.name) }
    let chosen = Sheet(names.flatMap { name in sheet.columns.filter { $0.name == name } })
    return Table(name: "rows", headers: chosen.headers, rows: TableRows(rows, chosen), total: nil).text(
      format)
  }
}

extension Report {
  /// Gathers the answer.
  ///
  /// - Parameters:
  ///   - parts: What of the answer is wanted besides what every row has; all else is as if there was none.
  ///   - sort: The column to sort by, with a `-` in front for the largest first, as for `--sort`; `nil` for the
  ///     report's own order.
  ///   - limit: Rows at most.
  /// - Throws: ``ParameterError`` for a column that there is not, and what gathering throws.
  package func answer(
    from source: Source, for parts: AnswerParts = .all, sort: String? = nil, limit: Int = .max
  ) throws -> ReportAnswer<Self> {
    try answer(from: source, for: parts, Arrangement(sort.map { ["sort": [$0]] } ?? [:]), limit: limit)
  }

  /// Gathers the answer as an address asks, which can name a column that another choice has taken away.
  ///
  /// Where only another form of the report has the column, such as one in another currency, rows are in the usual order.
  ///
  /// - Throws: ``ParameterError`` for a column that no form of the report has, and what gathering throws.
  package func answer(from source: Source, sort: String, usual: String) throws -> ReportAnswer<Self> {
    try Self.ordered(by: sort, usual: usual) { try answer(from: source, sort: $0) }
  }

  /// The answer as a file of the page that ``answer(from:sort:usual:)`` is for.
  package func text(_ format: Format, from source: Source, sort: String, usual: String) throws -> String {
    try Self.ordered(by: sort, usual: usual) { try text(format, from: source, sort: $0) }
  }

  private static func ordered<Answer>(
    by sort: String, usual: String, _ gather: (_ sort: String) throws -> Answer
  ) throws -> Answer {
    do {
      return try gather(sort)
    } catch let error as ParameterError where error.name == "sort" && canSort(by: sort) {
      return try gather(usual)
    }
  }

  /// Whether any form of the report has the column that a parameter `sort` names.
  private static func canSort(by sort: String) -> Bool {
    let name = sort.hasPrefix("-") ? sort.dropFirst() : sort[...]
    return columns.contains { column in
      column.header.fields.contains { field in
        guard let place = field.firstRange(of: "{}") else { return name == field }
        return name.hasPrefix(field[..<place.lowerBound]) && name.hasSuffix(field[place.upperBound...])
      }
    }
  }

  /// Gathers the answer from the row on that the cursor of the page before names.
  func answer(
    from source: Source, for parts: AnswerParts = .all, _ arrangement: Arrangement, limit: Int,
    cursor: String? = nil
  ) throws -> ReportAnswer<Self> {
    let place = try cursor.map { text throws(ParameterError) in try PageCursor(text, of: Self.name).place }
    let rows = try arranged(rows(from: source, for: parts), arrangement)
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
    let document = ReportDocument(
      rows: table, isCut: isCut,
      next: isCut && Self.pageSize != nil
        ? first.last.map { PageCursor(report: Self.name, place: rows.place($0)).text } : nil,
      count: try rows.count(), details: rows.details,
      notes: rows.notes
        + (first.isEmpty && place == nil ? [rows.noteIfEmpty].compactMap(\.self) : []))
    let sort = arrangement.sort.map(\.parameterText).joined(separator: ",")
    return ReportAnswer(first, total: rows.total, sort: sort, sheet, document)
  }

  /// The answer as text, as `skan report` prints it.
  ///
  /// - Parameter table: The further table that a format with one table has; `nil` for the rows.
  package func text(
    _ format: Format, from source: Source, sort: String? = nil, table: String? = nil
  ) throws -> String {
    var text = ""
    _ = try deliver(
      Delivery(format), table, Arrangement(sort.map { ["sort": [$0]] } ?? [:]), from: source,
      isLate: { false }
    ) {
      text += $0
      return true
    }
    return text
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
  package var text: String? {
    switch self {
    case .text(let text): text
    case .sentence(let sentence): sentence.english
    default: nil
    }
  }
  /// The bounds, where it is an interval with both.
  package var bounds: (low: Amount, high: Amount)? {
    if case .range(let low?, let high?) = self { (Amount(micros: low), Amount(micros: high)) } else { nil }
  }
}
