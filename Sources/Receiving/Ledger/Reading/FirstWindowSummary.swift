public import Postbacks
public import Values

/// Winning first-window postbacks of all campaigns of an app that came in one hour with one value, or with none.
public struct FirstWindowArrivals: Hashable, Sendable {
  public let app: AppID
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// Whether their network is one of those that were asked for.
  public let isOfNetworks: Bool
  public let hour: Instant
  public let value: ConversionValue
  public let postbacks: Int64
}

/// First-window postbacks of everything that is stored, without their campaigns.
public struct FirstWindowSummary: Hashable, Sendable {
  /// The postbacks, sorted by app, version, outcome, network and hour.
  public let arrivals: [FirstWindowArrivals]
  /// How many campaigns have any; those of source identifiers are distinguished by their last two digits.
  public let campaigns: Int
  /// From the first through the last UTC day of arrival.
  public let days: Int
}

extension LedgerReader {
  /// Winning first-window postbacks of all days, by hour of arrival.
  ///
  /// - Parameters:
  ///   - environment: Whose keys signed them.
  ///   - networks: The networks whose postbacks are distinguished from those of others; none for all.
  public func firstWindowSummary(
    _ environment: Environment, of networks: [AdNetworkID]
  ) throws(LedgerError) -> FirstWindowSummary {
    let counts = try firstWindowCounts(CampaignQuery(environment: environment), digits: 2)
    let wanted = Set(networks.map(\.canonical))
    // By whether the network was asked for, then by kind.
    var sums = [[Int64]](repeating: [Int64](repeating: 0, count: counts.kinds.count), count: 2)
    for (place, campaign) in counts.campaigns.enumerated() {
      let isWanted = wanted.isEmpty || wanted.contains(campaign.network)
      counts.forEach(ofCampaign: place) { sums[isWanted ? 1 : 0][$0] += $1 }
    }
    var arrivals: [FirstWindowArrivals] = []
    for (isWanted, sums) in zip([false, true], sums) {
      for (kind, postbacks) in zip(counts.kinds, sums) where postbacks > 0 {
        arrivals.append(
          FirstWindowArrivals(
            app: kind.app, version: kind.version, outcome: kind.outcome, isOfNetworks: isWanted,
            hour: kind.hour, value: kind.value, postbacks: postbacks))
      }
    }
    arrivals.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
    let hours = arrivals.lazy.map(\.hour)
    var days = 0
    if let first = hours.min(), let last = hours.max() {
      days = Int(last.day.number - first.day.number) + 1
    }
    return FirstWindowSummary(arrivals: arrivals, campaigns: counts.campaigns.count, days: days)
  }
}

extension FirstWindowArrivals {
  fileprivate var rank: [Int64] {
    [app.number, version.code, outcome.code, isOfNetworks ? 1 : 0, hour.milliseconds, value.slot]
  }
}
