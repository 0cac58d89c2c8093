import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// Tallies the values of report rows, deciding each kind of value only once.
struct Tallier {
  private let catalog: MappingCatalog
  private let timers: DeviceTimers
  private let rates: ExchangeRates
  private let currency: CurrencyCode?
  /// What rows come to; where they are distinguished by window, of each window by itself.
  private var own: RunningTallies
  /// What rows add to a sum of rows, where windows have sums of their own; `nil` where that is the same.
  private var added: RunningTallies?
  private var counts: [Int64] = []
  private var kinds: [Kind?] = []

  private struct Kind {
    let expectation: Expectation
    let window: ConversionWindow
  }

  struct Tallies {
    fileprivate(set) var rows: [RevenueTally]
    fileprivate(set) var added: [RevenueTally]?
    /// All rows together, of windows that add up, also where rows are distinguished by window.
    fileprivate(set) var total: RevenueTally

    subscript(row: Int) -> RevenueTally { row < rows.count ? rows[row] : RevenueTally() }

    func added(_ row: Int) -> RevenueTally {
      guard let added else { return self[row] }
      return row < added.count ? added[row] : RevenueTally()
    }
  }

  /// Starts with nothing.
  ///
  /// - Parameters:
  ///   - timers: The timers that the postbacks' devices can run by.
  ///   - keepsWindowsApart: Whether rows are distinguished by window, so that no money is counted twice.
  ///   - currency: What foreign currencies are turned into where there is a rate; `nil` leaves them as they are.
  init(
    _ catalog: MappingCatalog, timers: DeviceTimers, keepsWindowsApart: Bool,
    rates: ExchangeRates = ExchangeRates([]), into currency: CurrencyCode? = nil
  ) {
    self.timers = timers
    self.rates = rates
    self.currency = currency
    self.catalog = catalog
    own = RunningTallies(keepsWindowsApart: keepsWindowsApart)
    added = keepsWindowsApart ? RunningTallies(keepsWindowsApart: false) : nil
  }

  mutating func add(_ count: ValueCount, toRow row: Int) {
    while kinds.count <= count.kind {
      kinds.append(nil)
      counts.append(0)
    }
    if kinds[count.kind] == nil {
      guard let history = catalog.histories[count.app] else { return }
      let expectation = history.expectation(
        of: count.value, version: count.version, window: count.window, timers: timers,
        arrival: count.arrival, type: count.outcome.conversionType
      ).converted(by: rates, into: currency, on: count.arrival.lowerBound.day)
      kinds[count.kind] = Kind(expectation: expectation, window: count.window)
      own.prepare(count.kind, expectation, window: count.window)
      added?.prepare(count.kind, expectation, window: count.window)
    }
    counts[count.kind] += count.postbacks
    own.add(count.kind, times: count.postbacks, toRow: row)
    added?.add(count.kind, times: count.postbacks, toRow: row)
  }

  func tallies() -> Tallies {
    var total = RevenueTally()
    for (kind, count) in zip(kinds, counts) {
      guard let kind, count != 0 else { continue }
      total.add(kind.expectation, times: count, window: kind.window, keepsWindowsApart: false)
    }
    return Tallies(rows: own.finished, added: added?.finished, total: total)
  }
}

/// Tallies by row, of which one is added to at a time without looking up currencies and events.
private struct RunningTallies {
  /// What a postback adds, with currencies and events by their numbers.
  private struct Share {
    let counts: RevenueTally.Counts
    let revenue: [(currency: Int, estimate: RevenueEstimate)]
    let events: [(event: Int, millionths: Int64)]
  }

  private let keepsWindowsApart: Bool
  private var shares: [Share?] = []
  private var currencies: [CurrencyCode] = []
  private var events: [String] = []
  private var tallies: [RevenueTally] = []
  /// The row that was added to last, and what is still to be added to its tally.
  private var row = 0
  private var counts = RevenueTally.Counts()
  private var money: [RevenueTally.Sum?] = []
  private var users: [Int64?] = []

  init(keepsWindowsApart: Bool) { self.keepsWindowsApart = keepsWindowsApart }

  mutating func prepare(_ kind: Int, _ expectation: Expectation, window: ConversionWindow) {
    let contribution = RevenueTally.Contribution(
      expectation, window: window, keepsWindowsApart: keepsWindowsApart)
    let share = Share(
      counts: contribution.counts,
      revenue: contribution.revenue.map { (number(of: $0.currency), $0) },
      events: contribution.events.map { (number(of: $0.name), $0.millionths) })
    while shares.count <= kind { shares.append(nil) }
    shares[kind] = share
  }

  private mutating func number(of currency: CurrencyCode) -> Int {
    if let number = currencies.firstIndex(of: currency) { return number }
    currencies.append(currency)
    money.append(nil)
    return currencies.count - 1
  }

  private mutating func number(of event: String) -> Int {
    if let number = events.firstIndex(of: event) { return number }
    events.append(event)
    users.append(nil)
    return events.count - 1
  }

  mutating func add(_ kind: Int, times count: Int64, toRow row: Int) {
    guard let share = shares[kind] else { return }
    if row != self.row {
      flush()
      self.row = row
    }
    counts.add(share.counts, times: count)
    for (event, millionths) in share.events {
      users[event] =
        Amount(micros: users[event] ?? 0).adding(Amount(micros: millionths).times(count).product).sum.micros
    }
    for (currency, estimate) in share.revenue {
      var sum = money[currency] ?? RevenueTally.Sum()
      sum.add(estimate, times: count, isMixed: share.counts.mixed > 0)
      money[currency] = sum
    }
  }

  private mutating func flush() {
    while tallies.count <= row { tallies.append(RevenueTally()) }
    tallies[row].add(counts)
    counts = RevenueTally.Counts()
    for (number, sum) in money.enumerated() {
      guard let sum else { continue }
      tallies[row].add(sum, in: currencies[number])
      money[number] = nil
    }
    for (number, millionths) in users.enumerated() {
      guard let millionths else { continue }
      tallies[row].addEvent(events[number], millionths)
      users[number] = nil
    }
  }

  /// The tallies of all rows up to the last one that has any.
  var finished: [RevenueTally] {
    var last = self
    last.flush()
    return last.tallies
  }
}
