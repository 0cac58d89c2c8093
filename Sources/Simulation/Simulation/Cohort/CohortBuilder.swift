public import Mappings
public import Values

/// Gathers users as plain values and makes a cohort of them; for small populations and tests.
public struct CohortBuilder {
  private var names = CohortNames()
  private var eventNumbers: [String: Int32] = [:]
  private var currencyNumbers: [CurrencyCode: Int32] = [:]
  private var campaignNumbers: [String: Int32] = [:]
  private var originNumbers: [UserOrigin: Int32] = [:]
  private var tagNumbers: [String: Int32] = [:]
  private var events: [CohortEvent] = []
  private var users: [CohortUser] = []

  public init() {}

  /// Adds a user with all events, in any order; times beyond the range of 32 bits are held at its ends.
  ///
  /// - Parameters:
  ///   - name: The user's name, which decides the random draws.
  ///   - installed: When the app was launched first; held within ``Cohort/installs``.
  ///   - campaign: The campaign; `nil` for an organic user.
  ///   - origin: Where the user came from.
  public mutating func add(
    user name: String, installed: Instant, campaign: String?, origin: UserOrigin = .unknown,
    events list: [UserEvent]
  ) {
    let start = Int32(events.count)
    let order = list.indices.sorted {
      (list[$0].secondsSinceInstall, $0) < (list[$1].secondsSinceInstall, $1)
    }
    for event in order.map({ list[$0] }) {
      events.append(
        CohortEvent(
          secondsSinceInstall: Int32(clamping: event.secondsSinceInstall), name: number(ofEvent: event.name),
          currency: event.revenue.map { number(of: $0.currency) } ?? -1, micros: event.revenue?.micros ?? 0,
          tag: event.conversionTag.map { number(ofTag: $0) } ?? -1))
    }
    users.append(
      CohortUser(
        key: Cohort.key(of: name),
        installed: min(max(installed, Cohort.installs.lowerBound), Cohort.installs.upperBound),
        campaign: campaign.map { number(ofCampaign: $0) } ?? -1,
        origin: origin == .unknown ? -1 : number(of: origin),
        events: start..<Int32(events.count)))
  }

  /// Returns the cohort of all users added so far.
  public func cohort() -> Cohort {
    guard let cohort = Cohort(names: names, events: events, users: users) else {
      preconditionFailure("Every index was made here.")
    }
    return cohort
  }

  private mutating func number(ofEvent name: String) -> Int32 {
    if let number = eventNumbers[name] { return number }
    names.events.append(name)
    eventNumbers[name] = Int32(names.events.count - 1)
    return Int32(names.events.count - 1)
  }

  private mutating func number(of currency: CurrencyCode) -> Int32 {
    if let number = currencyNumbers[currency] { return number }
    names.currencies.append(currency)
    currencyNumbers[currency] = Int32(names.currencies.count - 1)
    return Int32(names.currencies.count - 1)
  }

  private mutating func number(of origin: UserOrigin) -> Int32 {
    if let number = originNumbers[origin] { return number }
    originNumbers[origin] = Int32(names.origins.count)
    names.origins.append(origin)
    return Int32(names.origins.count - 1)
  }

  private mutating func number(ofTag tag: String) -> Int32 {
    if let number = tagNumbers[tag] { return number }
    tagNumbers[tag] = Int32(names.tags.count)
    names.tags.append(tag)
    return Int32(names.tags.count - 1)
  }

  private mutating func number(ofCampaign name: String) -> Int32 {
    if let number = campaignNumbers[name] { return number }
    names.campaigns.append(name)
    campaignNumbers[name] = Int32(names.campaigns.count - 1)
    return Int32(names.campaigns.count - 1)
  }
}
