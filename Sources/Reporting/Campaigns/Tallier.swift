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
    if !own.isPrepared(count.kind) {
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

  /// What all that was added comes to; nothing is added afterwards.
  mutating func tallies() -> Tallies {
    var total = RevenueTally()
    for (kind, count) in zip(kinds, counts) {
      guard let kind, count != 0 else { continue }
      total.add(kind.expectation, times: count, window: kind.window, keepsWindowsApart: false)
    }
    return Tallies(rows: own.finish(), added: added?.finish(), total: total)
  }
}

/// Tallies by row, of which one is added to at a time without looking up currencies and events.
private struct RunningTallies {
  /// What a postback adds.
  private struct Share {
    let counts: RevenueTally.Counts
    /// Its places among ``revenue``.
    let revenue: Range<Int>
    /// Its places among ``millionths``.
    let events: Range<Int>
  }

  private let keepsWindowsApart: Bool
  private var shares: [Share?] = []
  /// What postbacks add in some currency, and to the users of some event, by their numbers.
  ///
  /// They lie side by side, so that a share is no array of its own.
  private var revenue: [(currency: Int, one: RevenueTally.Sum)] = []
  private var millionths: [(event: Int, millionths: Int64)] = []
  private var currencies: [CurrencyCode] = []
  private var events: [String] = []
  private var tallies: [RevenueTally] = []
  /// The row that was added to last, and what is still to be added to its tally.
  private var row = 0
  private var counts = RevenueTally.Counts()
  private var money: [RevenueTally.Sum] = []
  private var hasMoney: [Bool] = []
  private var users: [Int64?] = []

  init(keepsWindowsApart: Bool) { self.keepsWindowsApart = keepsWindowsApart }

  func isPrepared(_ kind: Int) -> Bool { kind < shares.count && shares[kind] != nil }

  mutating func prepare(_ kind: Int, _ expectation: Expectation, window: ConversionWindow) {
    let contribution = RevenueTally.Contribution(
      expectation, window: window, keepsWindowsApart: keepsWindowsApart)
    let (firstRevenue, firstEvent) = (revenue.count, millionths.count)
    for (currency, one) in contribution.revenue { revenue.append((number(of: currency), one)) }
    for event in contribution.events { millionths.append((number(of: event.name), event.millionths)) }
    while shares.count <= kind { shares.append(nil) }
    shares[kind] = Share(
      counts: contribution.counts, revenue: firstRevenue..<revenue.count,
      events: firstEvent..<millionths.count)
  }

  private mutating func number(of currency: CurrencyCode) -> Int {
    if let number = currencies.firstIndex(of: currency) { return number }
    currencies.append(currency)
    money.append(RevenueTally.Sum())
    hasMoney.append(false)
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
    for place in share.events {
      let (event, millionths) = millionths[place]
      users[event] =
        Amount(micros: users[event] ?? 0).adding(Amount(micros: millionths).times(count).product).sum.micros
    }
    for place in share.revenue {
      let currency = revenue[place].currency
      money[currency].add(revenue[place].one, times: count)
      hasMoney[currency] = true
    }
  }

  private mutating func flush() {
    while tallies.count <= row { tallies.append(RevenueTally()) }
    tallies[row].add(counts)
    counts = RevenueTally.Counts()
    for number in currencies.indices where hasMoney[number] {
      tallies[row].add(money[number], in: currencies[number])
      money[number] = RevenueTally.Sum()
      hasMoney[number] = false
    }
    for (number, millionths) in users.enumerated() {
      guard let millionths else { continue }
      tallies[row].addEvent(events[number], millionths)
      users[number] = nil
    }
  }

  /// The tallies of all rows up to the last one that has any; nothing is left.
  mutating func finish() -> [RevenueTally] {
    flush()
    defer { tallies = [] }
    return tallies
  }
}
