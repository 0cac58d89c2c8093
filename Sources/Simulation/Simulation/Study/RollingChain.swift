import Mappings
import Postbacks
public import Values

/// How much revenue a value that only rises can follow for some days, when a timer of 24 hours may not run out.
///
/// The best mapping there could be: each 24 hours since install have values of their own, above those of the day
/// before, and within a day every rise of the sum is a greater value. What it loses, the timer alone loses.
public struct RollingChain: Equatable, Sendable {
  /// The figures of one length of the measured time.
  public struct Figures: Equatable, Sendable {
    /// The days since install that are measured, half-open.
    public let days: Int
    public fileprivate(set) var users = 0
    /// Users who did something within the days after the timer had run out.
    public fileprivate(set) var broken = 0
    /// Revenue of users within the days.
    public fileprivate(set) var revenue = MoneySum.zero
    /// The part of it while the timer ran.
    public fileprivate(set) var captured = MoneySum.zero

    /// The share of the revenue that came while the timer ran; `nil` without revenue.
    public var capturedShare: Double? { revenue.micros == 0 ? nil : captured.units / revenue.units }
    /// The share of users whose chain broke; `nil` without users.
    public var brokenShare: Double? { users == 0 ? nil : Double(broken) / Double(users) }
  }

  public private(set) var figures: [Figures]
  public let currency: CurrencyCode

  /// Starts without users; days below 1 count as 1.
  public init(days: [Int], currency: CurrencyCode) {
    figures = days.map { Figures(days: max(1, $0)) }
    self.currency = currency
  }

  /// Adds the users of a cohort, organic ones too.
  public mutating func add(_ cohort: Cohort) {
    let measured = cohort.names.currencies.firstIndex(of: currency).map { Int32($0) } ?? -2
    for user in cohort.users {
      let events = cohort.events[Int(user.events.lowerBound)..<Int(user.events.upperBound)]
      for index in figures.indices { figures[index].add(events, currency: measured) }
    }
  }

  /// Adds the figures of other users, asked for the same days.
  public mutating func merge(_ other: RollingChain) {
    precondition(figures.map(\.days) == other.figures.map(\.days), "Only figures of the same days add up.")
    for (index, theirs) in other.figures.enumerated() {
      figures[index].users += theirs.users
      figures[index].broken += theirs.broken
      figures[index].revenue += theirs.revenue
      figures[index].captured += theirs.captured
    }
  }
}

extension RollingChain.Figures {
  fileprivate mutating func add(_ events: ArraySlice<CohortEvent>, currency: Int32) {
    let day = Day.seconds
    let end = Int64(days) * day
    var lastRise: Int64 = 0
    var sum: Int64 = 0
    var sumAtRise: Int64 = 0
    var isBroken = false
    for event in events {
      let seconds = max(0, Int64(event.secondsSinceInstall))
      if seconds >= end { break }
      let micros = event.currency == currency ? event.micros : 0
      revenue.add(micros)
      isBroken = isBroken || seconds >= lastRise + AppleTimers.riseTimer
      guard !isBroken else { continue }
      captured.add(micros)
      sum = sum.addingHeld(micros)
      if seconds / day > lastRise / day || sum > sumAtRise {
        lastRise = seconds
        sumAtRise = sum
      }
    }
    users += 1
    if isBroken { broken += 1 }
  }
}
