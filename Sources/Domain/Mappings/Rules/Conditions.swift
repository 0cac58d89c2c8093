import Postbacks
public import Values

/// How often an event has to have happened, both ends included; never empty.
public struct CountRange: Hashable, Sendable {
  /// The fewest times, from 0.
  public let min: Int
  /// The most times; `nil` when any number above ``min`` is enough.
  public let max: Int?

  /// At least once.
  public static let atLeastOnce = CountRange(least: 1, most: nil)

  /// Joins two ends; `nil` unless 0 ≤ `min` ≤ `max`.
  public init?(min: Int, max: Int?) {
    guard min >= 0, max.map({ $0 >= min }) ?? true else { return nil }
    self.init(least: min, most: max)
  }

  private init(least: Int, most: Int?) {
    min = least
    max = most
  }

  /// Whether that many times are enough and not too many.
  public func contains(_ count: Int) -> Bool { count >= min && max.map { count <= $0 } ?? true }
}

/// Hours since install, half-open: `[from, to)`; never empty.
public struct HourRange: Hashable, Sendable {
  /// The first hour.
  public let from: Int
  /// The hour behind the last one.
  public let to: Int

  /// The longest time any timer of Apple's can run: a SKAdNetwork 3 chain and the timer after it.
  public static let longest = Int((AppleTimers.longestChain + AppleTimers.riseTimer) / Hour.seconds)

  /// Joins two ends; `nil` unless 0 ≤ `from` < `to` ≤ ``longest``.
  public init?(from: Int, to: Int) {
    guard from >= 0, from < to, to <= Self.longest else { return nil }
    self.from = from
    self.to = to
  }

  /// Whether a moment lies in the range.
  public func contains(secondsSinceInstall seconds: Int64) -> Bool {
    Int64(from) * Hour.seconds <= seconds && seconds < Int64(to) * Hour.seconds
  }
}

/// A range that a sum of money has to lie in, and what is counted for users in it.
public struct RevenueCondition: Hashable, Sendable {
  /// The range of the sum since install.
  public let range: AmountRange
  /// The currency of all amounts; sums of other currencies are not looked at.
  public let currency: CurrencyCode
  /// What is counted at least; `nil` when the range has no lower end.
  public let low: Amount?
  /// What is counted for one conversion; `nil` when the range has no upper end and no amount was stated.
  public let representative: Amount?
  /// What is counted at most; `nil` when the range has no upper end.
  public let high: Amount?

  /// Joins a range with its worth.
  ///
  /// Where no amount is stated, low and high are the ends of the range and the representative is its middle; `nil`
  /// unless low ≤ representative ≤ high.
  public init?(
    _ range: AmountRange, _ currency: CurrencyCode, low: Amount? = nil, representative: Amount? = nil,
    high: Amount? = nil
  ) {
    self.range = range
    self.currency = currency
    self.low = low ?? range.lower.amount
    self.high = high ?? range.upper.amount
    self.representative = representative ?? Self.middle(self.low, self.high)
    let steps = [self.low, self.representative, self.high].compactMap { $0 }
    guard zip(steps, steps.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
  }

  private static func middle(_ low: Amount?, _ high: Amount?) -> Amount? {
    guard let low, let high else { return nil }
    return AmountRange(lower: .closed(low), upper: .closed(high))?.middle
  }
}

public struct EventCondition: Hashable, Sendable {
  /// The event's name, compared letter by letter.
  public let name: String
  public let count: CountRange
  /// The revenue that all its occurrences together must have.
  public let revenue: RevenueCondition?

  public init(name: String, count: CountRange = .atLeastOnce, revenue: RevenueCondition? = nil) {
    self.name = name
    self.count = count
    self.revenue = revenue
  }
}

/// What has to be true of a user and a conversion for a rule to apply; all parts together.
public struct Conditions: Hashable, Sendable {
  public let events: [EventCondition]
  /// The revenue that all events together must have.
  public let revenue: RevenueCondition?
  /// When the user's last activity has to have been.
  public let activeHours: HourRange?
  public let conversionTypes: ConversionTypes

  public init(
    events: [EventCondition] = [], revenue: RevenueCondition? = nil, activeHours: HourRange? = nil,
    conversionTypes: ConversionTypes = .all
  ) {
    self.events = events
    self.revenue = revenue
    self.activeHours = activeHours
    self.conversionTypes = conversionTypes
  }

  /// Every condition on money, the total's last.
  public var revenues: [RevenueCondition] { events.compactMap(\.revenue) + (revenue.map { [$0] } ?? []) }

  func hold(for totals: Totals, at seconds: Int64, of type: ConversionType = .install) -> Bool {
    guard conversionTypes.contains(type) else { return false }
    if let activeHours, !activeHours.contains(secondsSinceInstall: seconds) { return false }
    if let revenue, !revenue.range.contains(totals.revenue[revenue.currency] ?? .zero) { return false }
    for event in events {
      let total = totals.events[event.name]
      guard event.count.contains(total?.count ?? 0) else { return false }
      if let revenue = event.revenue, !revenue.range.contains(total?.revenue[revenue.currency] ?? .zero) {
        return false
      }
    }
    return true
  }
}
