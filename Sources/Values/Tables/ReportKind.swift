package import Arguments
import Values

/// In which form a report is printed, and which part of it.
package struct Delivery: Sendable {
  /// Rows that are written together at most, and about how many bytes.
  static let rowsAtOnce = 256
  static let bytesAtOnce = 1 << 16
  /// Bytes after which a page ends with fewer rows than it may have, because it is held in memory.
  static let mostPageBytes = 8 << 20

  package var format: Format
  /// Rows of a page; `nil` for the whole report.
  package var limit: Int?
  /// What the page before named as next.
  package var cursor: String?
  /// What keeps the rows for further pages, which are then of the state of the first one.
  package var pages: (any PageStore)?

  package init(_ format: Format, limit: Int? = nil, cursor: String? = nil, pages: (any PageStore)? = nil) {
    self.format = format
    self.limit = limit
    self.cursor = cursor
    self.pages = pages
  }
}

/// A report without its types: what a list can hold and every surface is made from.
package struct ReportKind<Source>: Sendable, CustomStringConvertible {
  /// Takes a piece of the answer and returns whether more is wanted.
  package typealias Write = (String) -> Bool
  /// Answers a question that was read.
  package typealias Job = @Sendable (Source, Delivery, _ isLate: () -> Bool, Write) throws -> Outcome

  /// Answers a question that was read with values: so many rows at most, from the page on that a cursor names.
  package typealias Inquiry = @Sendable (Source, _ limit: Int, _ cursor: String?) throws -> ReportDocument

  package struct Outcome: Hashable, Sendable {
    /// The cursor of the next page; `nil` where there is none.
    package var next: String?
    package var isCheckFailed = false
  }

  package var description: String { name }
  package var name: String { report.name }
  package var summary: String { report.summary }
  package var discussion: [String] { report.discussion }
  package var examples: [Command.Example] { report.examples }
  package var commandName: String { report.command }
  package var path: String { report.path }
  /// Its parameters as options of a command; the last one chooses a table where it has several.
  package var options: [Option] { report.allOptions }
  package var headers: [Header] { report.headers }
  package var details: [DetailHeader] { report.details }
  package var pageSize: Int? { report.pageSize }
  package var isStreamed: Bool { report.isStreamed }
  package var isCheck: Bool { report.isCheck }
  /// Properties of the question but what is asked inside, counted by reflection; a law compares them with the parameters.
  package var propertyCount: Int { Self.properties(of: report.init()) }
  private let report: any Report<Source>.Type

  package init(_ report: any Report<Source>.Type) { self.report = report }

  private static func properties(of query: any Query) -> Int {
    Mirror(reflecting: query).children.filter { !($0.value is any AskedInside) }.reduce(0) {
      $0 + (($1.value as? any Query).map(Self.properties(of:)) ?? 1)
    }
  }

  /// Reads a question from the texts of each parameter, by name.
  ///
  /// - Throws: ``ParameterError`` for the first parameter that cannot be used.
  package func job(_ texts: [String: [String]]) throws(ParameterError) -> Job { try report.job(texts) }

  /// The same of a report that also has what no parameter sets, such as a file of a command's user.
  ///
  /// - Throws: What `give` throws too.
  package static func job<Asked: Report<Source>>(
    _ report: Asked.Type, _ texts: [String: [String]], _ give: (inout Asked) throws -> Void
  ) throws -> Job {
    var question = try Asked(texts)
    try give(&question)
    return try question.job(texts)
  }

  /// Reads a question that is answered with values, from the texts of each parameter, by name.
  ///
  /// - Throws: ``ParameterError`` for the first parameter that cannot be used.
  package func inquiry(_ texts: [String: [String]]) throws(ParameterError) -> Inquiry {
    try report.inquiry(texts)
  }

  /// The names of its own parameters in a URL's query.
  package var parameterNames: [String] { options.map { String($0.name.dropFirst(2)) } }
}

extension Report {
  private static var tables: ValueKind { .choice(["rows"] + details.map(\.name)) }

  fileprivate static var allOptions: [Option] {
    let table = Option.value(
      "--table", "NAME", tables, "Table to print in csv and ndjson, which hold one.", default: "rows")
    return options + (isStreamed ? [] : Arrangement.options) + (details.isEmpty ? [] : [table])
  }

  fileprivate static var headers: [Header] { columns.map(\.header) }

  fileprivate static func job(_ texts: [String: [String]]) throws(ParameterError) -> ReportKind<Source>.Job {
    try Self(texts).job(texts)
  }

  fileprivate func job(_ texts: [String: [String]]) throws(ParameterError) -> ReportKind<Source>.Job {
    let arrangement = Self.isStreamed ? Arrangement() : try Arrangement(texts)
    let table = Self.details.isEmpty ? nil : texts["table"]?.last
    if let table, !Self.tables.allows(table) { throw .unfit("table", found: table, Self.tables) }
    let words = ([Self.name] + texts.sorted { $0.key < $1.key }.flatMap { [$0.key] + $0.value })
      .joined(separator: "\u{1F}")
    return { source, delivery, isLate, write in
      try deliver(delivery, table, arrangement, words, from: source, isLate: isLate, to: write)
    }
  }

