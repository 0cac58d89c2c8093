import JSONText
import Mappings
import Postbacks
import Values

/// Collects rules out of AppsFlyer's entries, which both its JSON and its CSV are made of.
///
/// Ranges of revenue have their upper end and not their lower one, which vendor's samples write a thousandth higher.
/// Source: AppsFlyer, "SKAN Conversion Studio" and the samples of its network API.
struct AppsFlyerRules {
  static let eventMembers = [
    "event_name", "mapped_event_name", "conversion_event", "event_counter", "min_event_counter",
    "max_event_counter", "min_event_revenue", "max_event_revenue", "event_currency", "event_revenue",
    "event_revenue_usd",
  ]
  static let hourMembers = ["min_time_post_install", "max_time_post_install"]

  var log: ImportLog
  private(set) var fine: [FineRule] = []
  private(set) var coarse: [ConversionWindow: [CoarseRule]] = [:]

  init(_ context: ImportContext) {
    log = ImportLog(context)
    log.add(.precedenceAssumed, Sentence("if several values match, the highest applies"))
  }

  var isEmpty: Bool { fine.isEmpty && coarse.values.allSatisfy(\.isEmpty) }

  mutating func add(_ value: FineValue, hours entry: JSONObject, events: [JSONObject]) throws(RuleFault) {
    guard !fine.contains(where: { $0.value == value }) else {
      throw RuleFault(Sentence("value \(value.number) is a duplicate"))
    }
    fine.append(FineRule(value: value, conditions: try conditions(entry, events)))
  }

  mutating func add(
    _ value: CoarseValue, of window: ConversionWindow, hours entry: JSONObject, events: [JSONObject]
  ) throws(RuleFault) {
    guard !coarse[window, default: []].contains(where: { $0.value == value }) else {
      throw RuleFault(Sentence("\(code: value.rawValue) of window \(window.rawValue + 1) is a duplicate"))
    }
    coarse[window, default: []].append(CoarseRule(value: value, conditions: try conditions(entry, events)))
  }

  mutating func lock(_ window: ConversionWindow, type: String, event: String? = nil) {
    let number = window.rawValue + 1
    guard type == "high-coarse" else {
      log.add(
        .lockIgnored,
        event.map {
          Sentence(
            "window \(number) locks by \(name: quoted(type)) at \(name: quoted($0)), which no rule can express; dropped"
          )
        } ?? Sentence("window \(number) locks by \(name: quoted(type)), which no rule can express; dropped"))
      return
    }
    if let event {
      log.add(
        .memberIgnored,
        Sentence("window \(number) locks at high; \(name: quoted(event)) beside it is not imported"))
    }
    log.add(
      .lockAssumed,
      Sentence("window \(number) locks where a rule for \(code: CoarseValue.high.rawValue) applies"))
    coarse[window] = coarse[window]?.map {
      CoarseRule(value: $0.value, conditions: $0.conditions, lock: $0.value == .high)
    }
  }

  /// Lets the highest range of each event go on without end, or remarks that it does not.
  mutating func finish(opensTop: Bool) {
    let fineTops = tops(fine.map(\.conditions), opensTop)
    fine = zip(fine, fineTops).map { FineRule(value: $0.value, conditions: $1, lock: $0.lock) }
    for (window, rules) in coarse {
      coarse[window] = zip(rules, tops(rules.map(\.conditions), opensTop)).map {
        CoarseRule(value: $0.value, conditions: $1, lock: $0.lock)
      }
    }
  }

  func imported(measurementWindowHours: Int?) -> ImportedMapping {
    let context = log.context
    let mapping = Mapping(
      name: context.name, app: context.app, currency: context.currency, effectiveFrom: context.effectiveFrom,
      device: context.device, measurementWindowHours: measurementWindowHours, partners: [.appsflyer],
      fine: fine, coarse: coarse.mapValues { CoarseRules(rules: $0) })
    var log = log
    if mapping.repeatsLowValues {
      log.add(
        .valuesRepeated,
        Sentence(
          "no value is above 31: values 32 to 63 are read as 0 to 31, with AppsFlyer's bit for users that another source "
            + "attributes too"))
    }
    return ImportedMapping(mapping: mapping, remarks: log.remarks)
  }

  private mutating func conditions(
    _ entry: JSONObject, _ events: [JSONObject]
  ) throws(RuleFault) -> Conditions {
    let hours = try JSONObject.hours(
      try entry.integer("min_time_post_install"), try entry.integer("max_time_post_install"))
    if hours != nil {
      log.add(.hoursAssumed, Sentence("the end of a range of hours is read as the next hour"))
    }
    var conditions: [EventCondition] = []
    for event in events { conditions.append(try condition(event)) }
    return try log.conditions(conditions, hours)
  }

