import Ledger
package import Mappings
package import Postbacks
package import Values

/// What decoded postbacks come to: money by currency and users by event.
package struct RevenueTally: Equatable, Sendable {
  package struct Sum: Hashable, Sendable {
    /// At least, as far as the values show; values without a low end count as nothing here.
    package private(set) var low = Amount.zero
    package private(set) var representative = Amount.zero
    /// At most, as far as the values show; those of ``openEnded`` count with what is counted for them.
    package private(set) var high = Amount.zero
    /// Postbacks whose value has no high end; with any, the true sum has none either.
    package fileprivate(set) var openEnded: Int64 = 0
    /// The part of ``representative`` that is expected over several versions of the mapping.
    package private(set) var mixed = Amount.zero
    /// Whether a sum did not fit and was held at the end of the range.
    package private(set) var didSaturate = false

    init() {}

    /// ``high``, where it is the true sum's.
    package var limitedHigh: Amount? { openEnded > 0 ? nil : high }

    /// What one postback comes to.
    init(_ estimate: RevenueEstimate, isMixed: Bool) {
      low = estimate.low ?? min(.zero, estimate.representative)
      representative = estimate.representative
      high = estimate.high ?? estimate.representative
      openEnded = estimate.high == nil ? 1 : 0
      if isMixed { mixed = estimate.representative }
    }

    /// Adds what so many postbacks come to that are alike.
    mutating func add(_ one: Self, times count: Int64) {
      guard count != 1 else { return add(one) }
      var part = Self()
      part.low = times(one.low, count)
      part.representative = times(one.representative, count)
      part.high = times(one.high, count)
      part.openEnded = one.openEnded * count
      part.mixed = times(one.mixed, count)
      add(part)
    }

    mutating func add(_ other: Self) {
      low = sum(low, other.low)
      representative = sum(representative, other.representative)
      high = sum(high, other.high)
      openEnded += other.openEnded
      mixed = sum(mixed, other.mixed)
      didSaturate = didSaturate || other.didSaturate
    }

    private mutating func times(_ amount: Amount, _ count: Int64) -> Amount {
      let (product, overflow) = amount.times(count)
      didSaturate = didSaturate || overflow
      return product
    }

    private mutating func sum(_ a: Amount, _ b: Amount) -> Amount {
      let (sum, overflow) = a.adding(b)
      didSaturate = didSaturate || overflow
      return sum
    }
  }

  package struct Counts: Equatable, Sendable {
    /// Winning postbacks that have a value and that at least one version of the mapping decodes.
    package fileprivate(set) var decoded: Int64 = 0
    /// Those of the first window: decoded installs, redownloads and re-engagements.
    package fileprivate(set) var decodedInstalls: Int64 = 0
    /// Those of ``decoded`` that may have been sent under several versions of the mapping.
    package fileprivate(set) var mixed: Int64 = 0
    /// Those of ``decoded`` of test devices that count by the newest of several versions.
    package fileprivate(set) var newest: Int64 = 0
    /// Winning postbacks whose value no version of the mapping knows.
    package fileprivate(set) var unmapped: Int64 = 0
    /// Winning postbacks with a value, of a time when no mapping was in force, or of an app without one.
    package var undated: Int64 = 0
    /// Decoded postbacks of later windows whose money and events are not added, because every version of the mapping that
    /// they can have followed counts those windows since install, so that they hold the first window's.
    package fileprivate(set) var notAdded: Int64 = 0

    mutating func add(_ other: Self, times count: Int64) {
      decoded += other.decoded * count
      decodedInstalls += other.decodedInstalls * count
      mixed += other.mixed * count
      newest += other.newest * count
      unmapped += other.unmapped * count
      undated += other.undated * count
      notAdded += other.notAdded * count
    }
  }

  /// Sums by currency, of which there are one or two: they are found in less time and memory than in a dictionary.
  package struct Money: Hashable, Sendable {
    private struct Entry: Hashable {
      let currency: CurrencyCode
      var sum: Sum
    }

    /// In the order of the currencies.
    private var entries: [Entry] = []

    package var count: Int { entries.count }
    package var keys: some Collection<CurrencyCode> { entries.lazy.map(\.currency) }
    var values: some Collection<Sum> { entries.lazy.map(\.sum) }

    package subscript(currency: CurrencyCode) -> Sum? { entries.first { $0.currency == currency }?.sum }

    mutating func add(_ sum: Sum, times count: Int64 = 1, in currency: CurrencyCode) {
      let place = entries.firstIndex { $0.currency >= currency } ?? entries.count
      if place == entries.count || entries[place].currency != currency {
        entries.insert(Entry(currency: currency, sum: Sum()), at: place)
      }
      entries[place].sum.add(sum, times: count)
    }
  }

  private var counts = Counts()
  package private(set) var money = Money()
  /// Users who did an event, in millionths of a user where several versions are possible.
  package private(set) var events: [String: Int64] = [:]

  package var decoded: Int64 { counts.decoded }
  package var decodedInstalls: Int64 { counts.decodedInstalls }
  package var mixed: Int64 { counts.mixed }
  package var newest: Int64 { counts.newest }
  package var unmapped: Int64 { counts.unmapped }
  package var undated: Int64 {
    get { counts.undated }
    set { counts.undated = newValue }
  }
  package var notAdded: Int64 { counts.notAdded }

  package init() {}

  /// Adds postbacks.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - keepsWindowsApart: Whether windows have a sum each, so that what several of them hold counts in each;
  ///     otherwise only what the other windows do not hold already is added.
  package mutating func add(
    _ expectation: Expectation, times count: Int64, window: ConversionWindow, keepsWindowsApart: Bool
  ) {
    let contribution = Contribution(expectation, window: window, keepsWindowsApart: keepsWindowsApart)
    counts.add(contribution.counts, times: count)
    for (name, millionths) in contribution.events { addEvent(name, millionths, times: count) }
    for (currency, one) in contribution.revenue { money.add(one, times: count, in: currency) }
  }

  mutating func addEvent(_ name: String, _ millionths: Int64, times count: Int64 = 1) {
    let users = Amount(micros: millionths).times(count).product
    events[name] = Amount(micros: events[name] ?? 0).adding(users).sum.micros
  }

  mutating func add(_ sum: Sum, in currency: CurrencyCode) { money.add(sum, in: currency) }

  mutating func add(_ other: Counts) { counts.add(other, times: 1) }

  mutating func add(_ other: Self) {
    counts.add(other.counts, times: 1)
    for (currency, sum) in zip(other.money.keys, other.money.values) { money.add(sum, in: currency) }
    for (name, users) in other.events { events[name, default: 0] += users }
  }
}

