package import Arguments

/// In which form a report is printed, and which part of it.
package struct Delivery: Hashable, Sendable {
  /// Bytes after which a page ends with fewer rows than it may have, because it is held in memory.
  static let mostPageBytes = 8 << 20

  package var format: Format
  /// Rows of a page; `nil` for the whole report.
  package var limit: Int?
  /// What the page before named as next.
  package var cursor: String?

  package init(_ format: Format, limit: Int? = nil, cursor: String? = nil) {
    self.format = format
    self.limit = limit
    self.cursor = cursor
  }
}

/// A report without its types: what a list can hold and every surface is made from.
package struct ReportKind<Source>: Sendable, CustomStringConvertible {
  /// Takes a piece of the answer and returns whether more is wanted.
  package typealias Write = (String) -> Bool
  /// Answers a question that was read.
  package typealias Job = @Sendable (Source, Delivery, _ isLate: () -> Bool, Write) throws -> Outcome

  /// What is known when all is written.
  package struct Outcome: Hashable, Sendable {
    /// The cursor of the next page; `nil` where there is none.
    package var next: String?
    package var isCheckFailed = false
  }

  package var description: String { name }
  package let name: String
  package let summary: String
  package let discussion: [String]
  package let examples: [Command.Example]
  /// The words of its command.
  package let commandName: String
  /// The path of its HTTP resource.
  package let path: String
  /// Its parameters as options of a command; the last one chooses a table where it has several.
  package let options: [Option]
  package let headers: [Header]
  package let details: [DetailHeader]
  package let pageSize: Int?
  package let isStreamed: Bool
  package let isCheck: Bool
  /// Properties of the question, counted by reflection; a law compares them with the parameters.
  package let propertyCount: Int
  private let make: @Sendable ([String: [String]]) throws(ParameterError) -> Job

  package init<R: Report>(_ report: R.Type) where R.Source == Source {
    name = R.name
    commandName = R.command
    path = R.path
    summary = R.summary
    discussion = R.discussion
    examples = R.examples
    headers = R.columns.map(\.header)
    details = R.details
    pageSize = R.pageSize
    isStreamed = R.isStreamed
    isCheck = R.isCheck
    propertyCount = Self.properties(of: R())
    let tables = ValueKind.choice(["rows"] + R.details.map(\.name))
    options =
      R.options + (R.isStreamed ? [] : Arrangement.options)
      + (R.details.isEmpty ? [] : [Self.tableOption(tables)])
    make = { (texts) throws(ParameterError) in
      let question = try R(texts)
      let arrangement = R.isStreamed ? Arrangement() : try Arrangement(texts)
      let table = R.details.isEmpty ? nil : texts["table"]?.last
      if let table, !tables.allows(table) { throw .unfit("table", found: table, tables) }
      return { source, delivery, isLate, write in
        try question.deliver(delivery, table, arrangement, from: source, isLate: isLate, to: write)
      }
    }
  }

  private static func tableOption(_ tables: ValueKind) -> Option {
    .value("--table", "NAME", tables, "Table to print in csv and ndjson, which hold one.", default: "rows")
  }

  private static func properties(of query: any Query) -> Int {
    Mirror(reflecting: query).children.reduce(0) {
      $0 + (($1.value as? any Query).map(Self.properties(of:)) ?? 1)
    }
  }

  /// Reads a question from the texts of each parameter, by name.
  ///
  /// - Throws: ``ParameterError`` for the first parameter that cannot be used.
  package func job(_ texts: [String: [String]]) throws(ParameterError) -> Job { try make(texts) }

  /// The names of its own parameters in a URL's query.
  package var parameterNames: [String] { options.map { String($0.name.dropFirst(2)) } }
}

extension Report {
  fileprivate func deliver(
    _ delivery: Delivery, _ table: String?, _ arrangement: Arrangement, from source: Source,
    isLate: () -> Bool, to write: (String) -> Bool
  ) throws -> ReportKind<Source>.Outcome {
    let format = delivery.format
    let place = try delivery.cursor.map { text throws(ParameterError) in
      try PageCursor(text, of: Self.name).place
    }
    let rows = try arranged(rows(from: source), arrangement)
    var outcome = ReportKind<Source>.Outcome(isCheckFailed: rows.isCheckFailed)
    if format.holdsOneTable, let detail = rows.details.first(where: { $0.name == table }) {
      _ = write(detail.text(format))
      return outcome
    }
    let sheet = try arrangement.sheet(shownColumns, held: rows.keyed ?? rows.held, for: format)
    var renderer = format.renderer(for: sheet.headers, isFirst: place == nil)
    var (count, bytes, last): (Int, Int, Row?) = (0, 0, nil)
    var isWanted = write(renderer.begin())
    try rows.each(place) { row in
      let isFull = delivery.limit.map { count == $0 || bytes > Delivery.mostPageBytes || isLate() } ?? false
      if isFull, let last { outcome.next = PageCursor(report: Self.name, place: rows.place(last)).text }
      guard isWanted, outcome.next == nil else { return false }
      (count, last) = (count + 1, row)
      let text = renderer.row(sheet.cells(of: row))
      bytes += text.utf8.count
      isWanted = write(text)
      return isWanted
    }
    var ending = Ending()
    ending.total = rows.total.map(sheet.cells)
    ending.notes = rows.notes + (count == 0 && place == nil ? [rows.noteIfEmpty].compactMap { $0 } : [])
    ending.linesForPeople = rows.linesForPeople
    (ending.details, ending.next) = (rows.details, outcome.next)
    _ = write(renderer.end(ending))
    return outcome
  }

  /// The rows in the order that was asked for, and the first ones with a sum of the others where only those were.
  private func arranged(_ rows: Rows<Row>, _ arrangement: Arrangement) throws -> Rows<Row> {
    let order =
      top != nil && arrangement.sort.isEmpty
      ? [SortColumn(Self.rank, isDescending: true)] : arrangement.sort
    guard !order.isEmpty else { return rows }
    let sorted = try arrangement.sorted(
      rows.held, by: order, shownColumns, keyed: rows.keyed ?? rows.held)
    guard let top, sorted.count > top, let sum = rows.sum else { return rows.with(sorted) }
    return rows.with(sorted.prefix(top) + [sum(Array(sorted[top...]))])
  }
}
