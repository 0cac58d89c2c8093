import Ledger
import MappingLibrary
package import Mappings
package import Postbacks
package import Values

/// What decoded postbacks come to: money by currency and users by event.
package struct RevenueTally: Hashable, Sendable {
  /// Money of one currency.
  package struct Sum: Hashable, Sendable {
    /// At least, as far as the values show; values without a low end count as nothing here.
    package private(set) var low = Amount.zero
    /// What is counted.
    package private(set) var representative = Amount.zero
    /// At most, as far as the values show; those of ``openEnded`` count with what is counted for them.
    package private(set) var high = Amount.zero
    /// Postbacks whose value has no high end; with any, the true sum has none either.
    package private(set) var openEnded: Int64 = 0
    /// The part of ``representative`` that is expected over several versions of the mapping.
    package private(set) var mixed = Amount.zero
    /// Whether a sum did not fit and was held at the end of the range.
    package private(set) var didSaturate = false

    mutating func add(_ estimate: RevenueEstimate, times count: Int64, isMixed: Bool) {
      let part = Self(
        low: times(estimate.low ?? min(.zero, estimate.representative), count),
        representative: times(estimate.representative, count),
        high: times(estimate.high ?? estimate.representative, count),
        openEnded: estimate.high == nil ? count : 0,
        mixed: isMixed ? times(estimate.representative, count) : .zero)
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

  /// Winning postbacks that have a value and that at least one version of the mapping decodes.
  package private(set) var decoded: Int64 = 0
  /// Those of the first window: decoded installs, redownloads and re-engagements.
  package private(set) var decodedInstalls: Int64 = 0
  /// Those of ``decoded`` that may have been sent under several versions of the mapping.
  package private(set) var mixed: Int64 = 0
  /// Those of ``decoded`` of test devices that count by the newest of several versions.
  package private(set) var newest: Int64 = 0
  /// Winning postbacks whose value no version of the mapping knows.
  package private(set) var unmapped: Int64 = 0
  /// Winning postbacks with a value, of a time when no mapping was in force, or of an app without one.
  package var undated: Int64 = 0
  /// Decoded postbacks of later windows whose money and events are not added, because every version of the mapping that
  /// they can have followed counts those windows since install, so that they hold the first window's.
  package private(set) var notAdded: Int64 = 0
  /// The money, by currency.
  package private(set) var money: [CurrencyCode: Sum] = [:]
  /// Users who did an event, in millionths of a user where several versions are possible.
  package private(set) var events: [String: Int64] = [:]

  /// Starts with nothing.
  package init() {}

  /// Adds postbacks.
  ///
  /// - Parameters:
  ///   - expectation: The meaning of each of them.
  ///   - count: How many there are.
  ///   - window: Their window.
  ///   - keepsWindowsApart: Whether windows have a sum each, so that what several of them hold counts in each;
  ///     otherwise only what the other windows do not hold already is added.
  package mutating func add(
    _ expectation: Expectation, times count: Int64, window: ConversionWindow, keepsWindowsApart: Bool
  ) {
    switch expectation.status {
    case .undated: undated += count
    case .unmapped: unmapped += count
    case .decoded:
      decoded += count
      if window == .first { decodedInstalls += count }
      if expectation.isMixed { mixed += count }
      if case .newest = expectation.dating { newest += count }
      guard keepsWindowsApart || expectation.isAdditional else {
        notAdded += count
        return
      }
      let worth = keepsWindowsApart ? expectation.whole : expectation.additional
      for event in worth.events {
        let millionths = Int64((event.probability * 1_000_000).rounded())
        let users = Amount(micros: millionths).times(count).product
        events[event.name] = Amount(micros: events[event.name] ?? 0).adding(users).sum.micros
      }
      for estimate in worth.revenue {
        money[estimate.currency, default: Sum()].add(estimate, times: count, isMixed: expectation.isMixed)
      }
    }
  }

  /// Adds another tally.
  mutating func add(_ other: Self) {
    decoded += other.decoded
    decodedInstalls += other.decodedInstalls
    mixed += other.mixed
    newest += other.newest
    unmapped += other.unmapped
    undated += other.undated
    notAdded += other.notAdded
    for (currency, sum) in other.money { money[currency, default: Sum()].add(sum) }
    for (name, users) in other.events { events[name, default: 0] += users }
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

/// Tallies the values of report rows, deciding each kind of value only once.
struct Tallier {
  private let catalog: MappingCatalog
  private let timers: DeviceTimers
  /// Whether rows are distinguished by window, so that no money is counted twice.
  private let keepsWindowsApart: Bool
  private(set) var tallies: [Int: RevenueTally] = [:]
  /// What each row adds to a sum of rows, where windows have sums of their own; otherwise none.
  private(set) var addedTallies: [Int: RevenueTally] = [:]
  /// All rows together, of windows that add up, also where rows are distinguished by window.
  private(set) var total = RevenueTally()
  private var known: [Kind: Expectation] = [:]

  private struct Kind: Hashable {
    let app: AppID
    let framework: PostbackKind
    let hasWindows: Bool
    let window: ConversionWindow
    let value: ConversionValue
    let type: ConversionType?
    let arrival: Range<Instant>
  }

  private let rates: ExchangeRates
  private let currency: CurrencyCode?

  /// Starts with nothing.
  ///
  /// - Parameters:
  ///   - catalog: The mappings.
  ///   - timers: The timers that the postbacks' devices can run by.
  ///   - keepsWindowsApart: Whether rows are distinguished by window.
  ///   - rates: Exchange rates.
  ///   - currency: What foreign currencies are turned into where there is a rate; `nil` leaves them as they are.
  init(
    _ catalog: MappingCatalog, timers: DeviceTimers, keepsWindowsApart: Bool,
    rates: ExchangeRates = ExchangeRates([]), into currency: CurrencyCode? = nil
  ) {
    self.timers = timers
    self.rates = rates
    self.currency = currency
    self.catalog = catalog
    self.keepsWindowsApart = keepsWindowsApart
  }

  mutating func add(_ count: ValueCount, toRow row: Int) {
    let kind = Kind(
      app: count.app, framework: count.version.kind, hasWindows: count.version.hasWindows,
      window: count.window, value: count.value,
      type: count.outcome.conversionType, arrival: count.arrival)
    let expectation: Expectation
    if let found = known[kind] {
      expectation = found
    } else {
      guard let history = catalog.histories[count.app] else { return }
      expectation = history.expectation(
        of: count.value, version: count.version, window: count.window, timers: timers,
        arrival: count.arrival, type: kind.type
      ).converted(by: rates, into: currency, on: count.arrival.lowerBound.day)
      known[kind] = expectation
    }
    tallies[row, default: RevenueTally()].add(
      expectation, times: count.postbacks, window: count.window, keepsWindowsApart: keepsWindowsApart)
    total.add(expectation, times: count.postbacks, window: count.window, keepsWindowsApart: false)
    guard keepsWindowsApart else { return }
    addedTallies[row, default: RevenueTally()].add(
      expectation, times: count.postbacks, window: count.window, keepsWindowsApart: false)
  }
}

extension Expectation {
  /// The same with foreign money turned into a currency, where there is a rate for the day.
  func converted(by rates: ExchangeRates, into currency: CurrencyCode?, on day: Day) -> Expectation {
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
