import OpenSSL
import Postbacks
import SQLite
import Values
import Verification

/// Writes and finds rows of the postback and postback_copy tables.
final class PostbackStore {
  private let insertPostback: LedgerStatement
  private let readPostback: LedgerStatement
  private let readCopies: LedgerStatement
  private let insertCopy: LedgerStatement
  private let repeatCopy: LedgerStatement

  /// Different copies of one conversion that are kept, and as many that disagree with it; someone who holds a genuine
  /// postback can make any number.
  static let keptCopies = 16
  /// The digest of copies that are only counted.
  private static let noDigest: [UInt8] = []

  /// Whether bodies are stored; otherwise ``BodyDigest`` is.
  var keepsBodies = true
  private let quota: CopyQuota
  private let quotaUse: QuotaUseStore

  init(_ connection: borrowing LedgerDatabase, quota: CopyQuota) throws(LedgerError) {
    self.quota = quota
    quotaUse = try QuotaUseStore(on: connection)
    insertPostback = try connection.prepare(
      "INSERT INTO postback(\(Column.names)) VALUES (\(Column.parameters))")
    readPostback = try connection.prepare(
      """
      SELECT environment, version, network, window, identifier, app, campaign, outcome, interaction, value, country,
        CASE WHEN length(body) IN (?2, \(BodyDigest.length)) THEN body END, origin
      FROM postback WHERE id = ?1
      """)
    // SQLite gives the length of a body without reading it.
    readCopies = try connection.prepare(
      "SELECT id, origin, conflict, digest, length(body) FROM postback_copy WHERE postback = ?1 ORDER BY id")
    insertCopy = try connection.prepare(
      """
      INSERT INTO postback_copy(postback, received_at, last_received_at, times, origin, conflict, digest, body)
      VALUES (?1, ?2, ?2, 1, ?3, ?4, ?5, ?6)
      """)
    repeatCopy = try connection.prepare(
      "UPDATE postback_copy SET times = times + 1, last_received_at = ?2 WHERE id = ?1")
  }

  /// Forgets what was read of the day, so that it is read from the file again.
  func reset() { quotaUse.reset() }

  /// The facts of a conversion's first copy, as far as another copy can repeat or disagree with it.
  struct FirstCopy {
    let row: Int64
    let origin: Int64
    let key: ConversionKeyRow
    let facts: FactsRow
    /// Whether the body that it was read beside is the same, byte for byte.
    let hasSameBody: Bool
  }

  /// What a first copy has; the raw value is the number of the parameter.
  private enum Column: Int32, CaseIterable {
    case fingerprint = 1
    case receivedAt, origin, environment, version, network, app, campaign, window, outcome, interaction, value
    case country, publisher, marketplace, identifier, body, digest

    private var name: String { self == .receivedAt ? "received_at" : "\(self)" }
    static var names: String { allCases.map(\.name).joined(separator: ", ") }
    static var parameters: String { allCases.map { "?\($0.rawValue)" }.joined(separator: ", ") }
  }

