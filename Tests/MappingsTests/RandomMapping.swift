import MappingFormats
import Mappings
import Postbacks
import Values

/// Makes a mapping of any sort, whether it makes sense or not.
func randomMapping(_ random: inout SplitMix64) -> Mapping {
  let device = Mapping.Device.allCases[random.number(below: 3)]
  let usd = CurrencyCode.all.first { $0.text == "USD" } ?? CurrencyCode.all[0]
  let fine = (0..<random.number(below: 12)).compactMap { _ -> FineRule? in
    guard let value = FineValue(Int64(random.number(below: 64))) else { return nil }
    return FineRule(
      value: value,
      conditions: randomConditions(&random, usd), label: random.happens(0.3) ? "label \"\\ é" : nil,
      lock: random.happens(0.2), priority: random.number(below: 5) - 2)
  }
  var coarse: [ConversionWindow: CoarseRules] = [:]
  for window in ConversionWindow.allCases where random.happens(0.5) {
    let rules = (0..<random.number(below: 5)).map { _ in
      CoarseRule(
        value: CoarseValue.allCases[random.number(below: 3)], conditions: randomConditions(&random, usd),
        lock: random.happens(0.2))
    }
    coarse[window] = CoarseRules(totals: random.happens(0.5) ? .window : .sinceInstall, rules: rules)
  }
  guard let app = AppID(Int64(random.number(below: 1 << 40))) else { preconditionFailure("Never negative.") }
  return Mapping(
    name: "random", app: app, currency: usd,
    effectiveFrom: Instant(milliseconds: Int64(random.number(below: 1 << 41))), device: device,
    isRaiseOnly: random.happens(0.5),
    measurementWindowHours: random.happens(0.3) ? 1 + random.number(below: 48) : nil,
    precedence: Mapping.Precedence.allCases[random.number(below: 3)],
    partners: random.happens(0.3) ? [.meta] : [],
    declaredEvents: random.happens(0.3) ? [DeclaredEvent(name: "a", earliestHours: 3)] : [], fine: fine,
    coarse: coarse)
}

private func randomConditions(_ random: inout SplitMix64, _ home: CurrencyCode) -> Conditions {
  let names = ["a", "b", "c"].filter { _ in random.happens(0.4) }
  let from = random.number(below: 40)
  return Conditions(
    events: names.map { name in
      EventCondition(
        name: name,
        count: CountRange(min: random.number(below: 3), max: random.happens(0.3) ? 3 : nil) ?? .atLeastOnce,
        revenue: random.happens(0.5) ? randomRevenue(&random, home) : nil)
    }, revenue: random.happens(0.3) ? randomRevenue(&random, home) : nil,
    activeHours: random.happens(0.4) ? HourRange(from: from, to: from + 1 + random.number(below: 9)) : nil,
    conversionTypes: ConversionTypes(ConversionType.allCases.filter { _ in random.happens(0.8) }) ?? .all)
}

private func randomRevenue(_ random: inout SplitMix64, _ home: CurrencyCode) -> RevenueCondition? {
  let low = Amount(micros: Int64(random.number(below: 1 << 27)) - (1 << 24))
  let high = Amount(micros: low.micros + 2 + Int64(random.number(below: 1 << 27)))
  let lower: [AmountRange.Bound] = [.closed(low), .open(low), .unbounded]
  let upper: [AmountRange.Bound] = [.closed(high), .open(high), .unbounded]
  let range =
    AmountRange(lower: lower[random.number(below: 3)], upper: upper[random.number(below: 3)]) ?? .all
  let currency = random.happens(0.2) ? CurrencyCode.all[random.number(below: CurrencyCode.all.count)] : home
  let representative = range.lower.amount != nil && random.happens(0.3) ? Amount(micros: low.micros + 1) : nil
  return RevenueCondition(range, currency, representative: representative)
}
