package import Arguments
package import Values

/// A report: a question whose properties are its parameters, the columns of the answer, and how its rows are gathered.
///
/// Command, help, completions, manual, HTTP resource, OpenAPI path and documentation are made from these members alone.
///
/// ```swift
/// struct Sold: Report {
///   var least = 0
///   static let name = "sold", summary = "List what shops sold.", examples: [Command.Example] = []
///   static let parameters: [Parameter<Self>] = [.init("least", \.least, "Pieces at least.", in: 0...1000)]
///   static let pieces = Column<Int>("pieces", "pieces", "Pieces sold.") { $0 }, columns = [pieces]
///   func rows(from source: [Int]) throws -> Rows<Int> { .held(source.filter { $0 >= least }) }
/// }
/// ```
package protocol Report<Source>: Query {
  associatedtype Source
  associatedtype Row: Sendable
  /// The word after `skan report`, and the last part of the path.
  static var name: String { get }
  static var command: String { get }
  static var path: String { get }
  static var summary: String { get }
  /// Paragraphs on what the summary leaves open.
  static var discussion: [String] { get }
  static var examples: [Command.Example] { get }
  static var columns: [Column<Row>] { get }
  /// Further tables below the rows.
  static var details: [DetailHeader] { get }
  /// Rows of a page over HTTP where the request names no limit; `nil` for a report that comes whole.
  static var pageSize: Int? { get }
  /// Whether rows come while the database is read, so that an interruption keeps what was written.
  static var isStreamed: Bool { get }
  /// Whether it judges, so that `--exit-code` can report a failed check to scripts.
  static var isCheck: Bool { get }
  var shownColumns: [Column<Row>] { get }
  /// What has to be asked for so that the answer has a column of the report that it lacks, such as `--tree`; `nil` where
  /// nothing helps.
  func need(of column: String) -> Sentence?
  /// Rows to print at most, the first ones by the order asked for; one more adds up the others. `nil` prints all.
  var top: Int? { get }
  /// The column whose largest values are the first for ``top`` where no order was asked for.
  static var rank: String { get }
  func rows(from source: Source) throws -> Rows<Row>
  /// The rows with some parts of the answer; what is made of others is not looked at.
  func rows(from source: Source, for parts: AnswerParts) throws -> Rows<Row>
}

extension Report {
  package static var command: String { "report \(name)" }
  package static var path: String { "/v1/reports/\(name)" }
  package static var isStreamed: Bool { false }
  package static var discussion: [String] { [] }
  package static var details: [DetailHeader] { [] }
  package static var pageSize: Int? { nil }
  package static var isCheck: Bool { false }
  package static var rank: String { "" }
  package var shownColumns: [Column<Row>] { Self.columns }
  package func need(of column: String) -> Sentence? { nil }
  package var top: Int? { nil }
  package func rows(from source: Source, for parts: AnswerParts) throws -> Rows<Row> {
    try rows(from: source)
  }
}

/// The rows of an answer, held or still to come, and what follows them.
package struct Rows<Row: Sendable> {
  /// Asks for the rows behind a place, until the body returns false.
  typealias Each = (_ place: String?, _ body: (Row) -> Bool) throws -> Void

  let held: [Row]
  let total: Row?
  let place: @Sendable (Row) -> String
  private let source: Each?
  private let counting: (() throws -> Int)?
  /// Sentences that a reader needs to understand the rows.
  package var notes: [Sentence] = []
  /// The note where there is no row at all, and what may help.
  package var noteIfEmpty: Sentence?
  package var details: [Table] = []
  /// Rows that together have every key of a family; `nil` where only all held rows do.
  package var keyed: [Row]?
  /// Lines below the table for people, once its rows have come; programs have all that is in them in columns.
  package var linesForPeople: () -> [String] = { [] }
  package var isCheckFailed = false
  /// Adds up rows in one; of reports that have ``Report/top``.
  package var sum: (([Row]) -> Row)?
  /// How deep a row is in an outline, where the parts of a row come directly behind it; `nil` where no row has parts.
  package var depth: ((Row) -> Int)?

  private init(
    held: [Row], total: Row?, place: @escaping @Sendable (Row) -> String, source: Each?,
    counting: (() throws -> Int)? = nil
  ) {
    (self.held, self.total, self.place, self.source) = (held, total, place, source)
    self.counting = counting
  }
}