  /// Inserts the first copy of a conversion.
  func insert(
    _ postback: VerifiedPostback, of arrival: Arrival, fingerprint: UInt64, origin: Int64, network: Int64,
    publisher: Int64?, marketplace: Int64?, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> Int64 {
    let facts = FactsRow(of: postback)
    // One by one, because this is done for each postback that comes.
    func place(_ column: Column) -> Int32 { column.rawValue }
    try insertPostback.bind(Int64(bitPattern: fingerprint), at: place(.fingerprint))
    try insertPostback.bind(arrival.receivedAt.milliseconds, at: place(.receivedAt))
    try insertPostback.bind(origin, at: place(.origin))
    try insertPostback.bind(postback.environment.code, at: place(.environment))
    try insertPostback.bind(facts.version, at: place(.version))
    try insertPostback.bind(network, at: place(.network))
    try insertPostback.bind(facts.app, at: place(.app))
    try insertPostback.bind(facts.campaign, at: place(.campaign))
    try insertPostback.bind(Int64(postback.attested.window.rawValue), at: place(.window))
    try insertPostback.bind(facts.outcome, at: place(.outcome))
    try insertPostback.bind(facts.interaction, at: place(.interaction))
    try insertPostback.bind(facts.value, at: place(.value))
    try insertPostback.bind(facts.country, at: place(.country))
    try insertPostback.bind(publisher, at: place(.publisher))
    try insertPostback.bind(marketplace, at: place(.marketplace))
    try insertPostback.bind(postback.attested.id, at: place(.identifier))
    try insertPostback.bind(
      keepsBodies ? arrival.body : BodyDigest.bytes(of: arrival.digest), at: place(.body))
    try insertPostback.bind(
      StoredDigest.value(arrival.digest.bytes, with: arrival.receivedAt.milliseconds), at: place(.digest))
    try insertPostback.run()
    return connection.lastInsertedID
  }

  /// Reads back a conversion's first copy, and of its body no more than there is to compare with.
  func firstCopy(_ row: Int64, beside arrival: Arrival) throws(LedgerError) -> FirstCopy? {
    try readPostback.bind(row, at: 1)
    try readPostback.bind(Int64(arrival.body.count), at: 2)
    return try readPostback.firstRow { found in
      FirstCopy(
        row: row, origin: found.count(12),
        key: ConversionKeyRow(
          environment: found.count(0), isSKAN: found.count(1) != ProtocolVersion.adAttributionKit.code,
          network: found.count(2), window: found.count(3), identifier: found.text(4) ?? ""),
        facts: FactsRow(
          version: found.count(1), app: found.count(5), campaign: found.text(6) ?? "",
          outcome: found.count(7),
          interaction: found.integer(8), value: found.integer(9), country: found.text(10)),
        hasSameBody: !found.isNull(11) && BodyDigest.isOf(arrival, found.bytes(11)))
    }
  }

  /// Records a further copy; the same copy from the same origin only counts up.
  ///
  /// What it costs does not grow with the bodies that are kept: copies are compared by their digests.
  ///
  /// - Parameters:
  ///   - first: The conversion's first copy.
  ///   - origin: Where the further copy came from.
  ///   - conflict: The names of the fields that disagree with the first copy; `nil` for none.
  ///   - connection: The connection of this store.
  /// - Returns: The row of a copy that is kept; `nil` where it was only counted.
  func record(
    _ arrival: Arrival, of first: FirstCopy, origin: Int64, conflict: String?,
    on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> Int64? {
    let digest = first.hasSameBody ? nil : arrival.digest.bytes
    var same: Int64?
    // Conflicts have places of their own, so that harmless variants cannot displace them.
    var kept = (rows: 0, bytes: 0)
    var counted = (rows: 0, last: Int64(0), sameKind: Int64?.none)
    try readCopies.bind(first.row, at: 1)
    try readCopies.forEachRow { row in
      let found = row.isNull(3) ? nil : row.bytes(3)
      let isSameKind = row.count(1) == origin && row.text(2) == conflict
      if isSameKind, found == digest { same = row.count(0) }
      guard row.isNull(2) == (conflict == nil) else { return }
      if found == Self.noDigest {
        counted.rows += 1
        counted.last = row.count(0)
        if isSameKind { counted.sameKind = row.count(0) }
      } else {
        kept.rows += 1
        kept.bytes += Int(row.count(4))
      }
    }
    if let same {
      try repeatCopy(same, at: arrival.receivedAt)
      return nil
    }
    let bytes = (digest == nil ? 0 : arrival.body.count) + (arrival.form?.bytes.count ?? 0)
    let hasQuota = conflict != nil && arrival.origin.route != .file
    let sender = hasQuota ? arrival.quotaSource : nil
    if kept.rows < Self.keptCopies,
      try isWithinQuota(bytes, besides: kept.bytes, from: sender, on: arrival.receivedAt.day)
    {
      try insertCopy(
        arrival, of: first, origin, conflict, digest: digest, body: digest == nil ? nil : arrival.body)
      return connection.lastInsertedID
    }
    if let row = counted.sameKind ?? (counted.rows < Self.keptCopies ? nil : counted.last) {
      try repeatCopy(row, at: arrival.receivedAt)
    } else {
      try insertCopy(arrival, of: first, origin, conflict, digest: Self.noDigest, body: nil)
    }
    return nil
  }

  /// - Parameters:
  ///   - kept: Bytes of the same conversion's copies that are kept.
  ///   - sender: Whose quota they draw on; `nil` for no sender's.
  private func isWithinQuota(
    _ bytes: Int, besides kept: Int, from sender: String?, on day: Day
  ) throws(LedgerError) -> Bool {
    guard bytes > 0 else { return true }
    guard bytes <= quota.perConversion - kept else { return false }
    guard let sender else { return true }
    return try quotaUse.takes(bytes, ofAtMost: quota.perSender, from: sender, on: day)
  }

  private func repeatCopy(_ row: Int64, at time: Instant) throws(LedgerError) {
    try repeatCopy.bind(row, at: 1)
    try repeatCopy.bind(time.milliseconds, at: 2)
    try repeatCopy.run()
  }

  private func insertCopy(
    _ arrival: Arrival, of first: FirstCopy, _ origin: Int64, _ conflict: String?, digest: [UInt8]?,
    body: [UInt8]?
  ) throws(LedgerError) {
    try insertCopy.bind(first.row, at: 1)
    try insertCopy.bind(arrival.receivedAt.milliseconds, at: 2)
    try insertCopy.bind(origin, at: 3)
    try insertCopy.bind(conflict, at: 4)
    try insertCopy.bind(digest, at: 5)
    try insertCopy.bind(body, at: 6)
    try insertCopy.run()
  }
}

struct ConversionKeyRow: Equatable {
  let environment: Int64
  let isSKAN: Bool
  let network: Int64
  let window: Int64
  let identifier: String

  init(environment: Int64, isSKAN: Bool, network: Int64, window: Int64, identifier: String) {
    self.environment = environment
    self.isSKAN = isSKAN
    self.network = network
    self.window = window
    self.identifier = identifier
  }

  init(_ key: ConversionKey, network: Int64) {
    self.init(
      environment: key.environment.code, isSKAN: key.kind == .skan, network: network,
      window: Int64(key.window.rawValue), identifier: key.identifier)
  }

  /// Identifiers are bytes; Swift's own comparison would take equivalent spellings for equal.
  static func == (a: Self, b: Self) -> Bool {
    a.environment == b.environment && a.isSKAN == b.isSKAN && a.network == b.network && a.window == b.window
      && a.identifier.utf8.elementsEqual(b.identifier.utf8)
  }
}

struct FactsRow {
  let version: Int64
  let app: Int64
  let campaign: String
  let outcome: Int64
  let interaction: Int64?
  let value: Int64?
  let country: String?

  init(
    version: Int64, app: Int64, campaign: String, outcome: Int64, interaction: Int64?, value: Int64?,
    country: String?
  ) {
    self.version = version
    self.app = app
    self.campaign = campaign
    self.outcome = outcome
    self.interaction = interaction
    self.value = value
    self.country = country
  }

  init(of postback: VerifiedPostback) { self.init(attested: postback.attested, claimed: postback.claimed) }

  init(attested: AttestedFacts, claimed: ClaimedFacts) {
    self.init(
      version: attested.version.code, app: attested.advertisedApp.number, campaign: attested.campaign.text,
      outcome: attested.outcome.code, interaction: (attested.interaction ?? claimed.interaction)?.code,
      value: claimed.value.code, country: claimed.country.map(Country.word))
  }

  /// The fields in which another copy disagrees with this one.
  ///
  /// A relay that leaves the country or the interaction out does not disagree; a value that is there in one copy
  /// and missing in the other does, because both copies are of one moment.
  func contradictions(in other: FactsRow) -> [String] {
    var fields: [String] = []
    if version != other.version { fields.append("version") }
    if app != other.app { fields.append("app") }
    if campaign != other.campaign { fields.append("campaign") }
    if outcome != other.outcome { fields.append("outcome") }
    if value != other.value { fields.append("value") }
    if let interaction, let others = other.interaction, interaction != others { fields.append("interaction") }
    if let country, let others = other.country, country != others { fields.append("country") }
    return fields
  }
}
