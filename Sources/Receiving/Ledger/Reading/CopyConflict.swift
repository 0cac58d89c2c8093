public import Postbacks
import SQLite
public import Values

/// Two valid copies of one conversion that disagree.
public struct CopyConflict: Sendable {
  public let row: Int64
  /// The row of the copy that disagrees; later ones have greater ones.
  public let copy: Int64
  /// `transaction-id` or `postback-identifier`.
  public let identifier: String
  /// The network, in lower case.
  public let network: String
  public let app: AppID
  /// The campaign's digits in the first copy.
  public let campaign: String
  public let window: ConversionWindow
  public let fields: [String]
  public struct Copy: Sendable {
    /// When it came first.
    public let receivedAt: Instant
    public let origin: Origin
    /// Its bytes, as they came; `nil` for copies beyond the quota, which are only counted.
    public let body: [UInt8]?
  }
  public let first: Copy
  public let other: Copy
  /// How often the other copy came; where its bytes are not kept, how many copies with these fields came.
  public let times: Int64
}

/// How many conversions of a network have two copies, and how many of those disagree.
public struct CopyConflictRate: Equatable, Sendable {
  /// The network, in lower case.
  public let network: String
  /// Conversions of which there is more than one copy.
  public let copied: Int64
  /// Those of them whose copies disagree.
  public let contradicted: Int64
  /// Conflicting copies beyond the quota, whose bytes are not kept.
  public let countedOnly: Int64
}

extension LedgerReader {
  /// Visits every conflict, in the order of the conversions.
  ///
  /// - Parameters:
  ///   - query: Which conversions, by their first copy.
  ///   - place: The rows of a conversion and of its other copy, behind which the visit begins.
  ///   - visit: Takes a conflict; `false` ends the visit.
  public func forEachContradiction(
    _ query: PostbackQuery, after place: (row: Int64, copy: Int64) = (0, 0),
    _ visit: (CopyConflict) -> Bool
  ) throws(LedgerError) {
    try requireBodies()
    guard let conditions = try conditions(of: query) else { return }
    let origins = try origins()
    // The few conflicts come first, and each finds its conversion by key.
    let statement = try connection.prepare(
      """
      SELECT p.id, p.identifier, p.network, p.app, p.campaign, p.window, s.conflict,
        p.received_at, p.origin, p.body, s.received_at, s.origin, s.body, s.times, s.id, s.digest IS NULL
      FROM postback_copy s CROSS JOIN postback p ON p.id = s.postback
      WHERE s.conflict IS NOT NULL AND (s.postback, s.id) > (\(place.row), \(place.copy)) AND \(conditions)
      ORDER BY s.postback, s.id
      """)
    try statement.readRows { row in
      guard let app = AppID(row.count(3)), let window = ConversionWindow(rawValue: Int(row.count(5))) else {
        return true
      }
      let body = row.bytes(9)
      return visit(
        CopyConflict(
          row: row.count(0), copy: row.count(14), identifier: row.text(1) ?? "",
          network: self.networks[row.count(2)] ?? "",
          app: app, campaign: row.text(4) ?? "", window: window,
          fields: (row.text(6) ?? "").split(separator: ",").map(String.init),
          first: CopyConflict.Copy(
            receivedAt: Instant(milliseconds: row.count(7)), origin: origins[row.count(8)] ?? Origin(.file),
            body: body),
          other: CopyConflict.Copy(
            receivedAt: Instant(milliseconds: row.count(10)),
            origin: origins[row.count(11)] ?? Origin(.file),
            body: row.isNull(12) ? (row.count(15) == 0 ? nil : body) : row.bytes(12)),
          times: row.count(13)))
    }
  }

  /// How often each network's copies disagree, by network.
  public func copyConflictRates(_ query: PostbackQuery) throws(LedgerError) -> [CopyConflictRate] {
    guard let conditions = try conditions(of: query) else { return [] }
    var rates: [CopyConflictRate] = []
    try connection.prepare(
      """
      SELECT p.network, count(DISTINCT p.id), count(DISTINCT CASE WHEN s.conflict IS NOT NULL THEN p.id END),
        sum(iif(s.conflict IS NOT NULL AND s.digest IS NOT NULL AND s.body IS NULL, s.times, 0))
      FROM postback_copy s CROSS JOIN postback p ON p.id = s.postback WHERE \(conditions) GROUP BY p.network
      """
    ).forEachRow { row in
      rates.append(
        CopyConflictRate(
          network: self.networks[row.count(0)] ?? "", copied: row.count(1), contradicted: row.count(2),
          countedOnly: row.count(3)))
    }
    return rates.ordered { $0.network < $1.network }
  }
}