  fileprivate static func inquiry(
    _ texts: [String: [String]]
  ) throws(ParameterError) -> ReportKind<Source>.Inquiry {
    let question = try Self(texts)
    let arrangement = isStreamed ? Arrangement() : try Arrangement(texts)
    return { source, limit, cursor in
      try question.answer(from: source, arrangement, limit: limit, cursor: cursor).document
    }
  }

  func deliver(
    _ delivery: Delivery, _ table: String?, _ arrangement: Arrangement, _ words: String = "",
    from source: Source,
    isLate: () -> Bool, to write: (String) -> Bool
  ) throws -> ReportKind<Source>.Outcome {
    let format = delivery.format
    let place = try delivery.cursor.map { text throws(ParameterError) in
      try PageCursor(text, of: Self.name).place
    }
    let isOfDetail = format.holdsOneTable && Self.details.contains { $0.name == table }
    if isOfDetail, let top, let table {
      throw ParameterError(
        "top",
        Sentence("found \(top) beside --table \(code: table), which is printed whole. Leave one of them out.")
      )
    }
    let parts =
      format.holdsOneTable && !isOfDetail ? arrangement.parts(of: shownColumns, for: format) : .all
    let words = "\(words)\u{1F}\(parts.rawValue)"
    let kept = place == nil ? nil : delivery.pages?.rows(for: words) as? KeptRows<Row>
    let unsorted = try kept?.rows ?? rows(from: source, for: parts)
    var outcome = ReportKind<Source>.Outcome(isCheckFailed: unsorted.isCheckFailed)
    if isOfDetail, let detail = unsorted.details.first(where: { $0.name == table }) {
      _ = write(try arrangement.arranged(detail, for: format).text(format))
      return outcome
    }
    let rows: Rows<Row>
    let sheet: Sheet<Row>
    do {
      rows = try kept?.rows ?? arranged(unsorted, arrangement)
      sheet = try self.sheet(of: rows, arrangement, for: format)
    } catch let error as ParameterError where parts != .all {
      // It lists the columns that there are, and families have theirs only with all that they are made of.
      _ = try self.sheet(of: arranged(self.rows(from: source), arrangement), arrangement, for: format)
      throw error
    }
    let start =
      rows.isHeld ? try place.flatMap { kept?.start(behind: $0) } ?? rows.start(behind: place) : nil
    var renderer = format.renderer(for: sheet.headers, isFirst: place == nil)
    var (count, bytes, last): (Int, Int, Row?) = (0, 0, nil)
    var isWanted = write(renderer.begin())
    var waiting: [Row] = []
    func writeWaiting() {
      let text = renderer.rows(sheet.vectors(of: waiting), count: waiting.count)
      waiting.removeAll(keepingCapacity: true)
      bytes += text.utf8.count
      isWanted = write(text)
    }
    try rows.each(place, from: start) { row in
      let isFull = delivery.limit.map { count == $0 || bytes > Delivery.mostPageBytes || isLate() } ?? false
      if isFull, let last {
        let place = rows.place(last)
        outcome.next = PageCursor(report: Self.name, place: place).text
        if let start {
          delivery.pages?.keep(
            KeptRows(rows, last: place, start: start + count), count: rows.held.count, for: words)
        }
      }
      guard isWanted, outcome.next == nil else { return false }
      (count, last) = (count + 1, row)
      waiting.append(row)
      // As many as fit into some pages of memory, by the rows that were written so far.
      let fitting = (count - waiting.count) * Delivery.bytesAtOnce / max(1, bytes)
      if waiting.count >= max(1, min(Delivery.rowsAtOnce, fitting)) { writeWaiting() }
      return isWanted
    }
    if isWanted, !waiting.isEmpty { writeWaiting() }
    if outcome.next == nil, kept != nil { delivery.pages?.keep(nil, count: 0, for: words) }
    var ending = Ending()
    ending.total = rows.total.map(sheet.cells)
    ending.notes =
      (rows.notes + (count == 0 && place == nil ? [rows.noteIfEmpty].compactMap { $0 } : [])).map(\.english)
    ending.linesForPeople = rows.linesForPeople()
    (ending.details, ending.next) = (rows.details, outcome.next)
    _ = write(renderer.end(ending))
    return outcome
  }

  private func sheet(
    of rows: Rows<Row>, _ arrangement: Arrangement, for format: Format
  ) throws(ParameterError) -> Sheet<Row> {
    try arrangement.sheet(shownColumns, held: rows.keyed ?? rows.held, for: format, needs: need)
  }

  /// The rows in the order that was asked for, and the first ones with a sum of the others where only those were.
  func arranged(_ rows: Rows<Row>, _ arrangement: Arrangement) throws -> Rows<Row> {
    let order =
      top != nil && arrangement.sort.isEmpty
      ? [SortColumn(Self.rank, isDescending: true)] : arrangement.sort
    guard !order.isEmpty else { return rows }
    let all = try rows.isHeld ? rows.held : rows.part()
    let sorted = try arrangement.sorted(
      all, by: order, shownColumns, keyed: rows.keyed ?? all, depth: rows.depth, needs: need)
    guard let top, sorted.count > top, let sum = rows.sum else { return rows.with(sorted) }
    return rows.with(sorted.prefix(top) + [sum(Array(sorted[top...]))])
  }
}