  private mutating func condition(_ event: JSONObject) throws(RuleFault) -> EventCondition {
    let name = try event.requiredText("event_name")
    if let partner = try event.text("mapped_event_name"), partner != name {
      log.add(.partnerName, Sentence("networks know \(name: quoted(name)) as \(name: quoted(partner))"))
    }
    if try event.truth("conversion_event") {
      log.add(
        .memberIgnored,
        Sentence("\(name: quoted(name)) is marked as a conversion event, which is not imported"))
    }
    let middle = try event.integer("event_counter")
    let stated = try event.counts("min_event_counter", "max_event_counter")
    let exact = try JSONObject.counts(middle, middle)
    var count = stated ?? exact ?? .atLeastOnce
    if let middle, count.min != count.max {
      log.add(
        .countMiddle,
        Sentence("the count of \(middle) that stands for a range of \(name: quoted(name)) is dropped"))
    }
    let low = try event.amount("min_event_revenue")
    let high = try event.amount("max_event_revenue")
    guard low != nil || high != nil else {
      let single = [try event.amount("event_revenue"), try event.amount("event_revenue_usd")]
      if single != [nil, nil] {
        log.add(
          .memberIgnored,
          Sentence("\(name: quoted(name)) has an amount and no range; the amount is not imported"))
      }
      return EventCondition(name: name, count: count)
    }
    // The table has these counters in every row of revenue; as a condition a second purchase would end the value.
    if let stated, stated.min == 0, let most = stated.max, most <= 1 {
      count = .atLeastOnce
      log.add(
        .countAssumed,
        Sentence(
          "0 to \(most) times beside a range of revenue of \(name: quoted(name)) is read as at least once"))
    }
    log.add(.endsAssumed, Sentence("ranges have their upper end and not their lower one, as samples show"))
    let range = try log.range(
      lower: low.map { .open(Self.withoutStep($0)) }, upper: high.map { .closed($0) })
    let currency = try log.currency(try event.text("event_currency"))
    let revenue = try log.revenue(range, currency, of: name)
    try compare(event, revenue)
    return EventCondition(name: name, count: count, revenue: revenue)
  }

  /// Remarks on a stated worth that is not the middle of its range.
  private mutating func compare(_ event: JSONObject, _ revenue: RevenueCondition) throws(RuleFault) {
    let dollars = try event.amount("event_revenue_usd")
    if dollars != nil, revenue.currency.text != "USD" {
      log.add(
        .worthRecomputed, Sentence("amounts in US dollars are dropped; the currency is \(revenue.currency)"))
    }
    for stated in [try event.amount("event_revenue"), revenue.currency.text == "USD" ? dollars : nil] {
      guard let stated, let middle = revenue.representative else { continue }
      let (distance, overflow) = stated.micros.subtractingReportingOverflow(middle.micros)
      // Half of the thousandth that lower ends are raised by, rounded up to a thousandth.
      if overflow || distance.magnitude > 1000 {
        log.add(
          .worthRecomputed,
          Sentence("\(stated) is stated for \(code: revenue.range), whose middle \(middle) is taken"))
      }
    }
  }

  /// A lower end without the thousandth that keeps it apart from the range below.
  private static func withoutStep(_ low: Amount) -> Amount {
    low.micros % 10_000 == 1000 ? low.subtracting(Amount(micros: 1000)) : low
  }

  private mutating func tops(_ conditions: [Conditions], _ opens: Bool) -> [Conditions] {
    for event in Self.tops(of: conditions).compactMap({ conditions[$0].events.first }) {
      guard let high = event.revenue?.range.upper.amount else { continue }
      log.add(
        opens ? .topOpened : .topMissing,
        opens
          ? Sentence("\(name: quoted(event.name)) above \(high) counts in the highest range")
          : Sentence("\(name: quoted(event.name)) above \(high) has no value"))
    }
    return opens ? Self.opened(conditions) : conditions
  }

  /// The conditions, of which the highest range of each event goes on without end.
  static func opened(_ conditions: [Conditions]) -> [Conditions] {
    var opened = conditions
    for index in tops(of: conditions) {
      guard let event = conditions[index].events.first, let revenue = event.revenue,
        let range = AmountRange(lower: revenue.range.lower, upper: .unbounded),
        let condition = RevenueCondition(
          range, revenue.currency, low: revenue.low, representative: revenue.representative,
          high: revenue.high)
      else { continue }
      opened[index] = Conditions(
        events: [EventCondition(name: event.name, count: event.count, revenue: condition)],
        activeHours: conditions[index].activeHours)
    }
    return opened
  }

  /// The places of conditions on one event's amount above which no others begin.
  private static func tops(of conditions: [Conditions]) -> [Int] {
    conditions.indices.filter { index in
      let condition = conditions[index]
      guard condition.events.count == 1, let event = condition.events.first,
        let high = event.revenue?.range.upper.amount
      else { return false }
      return !conditions.contains { other in
        other.activeHours == condition.activeHours && other.events.map(\.name) == [event.name]
          && other.events.first?.revenue?.range.lower.amount.map { $0 >= high } ?? false
      }
    }
  }
}