extension Rows {
  func with(_ rows: [Row]) -> Self {
    var other = Self.held(rows, total: total, key: place)
    other.notes = notes
    other.noteIfEmpty = noteIfEmpty
    other.details = details
    other.keyed = keyed ?? (isHeld ? held : nil)
    other.linesForPeople = linesForPeople
    other.isCheckFailed = isCheckFailed
    other.depth = depth
    return other
  }

  /// Rows that are all known; a page begins behind the row that has the cursor's key.
  package static func held(
    _ rows: [Row], total: Row? = nil, key: @escaping @Sendable (Row) -> String = { _ in "" }
  ) -> Self {
    Self(held: rows, total: total, place: key, source: nil)
  }

  var isHeld: Bool { source == nil }

  /// The first of the held rows behind a place.
  ///
  /// - Throws: ``ParameterError`` where no row is at that place.
  func start(behind place: String?) throws -> Int {
    guard let place else { return 0 }
    guard let last = held.firstIndex(where: { self.place($0) == place }) else {
      throw ParameterError.staleCursor
    }
    return last + 1
  }

  /// Asks for the rows behind a place until the body returns false; `start` is where held rows are known to go on.
  package func each(_ place: String? = nil, from start: Int? = nil, _ body: (Row) -> Bool) throws {
    if let source { return try source(place, body) }
    let first = try start ?? self.start(behind: place)
    for row in held[first...] where !body(row) { return }
  }

  /// How many rows there are; `nil` for those of a stream that cannot count them without reading them.
  package func count() throws -> Int? { try isHeld ? held.count : counting?() }

  /// So many rows at most behind the first ones, without those that follow.
  package func part(from start: Int = 0, most: Int = .max) throws -> [Row] {
    if isHeld { return Array(held.dropFirst(start).prefix(most)) }
    var part: [Row] = []
    var passed = 0
    try each(nil) { row in
      if passed < start { passed += 1 } else { part.append(row) }
      return part.count < most
    }
    return part
  }

  /// Rows that come one by one, each at a place behind which a page can begin.
  ///
  /// - Parameter count: Counts them, where that is less than to read them.
  package static func stream<Place: LosslessStringConvertible & SendableMetatype>(
    place: @escaping @Sendable (Row) -> Place, count: (() throws -> Int)? = nil,
    _ each: @escaping (_ after: Place?, _ body: (Row) -> Bool) throws -> Void
  ) -> Self {
    Self(
      held: [], total: nil, place: { place($0).description },
      source: { text, body in
        let after = text.flatMap { Place($0) }
        if text != nil, after == nil { throw ParameterError.staleCursor }
        try each(after, body)
      }, counting: count)
  }
}

extension ParameterError {
  static let staleCursor = ParameterError(
    "cursor", Sentence("found what no page of this report named as next; begin without it."))
}

/// A further table of a report, by its name and columns.
package struct Detail<Row: Sendable>: Sendable {
  package let name: String
  private let columns: [Column<Row>]
  private let mostForPeople: Int?

  package init(_ name: String, _ columns: [Column<Row>], mostForPeople: Int? = nil) {
    self.name = name
    self.columns = columns
    self.mostForPeople = mostForPeople
  }

  package var header: DetailHeader { DetailHeader(name: name, headers: columns.map(\.header)) }

  package func table(_ rows: [Row]) -> Table {
    // Its cells are made when a format prints it: there can be more of them than of the report's own rows.
    let sheet = Sheet(columns.flatMap { $0.expanded(over: rows) })
    var table = Table(name: name, headers: sheet.headers, rows: TableRows(rows, sheet), total: nil)
    table.mostForPeople = mostForPeople
    return table
  }

  /// The rows that ``table(_:)`` made one of these tables of; none where it made none of them.
  func rows(in tables: [Table]) -> [Row] {
    tables.first { $0.name == name }?.rows.rows(of: Row.self) ?? []
  }
}

/// What is known of a further table without any row.
package struct DetailHeader: Equatable, Sendable {
  package let name: String
  package let headers: [Header]
}
