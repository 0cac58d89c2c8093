import Mappings
import Postbacks
import SkanMapping
import Values

/// When users install, in milliseconds since 1970: 2026-11-21T00:00:00Z.
let epoch: Int64 = 1_795_219_200_000

/// Seconds of an hour.
let hour: Int64 = 3600

/// Seconds of a day.
let day: Int64 = 86_400

/// Makes a mapping of any sort, whether it makes sense or not.
func randomMapping(_ random: inout SplitMix64, device: Mapping.Device? = nil) -> Mapping {
  let device = device ?? Mapping.Device.allCases[random.number(below: 3)]
  let fine = (0..<random.number(below: 12)).compactMap { _ -> FineRule? in
    guard let value = FineValue(Int64(random.number(below: random.happens(0.3) ? 4 : 64))) else { return nil }
    return FineRule(
      value: value, conditions: randomConditions(&random), label: "secret label",
      coarse: random.happens(0.3) ? CoarseValue.allCases[random.number(below: 3)] : nil,
      lock: random.happens(0.15), priority: random.number(below: 5) - 2)
  }
  var coarse: [ConversionWindow: CoarseRules] = [:]
  for window in ConversionWindow.allCases where random.happens(0.6) {
    let rules = (0..<random.number(below: 5)).map { _ in
      CoarseRule(
        value: CoarseValue.allCases[random.number(below: 3)], conditions: randomConditions(&random),
        lock: random.happens(0.15))
    }
    coarse[window] = CoarseRules(totals: random.happens(0.5) ? .window : .sinceInstall, rules: rules)
  }
  guard let app = AppID(Int64(random.number(below: 1 << 40))) else { preconditionFailure("Never negative.") }
  return Mapping(
    name: "random \"mapping\" \u{1F600}", app: app, currency: usd,
    effectiveFrom: Instant(milliseconds: epoch - 1), device: device, isRaiseOnly: random.happens(0.5),
    measurementWindowHours: random.happens(0.3) ? 1 + random.number(below: device == .skan3 ? 90 : 48) : nil,
    precedence: Mapping.Precedence.allCases[random.number(below: 3)], fine: fine, coarse: coarse)
}

/// The currency of most amounts.
let usd = currency("USD")

/// The currency of some amounts.
let eur = currency("EUR")

private func currency(_ text: String) -> CurrencyCode {
  guard let code = CurrencyCode(text) else { preconditionFailure("\(text) is listed.") }
  return code
}

/// Names of events; the last one is in no rule.
private let names = ["a", "b", "\u{E9}t\u{E9}", "d"]

private func randomConditions(_ random: inout SplitMix64) -> Conditions {
  let names = names.dropLast().filter { _ in random.happens(0.3) }
  let from = random.number(below: 40)
  return Conditions(
    events: names.map { name in
      EventCondition(
        name: name,
        count: CountRange(min: random.number(below: 3), max: random.happens(0.3) ? 3 : nil) ?? .atLeastOnce,
        revenue: random.happens(0.5) ? randomRevenue(&random) : nil)
    }, revenue: random.happens(0.3) ? randomRevenue(&random) : nil,
    activeHours: random.happens(0.3) ? HourRange(from: from, to: from + 1 + random.number(below: 40)) : nil,
    conversionTypes: ConversionTypes(ConversionType.allCases.filter { _ in random.happens(0.85) }) ?? .all)
}

private func randomRevenue(_ random: inout SplitMix64) -> RevenueCondition? {
  // Whole units, as half of the events' amounts are, so that sums meet the ends exactly.
  let low = Amount(micros: 1_000_000 * (Int64(random.number(below: 60)) - 10))
  let high = Amount(micros: low.micros + 2_000_000 + 1_000_000 * Int64(random.number(below: 60)))
  let lower: [AmountRange.Bound] = [.closed(low), .open(low), .unbounded]
  let upper: [AmountRange.Bound] = [.closed(high), .open(high), .unbounded]
  let range =
    AmountRange(lower: lower[random.number(below: 3)], upper: upper[random.number(below: 3)]) ?? .all
  return RevenueCondition(range, random.happens(0.2) ? eur : usd)
}

/// The seconds around which windows and timers begin and end.
private let edges: [Int64] = [
  0, day - 1, day, 2 * day - 1, 2 * day, 7 * day - 1, 7 * day, 35 * day - 1, 35 * day,
]

/// Makes a user's events, often at the very ends of windows, hours and amounts, and now and then out of order.
func randomEvents(_ random: inout SplitMix64, count: Int, hours: Int) -> [UserEvent] {
  let events = (0..<count).map { _ in
    let micros: Int64 =
      random.happens(0.02)
      ? (random.happens(0.5) ? .max : .min)
      : random.happens(0.5)
        ? 1_000_000 * (Int64(random.number(below: 40)) - 5)
        : 10_000 * (Int64(random.number(below: 9000)) - 500)
    return UserEvent(
      secondsSinceInstall: random.happens(0.25)
        ? edges[random.number(below: edges.count)]
        : random.happens(0.3)
          ? hour * Int64(random.number(below: hours)) : Int64(random.number(below: hours * 3600)),
      name: names[random.number(below: names.count)],
      revenue: random.happens(0.6) ? Money(micros: micros, currency: random.happens(0.2) ? eur : usd) : nil)
  }
  return random.happens(0.9) ? events.sorted { $0.secondsSinceInstall < $1.secondsSinceInstall } : events
}

extension AppEvent {
  /// The event as an app has it, some milliseconds into its second.
  init(_ event: UserEvent, milliseconds: Int64 = 0) {
    self.init(
      name: event.name, time: epoch + 1000 * event.secondsSinceInstall + milliseconds,
      micros: event.revenue?.amount.micros, currency: event.revenue?.currency.text,
      conversionTag: event.conversionTag)
  }
}

extension Mapping {
  /// The document that apps get, under a digest of its own.
  func appDocument(number: UInt64 = 1) -> [UInt8] {
    let digits = String(number, radix: 16)
    return appDocument(
      digest: String(repeating: "0", count: 16 - digits.count) + digits + String(repeating: "ab", count: 24)
    ).bytes()
  }
}

/// A call that sets values, comparable from both sides.
struct ComparedUpdate: Hashable {
  let time: Int64
  let window: Int
  let fine: Int?
  let coarse: String?
  let lock: Bool

  /// The call of the server's evaluator.
  init(_ update: ValueUpdate) {
    time = update.time
    window = update.window.rawValue + 1
    fine = update.fine.map { Int($0.number) }
    coarse = update.coarse?.rawValue
    lock = update.lock
  }

  /// The call of the library.
  init(_ update: AppUpdate) {
    time = update.secondsSinceConversion
    window = update.window
    fine = update.fine
    coarse = update.coarse?.rawValue
    lock = update.lock
  }
}
