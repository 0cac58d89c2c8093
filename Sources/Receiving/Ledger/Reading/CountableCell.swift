public import Postbacks
import SQLite
public import Values
import Verification

/// Conversions, copies or rejected bodies that every way of counting treats alike.
public struct CountableCell: Equatable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Conversions, by their first copy.
    case conversion(Environment)
    /// Further valid copies of conversions, each time they came.
    case copy(Environment)
    /// Kept bodies that were rejected, by what they claim.
    case rejected
  }

  public let kind: Kind
  /// The UTC day of arrival.
  public let day: Day
  /// The network, in lower case.
  public let network: String
  public let campaign: String
  /// Whether the campaign is a source identifier, of which fewer digits may have come.
  public let isSourceIdentifier: Bool
  public let window: ConversionWindow
  public let outcome: Outcome
  /// Whether it has a value that a device can have set.
  public let hasValue: Bool
  /// Whether the ad was seen and not clicked, as far as postbacks show it.
  public let isView: Bool
  public let count: Int64

  public init(
    kind: Kind, day: Day, network: String, campaign: String, isSourceIdentifier: Bool = true,
    window: ConversionWindow = .first, outcome: Outcome = .install, hasValue: Bool = true,
    isView: Bool = false, count: Int64
  ) {
    self.kind = kind
    self.day = day
    self.network = network
    self.campaign = campaign
    self.isSourceIdentifier = isSourceIdentifier
    self.window = window
    self.outcome = outcome
    self.hasValue = hasValue
    self.isView = isView
    self.count = count
  }
}

extension LedgerReader {
  /// Visits what can be counted in a range of UTC days, of all environments and of what was rejected.
  ///
  /// - Parameters:
  ///   - networks: The networks that count, in lower case.
  public func forEachCountableCell(
    in days: Range<Day>, of networks: Set<String>, _ visit: (CountableCell) -> Void
  ) throws(LedgerError) {
    let ids = self.networks.filter { networks.contains($0.value) }.map { String($0.key) }
      .joined(separator: ", ")
    let (from, to) = (days.lowerBound.start.milliseconds, days.upperBound.start.milliseconds)
    for environment in Environment.allCases {
      try forEachConversion(environment, in: days, of: networks, visit)
    }
    try connection.prepare(
      """
      SELECT \(daySQL("s.received_at")), p.network, p.campaign, p.version, p.window, p.outcome,
        p.value IS NOT NULL AND p.value >= 0, p.environment, p.interaction IS 0, sum(s.times)
      FROM postback_copy s CROSS JOIN postback p ON p.id = s.postback
      WHERE s.received_at >= \(from) AND s.received_at < \(to) AND p.network IN (\(ids))
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
      """
    ).forEachRow { row in
      guard let version: ProtocolVersion = decoded(row.integer(3), by: { $0.code }),
        let window = ConversionWindow(rawValue: Int(row.count(4))),
        let outcome: Outcome = decoded(row.integer(5), by: { $0.code }),
        let environment: Environment = decoded(row.integer(7), by: { $0.code })
      else { return }
      visit(
        CountableCell(
          kind: .copy(environment), day: Day(number: Int32(truncatingIfNeeded: row.count(0))),
          network: self.networks[row.count(1)] ?? "", campaign: row.text(2) ?? "",
          isSourceIdentifier: version.hasWindows, window: window, outcome: outcome,
          hasValue: row.count(6) != 0, isView: row.count(8) != 0, count: row.count(9)))
    }
    try connection.prepare(
      """
      SELECT \(daySQL("received_at")), body FROM rejected
      WHERE received_at >= \(from) AND received_at < \(to) AND state <> 'malformed'
      """
    ).forEachRow { row in
      guard let postback = PostbackReading(row.bytes(1)).postback else { return }
      let facts = postback.attested
      guard networks.contains(facts.network.canonical) else { return }
      visit(
        CountableCell(
          kind: .rejected, day: Day(number: Int32(truncatingIfNeeded: row.count(0))),
          network: facts.network.canonical, campaign: facts.campaign.text,
          isSourceIdentifier: facts.version.hasWindows, window: facts.window, outcome: facts.outcome,
          hasValue: (postback.claimed.value.code ?? -1) >= 0,
          isView: (facts.interaction ?? postback.claimed.interaction) == .view, count: 1))
    }
  }

  private func forEachConversion(
    _ environment: Environment, in days: Range<Day>, of networks: Set<String>,
    _ visit: (CountableCell) -> Void
  ) throws(LedgerError) {
    let query = CampaignQuery(
      environment: environment, from: days.lowerBound, to: days.upperBound,
      networks: networks.compactMap { AdNetworkID($0) }, dimensions: [.day, .network, .campaign])
    guard !networks.isEmpty, let (sum, codes) = try counted(query, .none) else { return }
    let kinds = (0..<sum.kinds.count).map { sum.kinds[$0] }
    for group in 0..<sum.groups.count {
      var counts: [UInt32: Int64] = [:]
      sum.runs.forEach(of: group) { kind, _, count in counts[kind, default: 0] += count }
      for (number, count) in counts.ordered(by: { $0.key < $1.key }) {
        let kind = kinds[Int(number)]
        visit(
          CountableCell(
            kind: .conversion(environment),
            day: Day(number: Int32(truncatingIfNeeded: sum.groups.code(group, 0))),
            network: codes.word(of: .network, sum.groups.code(group, 1)),
            campaign: codes.word(of: .campaign, sum.groups.code(group, 2)),
            isSourceIdentifier: kind.version.hasWindows, window: kind.window, outcome: kind.outcome,
            hasValue: kind.value != .absent && kind.value != .rejected, isView: kind.interaction == .view,
            count: count))
      }
    }
  }

  /// The campaigns of a network that any postback named, in any day and environment.
  ///
  /// - Parameter networks: The networks, in lower case.
  public func knownCampaigns(of networks: Set<String>) throws(LedgerError) -> [String: Set<String>] {
    let query = CampaignQuery(dimensions: [.network, .campaign])
    var known: [String: Set<String>] = [:]
    guard let (sum, codes) = try counted(query, .none, environments: Environment.allCases) else {
      return known
    }
    for group in 0..<sum.groups.count {
      let network = codes.word(of: .network, sum.groups.code(group, 0))
      guard networks.contains(network) else { continue }
      known[network, default: []].insert(codes.word(of: .campaign, sum.groups.code(group, 1)))
    }
    return known
  }
}
