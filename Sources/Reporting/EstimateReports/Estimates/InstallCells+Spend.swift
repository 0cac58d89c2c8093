import Values

extension InstallCells {
  /// The share of a day's postbacks from which on it counts as arrived.
  static let arrivedShare = 0.95

  /// What is known of the spend for a campaign's installs of a day whose installs are known, too.
  func spendState(of campaign: EstimatedCampaign, on day: Day, _ paid: PaidDays?) -> PaidDays.State {
    guard let paid, knownDays[campaign.app]?.contains(day) ?? false else { return .unknown }
    let state = paid.state(of: campaign.whole, on: day)
    // Networks list days of a paused campaign with nothing: no return waits for the postbacks of such a day.
    guard state == .nothing else { return state }
    return completeness[campaign.app]?[day] ?? 0 < Self.arrivedShare ? .unknown : .nothing
  }

  /// Whether a campaign's installs of a day can be compared with spend in a currency.
  func isCompared(
    _ campaign: EstimatedCampaign, on day: Day, _ paid: PaidDays?, in currency: CurrencyCode?
  ) -> Bool {
    switch spendState(of: campaign, on: day, paid) {
    case .unknown, .several: false
    case .nothing: true
    case .paid(let paid): paid == currency
    }
  }
}

/// Days of a campaign that are in the same rows, and of whose spend the same is known.
struct SpendPlace: Hashable {
  let day: Day
  let state: PaidDays.State
}

/// Days that count together, each under the first that was asked for.
struct SharedDays<Place: Hashable> {
  private var days: [Place: Day] = [:]

  mutating func first(of place: Place, _ day: Day) -> Day {
    if let known = days[place] { return known }
    days[place] = day
    return day
  }
}
