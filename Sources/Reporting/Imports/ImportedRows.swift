package import Arguments
package import Campaigns
package import Ledger
package import Postbacks
package import Tables
package import Values

/// Which imported rows of a kind are listed or removed.
package protocol ImportedRows: Query, Equatable, SendableMetatype {
  associatedtype Row: Sendable
  /// The first word of its commands, such as `spend`.
  static var word: String { get }
  static var name: String { get }
  /// Rows of the kind with their count, such as `1 rate` and `2,000 rates`.
  static func noun(_ count: Int) -> Sentence
  /// The rows of the kind, such as `rates`.
  static var nouns: Sentence { get }
  static var listing: String { get }
  static var columns: [Column<Row>] { get }
  static func key(_ row: Row) -> String
  func rows(in reader: LedgerReader) throws(LedgerError) -> [Row]
  /// The same rows, which a kind of many gives while they are read.
  func listed(in reader: LedgerReader) throws(LedgerError) -> Rows<Row>
  static func remove(_ rows: [Row], from store: ReferenceStore) throws -> Int
}

extension ImportedRows {
  package static var name: String { word }

  package func listed(in reader: LedgerReader) throws(LedgerError) -> Rows<Row> {
    .held(try rows(in: reader), key: Self.key)
  }
}

extension ImportedRows where Row: ReferenceRow {
  package static func key(_ row: Row) -> String { Row.table.keyText(of: row) }

  package static func remove(_ rows: [Row], from store: ReferenceStore) throws -> Int {
    try store.remove(rows)
  }
}

package struct ImportedListing<Filter: ImportedRows>: Report {
  package var filter = Filter()

  package init() {}

  package static var name: String { Filter.name }
  package static var command: String { "\(Filter.word) list" }
  package static var path: String { "/v1/\(Filter.word)" }
  package static var summary: String { Filter.listing }
  package static var examples: [Command.Example] {
    [.init("List for a spreadsheet", "skan \(command) -d skan.db --format csv")]
  }
  package static var pageSize: Int? { 10_000 }
  package static var parameters: [Parameter<Self>] { Parameter.all(of: \.filter) }
  package static var columns: [Column<Filter.Row>] { Filter.columns }

  package func rows(from source: ReportSource) throws -> Rows<Filter.Row> {
    var rows = try filter.listed(in: source.reader)
    rows.noteIfEmpty = Sentence(
      "no \(Filter.nouns); import them with `skan \(code: Filter.word) import`")
    return rows
  }
}

extension Period where Bound == Day {
  /// Whether days have one in common with the period.
  func overlaps(_ first: Day, _ end: Day?) -> Bool {
    (to.map { first < $0 } ?? true) && (from.map { from in end.map { from < $0 } ?? true } ?? true)
  }
}

package struct ImportScope: Query, Equatable {
  package var networks: [AdNetworkID] = []
  package var campaign: String?

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("network", \.networks, "Ad networks to include.", as: .init(defaultNote: "all")),
    .init("campaign", \.campaign, "Campaign to include, as the file has it.", as: .init(defaultNote: "all")),
  ]

  func allows(_ network: String, _ campaign: String) -> Bool {
    (networks.isEmpty || networks.contains { $0.canonical == network })
      && (self.campaign.map { $0 == campaign } ?? true)
  }
}