extension RevenueTally {
  /// What each postback with some value adds to a tally.
  struct Contribution {
    private(set) var counts = Counts()
    private(set) var events: [(name: String, millionths: Int64)] = []
    private(set) var revenue: [(currency: CurrencyCode, one: Sum)] = []

    /// The parameters are those of ``RevenueTally/add(_:times:window:keepsWindowsApart:)``.
    init(_ expectation: Expectation, window: ConversionWindow, keepsWindowsApart: Bool) {
      switch expectation.status {
      case .undated: counts.undated = 1
      case .unmapped: counts.unmapped = 1
      case .decoded:
        counts.decoded = 1
        if window == .first { counts.decodedInstalls = 1 }
        if expectation.isMixed { counts.mixed = 1 }
        if case .newest = expectation.dating { counts.newest = 1 }
        guard keepsWindowsApart || expectation.isAdditional else {
          counts.notAdded = 1
          return
        }
        let worth = keepsWindowsApart ? expectation.whole : expectation.additional
        events = worth.events.map { ($0.name, Int64(nearest: $0.probability * 1_000_000)) }
        for estimate in worth.revenue { add(estimate, isMixed: expectation.isMixed) }
      }
    }

    private mutating func add(_ estimate: RevenueEstimate, isMixed: Bool) {
      var one = Sum(estimate, isMixed: isMixed)
      // Versions of two currencies can have been turned into one: it is one postback all the same.
      if revenue.contains(where: { $0.currency == estimate.currency && $0.one.openEnded > 0 }) {
        one.openEnded = 0
      }
      revenue.append((estimate.currency, one))
    }
  }
}

extension Amount {
  /// The amount that many times; `didSaturate` shows that it did not fit and was held at the end of the range.
  func times(_ count: Int64) -> (product: Amount, didSaturate: Bool) {
    let (product, overflow) = micros.multipliedReportingOverflow(by: count)
    guard overflow else { return (Amount(micros: product), false) }
    return (Amount(micros: (micros < 0) == (count < 0) ? .max : .min), true)
  }

  /// The amount for each of so many, rounded to the millionth; `nil` for none.
  func each(of count: Int64) -> Amount? {
    guard count > 0 else { return nil }
    let (quotient, rest) = micros.quotientAndRemainder(dividingBy: count)
    let step: Int64 = rest.magnitude >= (count.magnitude + 1) / 2 ? rest.signum() : 0
    return Amount(micros: quotient + step)
  }
}

extension Expectation {
  /// The same with foreign money turned into a currency, where there is a rate for the day.
  package func converted(by rates: ExchangeRates, into currency: CurrencyCode?, on day: Day) -> Expectation {
    guard let currency else { return self }
    return mapRevenue { estimate in
      func convert(_ amount: Amount) -> Amount? {
        rates.convert(amount, from: estimate.currency, to: currency, on: day)
      }
      guard let representative = convert(estimate.representative) else { return estimate }
      return RevenueEstimate(
        currency: currency, low: estimate.low.flatMap(convert), representative: representative,
        high: estimate.high.flatMap(convert))
    }
  }
}
