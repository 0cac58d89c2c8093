public import Postbacks
import SQLite

/// Which stored postbacks a page of those stored last holds.
public struct PostbackSearch: Sendable {
  /// Environment, moments of arrival, apps and networks.
  public var query: PostbackQuery
  /// The campaign's digits; `nil` for all.
  public var campaign: String?
  /// How many last digits of a source identifier ``campaign`` has to be; `nil` where it is all of them.
  public var digits: Int?
  /// The window; `nil` for all.
  public var window: ConversionWindow?
  /// The value that the postback claims; `nil` for all.
  ///
  /// None is a value that was withheld: assists, which never carry one, are left out unless ``outcome`` asks for them.
  public var value: ConversionValue?
  /// What happened; `nil` for all.
  public var outcome: Outcome?

  public init(_ query: PostbackQuery) { self.query = query }
}

extension LedgerReader {
  /// Postbacks from the one stored last on, in an order that needs no index: that of the rows.
  ///
  /// - Parameters:
  ///   - row: The row before which they are; `nil` for those stored last.
  ///   - limit: How many at most.
  /// - Complexity: Linear in the number of rows up to the last one that fits.
  public func newestPostbacks(
    _ search: PostbackSearch, before row: Int64? = nil, atMost limit: Int
  ) throws(LedgerError) -> [PostbackRow] {
    guard var conditions = try conditions(of: search.query) else { return [] }
    if let row { conditions += " AND p.id < \(row)" }
    if let window = search.window { conditions += " AND p.window = \(window.rawValue)" }
    if let outcome = search.outcome { conditions += " AND p.outcome = \(outcome.code)" }
    if search.value == .absent, search.outcome == nil {
      conditions += " AND p.outcome <> \(Outcome.assist.code)"
    }
    if let value = search.value { conditions += " AND p.value IS \(value.code.map { "\($0)" } ?? "NULL")" }
    if search.campaign != nil {
      // Only SKAdNetwork 4 and later have source identifiers, whose last digits are shared.
      let shortened = search.digits.map {
        " OR p.version >= \(ProtocolVersion.v4_0.code) AND substr(p.campaign, -\(max(1, $0))) = ?1"
      }
      conditions += " AND (p.campaign = ?1\(shortened ?? ""))"
    }
    let sql = """
      SELECT p.id, p.received_at, p.origin, p.version, p.network, p.app, p.campaign, p.window, p.outcome,
        p.interaction, p.value, p.country, p.identifier, p.publisher, p.marketplace
      FROM postback p NOT INDEXED WHERE \(conditions) ORDER BY p.id DESC LIMIT \(max(0, limit))
      """
    let origins = try origins()
    let (publishers, marketplaces) = (try names(in: .publisher), try names(in: .marketplace))
    let statement = try connection.prepare(sql)
    if let campaign = search.campaign { try statement.bind(campaign, at: 1) }
    var found: [PostbackRow] = []
    try statement.forEachRow { row in
      let postback = PostbackRow(
        row, environment: search.query.environment, origins: origins, networks: self.networks,
        publishers: publishers, marketplaces: marketplaces)
      if let postback { found.append(postback) }
    }
    return found
  }
}
