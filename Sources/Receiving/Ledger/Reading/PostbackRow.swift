public import Postbacks
import SQLite
public import Values

/// Which stored postbacks an export holds.
public struct PostbackQuery: Sendable {
  /// Whose keys signed the postbacks.
  public var environment: Environment
  /// The first moment of arrival that counts; `nil` for no bound.
  public var from: Instant?
  /// The first moment of arrival that no longer counts; `nil` for no bound.
  public var to: Instant?
  /// The advertised apps that count; none for all.
  public var apps: [AppID]
  /// The networks that count; none for all.
  public var networks: [AdNetworkID]

  public init(
    environment: Environment = .production, from: Instant? = nil, to: Instant? = nil, apps: [AppID] = [],
    networks: [AdNetworkID] = []
  ) {
    self.environment = environment
    self.from = from
    self.to = to
    self.apps = apps
    self.networks = networks
  }
}

/// The facts of one stored postback, without its body.
public struct PostbackRow: Equatable, Sendable {
  /// Its row in the postback table; later arrivals have greater ones.
  public let row: Int64
  /// When the first copy came.
  public let receivedAt: Instant
  /// The way the first copy came.
  public let origin: Origin
  /// Whose key signed it.
  public let environment: Environment
  public let version: ProtocolVersion
  /// The network, in lower case.
  public let network: String
  public let app: AppID
  public let campaign: String
  public let window: ConversionWindow
  public let outcome: Outcome
  /// Whether the ad was seen or acted upon, where it is known.
  public let interaction: AdInteraction?
  public let value: ConversionValue
  /// The country as two letters, or `other`, where it is known.
  public let country: String?
  /// The App Store number or the domain of the publisher, where it is known.
  public let publisher: String?
  /// The marketplace that the app came from, where it is known.
  public let marketplace: String?
  /// `transaction-id` or `postback-identifier`.
  public let identifier: String

  /// The tier that the fields are of; see ``PostbackTier``.
  public var tier: PostbackTier? {
    PostbackTier(
      version: version, window: window, outcome: outcome, value: value, digits: campaign.utf8.count,
      hasDetail: publisher != nil || country != nil)
  }

  public init(
    row: Int64, receivedAt: Instant, origin: Origin, environment: Environment, version: ProtocolVersion,
    network: String, app: AppID, campaign: String, window: ConversionWindow, outcome: Outcome,
    interaction: AdInteraction?, value: ConversionValue, country: String?,
    publisher: String? = nil, marketplace: String? = nil, identifier: String
  ) {
    self.row = row
    self.receivedAt = receivedAt
    self.origin = origin
    self.environment = environment
    self.version = version
    self.network = network
    self.app = app
    self.campaign = campaign
    self.window = window
    self.outcome = outcome
    self.interaction = interaction
    self.value = value
    self.country = country
    self.publisher = publisher
    self.marketplace = marketplace
    self.identifier = identifier
  }
}

extension LedgerReader {
  /// The number of the last row of the postback table; 0 for none.
  public func lastPostbackRow() throws(LedgerError) -> Int64 {
    try connection.integer("SELECT max(id) FROM postback") ?? 0
  }

  /// Visits postbacks in the order of their rows.
  ///
  /// - Parameters:
  ///   - row: The row behind which the visit begins; 0 for the first one.
  ///   - visit: Takes a postback; `false` ends the visit.
  public func forEachPostback(
    _ query: PostbackQuery, after row: Int64 = 0, _ visit: (PostbackRow) -> Bool
  ) throws(LedgerError) {
    guard let conditions = try conditions(of: query) else { return }
    let origins = try origins()
    let (publishers, marketplaces) = (try names(in: .publisher), try names(in: .marketplace))
    let statement = try connection.prepare(
      """
      SELECT p.id, p.received_at, p.origin, p.version, p.network, p.app, p.campaign, p.window, p.outcome,
        p.interaction, p.value, p.country, p.identifier, p.publisher, p.marketplace
      FROM postback p NOT INDEXED WHERE p.id > \(row) AND \(conditions) ORDER BY p.id
      """)
    try statement.readRows { row in
      guard
        let found = PostbackRow(
          row, environment: query.environment, origins: origins, networks: self.networks,
          publishers: publishers, marketplaces: marketplaces)
      else { return true }
      return visit(found)
    }
  }

  /// The rows that postbacks of a question are among; `nil` when there are none.
  func rows(for query: PostbackQuery) throws(LedgerError) -> ClosedRange<Int64>? {
    let (from, to) = (query.from?.milliseconds ?? .min, query.to?.milliseconds ?? .max)
    guard from < to else { return nil }
    if from == .min, to == .max { return 0 ... .max }
    return try FactBlocks.rows(in: from..<to, on: connection)
  }

  /// The SQL that a postback `p` has to meet, of numbers of our own making; `nil` when none can.
  func conditions(of query: PostbackQuery) throws(LedgerError) -> String? {
    guard let networkRows = rows(of: query.networks), let apps = limit.apps(of: query.apps),
      let rows = try self.rows(for: query)
    else { return nil }
    var conditions = ["p.environment = \(query.environment.code)"]
    if rows.lowerBound > 0 { conditions.append("p.id >= \(rows.lowerBound)") }
    if rows.upperBound < .max { conditions.append("p.id <= \(rows.upperBound)") }
    if let from = query.from { conditions.append("p.received_at >= \(from.milliseconds)") }
    if let to = query.to { conditions.append("p.received_at < \(to.milliseconds)") }
    func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }
    if !apps.isEmpty { conditions.append("p.app IN (\(list(apps.map(\.number))))") }
    if let rows = networkRows.some { conditions.append("p.network IN (\(list(rows)))") }
    return conditions.joined(separator: " AND ")
  }

  func origins() throws(LedgerError) -> [Int64: Origin] {
    var origins: [Int64: Origin] = [:]
    try connection.prepare("SELECT id, route, name FROM origin").forEachRow { row in
      origins[row.count(0)] = Origin(Route(rawValue: row.text(1) ?? "") ?? .file, name: row.text(2) ?? "")
    }
    return origins
  }
}

extension PostbackRow {
  init?(
    _ row: borrowing Row, environment: Environment, origins: [Int64: Origin], networks: [Int64: String],
    publishers: [Int64: String], marketplaces: [Int64: String]
  ) {
    // Codes of a newer program can't be here, because its file would not have been opened.
    guard let version: ProtocolVersion = decoded(row.integer(3), by: { $0.code }),
      let app = AppID(row.count(5)), let window = ConversionWindow(rawValue: Int(row.count(7))),
      let outcome: Outcome = decoded(row.integer(8), by: { $0.code }),
      let value = ConversionValue(code: row.integer(10))
    else { return nil }
    self.row = row.count(0)
    receivedAt = Instant(milliseconds: row.count(1))
    origin = origins[row.count(2)] ?? Origin(.file)
    self.environment = environment
    self.version = version
    network = networks[row.count(4)] ?? ""
    self.app = app
    campaign = row.text(6) ?? ""
    self.window = window
    self.outcome = outcome
    interaction = decoded(row.integer(9)) { $0.code }
    self.value = value
    country = row.text(11)
    publisher = row.integer(13).flatMap { publishers[$0] }
    marketplace = row.integer(14).flatMap { marketplaces[$0] }
    identifier = row.text(12) ?? ""
  }
}
