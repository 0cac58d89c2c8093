import Mappings
public import Values

/// What came of a population; parts can be merged in any order, with the same result.
public struct SimulationOutcome: Equatable, Sendable {
  /// The currency of every sum but ``otherRevenue``.
  public let currency: CurrencyCode
  /// By the campaign's name.
  public internal(set) var campaigns: [String: CampaignOutcome] = [:]
  /// Users of no campaign; they have no postback.
  public internal(set) var organicUsers = 0
  /// Their revenue within the horizon.
  public internal(set) var organicRevenue = MoneySum.zero
  /// Total revenue of all users in other currencies.
  public internal(set) var otherRevenue: [CurrencyCode: MoneySum] = [:]

  public init(currency: CurrencyCode) { self.currency = currency }

  public var total: CampaignOutcome {
    campaigns.values.reduce(into: CampaignOutcome()) { $0.merge($1) }
  }

  /// Adds what came of other users under the same configuration.
  public mutating func merge(_ other: SimulationOutcome) {
    campaigns.merge(other.campaigns) { mine, theirs in
      var sum = mine
      sum.merge(theirs)
      return sum
    }
    organicUsers += other.organicUsers
    organicRevenue += other.organicRevenue
    otherRevenue.merge(other.otherRevenue) { $0 + $1 }
  }
}
