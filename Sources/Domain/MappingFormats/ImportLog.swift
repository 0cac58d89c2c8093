import JSONText
import Mappings
import Postbacks
import Values

/// Why a rule can't be taken over.
struct RuleFault: Error {
  let reason: Sentence
  /// Whether the format has no condition on total revenue.
  let isOfTotal: Bool

  init(_ reason: Sentence, isOfTotal: Bool = false) { (self.reason, self.isOfTotal) = (reason, isOfTotal) }
}

/// Collects what is lost or assumed during an import, each remark once.
struct ImportLog {
  static let mostRules = 512
  /// The most remarks that are kept: a broken file can be wrong in a million places.
  static let most = 200

  let context: ImportContext
  private(set) var remarks: [ImportRemark] = []
  private var known: Set<ImportRemark> = []

  init(_ context: ImportContext) { self.context = context }

  mutating func add(_ code: ImportRemark.Code, _ sentence: Sentence, at place: Sentence? = nil) {
    let remark = ImportRemark(code: code, sentence: sentence, place: place)
    guard known.count <= Self.most, known.insert(remark).inserted else { return }
    remarks.append(
      known.count <= Self.most
        ? remark
        : ImportRemark(code: .more, sentence: Sentence("the list of losses and assumptions is incomplete")))
  }

  /// The mapping of what was read, with the remarks so far.
  ///
  /// - Throws: ``ImportDefect/noRule`` without any rule.
  func imported(
    currency: CurrencyCode? = nil, effectiveFrom: Instant? = nil, isRaiseOnly: Bool = false,
    measurementWindowHours: Int? = nil, precedence: Mapping.Precedence = .highestValue,
    partners: [Mapping.Partner] = [], fine: [FineRule], coarse: [ConversionWindow: CoarseRules] = [:]
  ) throws(ImportDefect) -> ImportedMapping {
    guard !fine.isEmpty || !coarse.isEmpty else { throw .noRule }
    let mapping = Mapping(
      name: context.name, app: context.app, currency: currency ?? context.currency,
      effectiveFrom: effectiveFrom ?? context.effectiveFrom, device: context.device, isRaiseOnly: isRaiseOnly,
      measurementWindowHours: measurementWindowHours, precedence: precedence, partners: partners, fine: fine,
      coarse: coarse)
    return ImportedMapping(mapping: mapping, remarks: remarks)
  }

  mutating func drop(_ rule: Sentence, _ fault: RuleFault) {
    add(.ruleDropped, Sentence("\(rule) is dropped: \(fault.reason)"), at: rule)
  }

  /// Remarks on the members of an object that the importer does not know.
  mutating func ignoreUnknown(in object: JSONObject, of words: Sentence, known: [String]) {
    for member in object.members(otherThan: known) {
      add(.memberIgnored, Sentence("\(name: quoted(member.name)) of \(words) is not imported"), at: words)
    }
  }

  mutating func currency(_ text: String?) throws(RuleFault) -> CurrencyCode {
    guard let text else {
      add(.currencyAssumed, Sentence("no currency is written; \(context.currency) is taken"))
      return context.currency
    }
    guard let currency = CurrencyCode(anyCase: text) else {
      throw RuleFault(Sentence("\(name: quoted(text)) is not a currency"))
    }
    return currency
  }

  /// A range whose ends the format does not describe; `nil` without any end.
  mutating func range(_ low: Amount?, _ high: Amount?) throws(RuleFault) -> AmountRange? {
    guard low != nil || high != nil else { return nil }
    if context.ends == nil {
      add(
        .endsAssumed,
        Sentence("the format does not define whether ranges include their ends; both are included"))
    }
    return try range(lower: low.map(context.lower), upper: high.map(context.upper))
  }

  /// A range with its ends; no amount in it is a fault.
  func range(lower: AmountRange.Bound?, upper: AmountRange.Bound?) throws(RuleFault) -> AmountRange {
    guard let range = AmountRange(lower: lower ?? .unbounded, upper: upper ?? .unbounded) else {
      throw RuleFault(Sentence("no amount lies in its range"))
    }
    return range
  }

  /// What a range is worth; remarks where the file does not state it.
  mutating func revenue(
    _ range: AmountRange, _ currency: CurrencyCode, of event: String
  ) throws(RuleFault) -> RevenueCondition {
    guard let revenue = RevenueCondition(range, currency) else {
      throw RuleFault(Sentence("its amounts do not rise"))
    }
    if revenue.representative == nil {
      add(.noWorth, Sentence("no amount is given for \(name: quoted(event)) in \(code: range)"))
    }
    return revenue
  }

  /// All conditions of a rule; an event that comes twice is joined where one names a count and the other an amount.
  ///
  /// Where the format states that all events have to happen, nothing is remarked.
  mutating func conditions(
    _ events: [EventCondition], _ hours: HourRange? = nil, isAndStated: Bool = false
  ) throws(RuleFault) -> Conditions {
    guard events.count <= 32 else { throw RuleFault(Sentence("it asks for more than 32 events")) }
    var joined: [EventCondition] = []
    for event in events {
      guard let index = joined.firstIndex(where: { haveSameBytes($0.name, event.name) }) else {
        joined.append(event)
        continue
      }
      let first = joined[index]
      guard (first.revenue == nil) != (event.revenue == nil),
        event.count == .atLeastOnce || first.count == .atLeastOnce
      else { throw RuleFault(Sentence("it asks for \(name: quoted(event.name)) twice")) }
      joined[index] = EventCondition(
        name: event.name, count: first.count == .atLeastOnce ? event.count : first.count,
        revenue: first.revenue ?? event.revenue)
    }
    guard joined.count <= 16 else { throw RuleFault(Sentence("it asks for more than 16 events")) }
    if joined.count > 1, !isAndStated {
      add(.allEventsAssumed, Sentence("a value with several events requires all of them"))
    }
    return Conditions(events: joined, activeHours: hours)
  }

  /// The hours of days, held at the end of the range.
  static func hours(days: Int64) -> Int64 {
    let (hours, overflow) = days.multipliedReportingOverflow(by: 24)
    return overflow ? (days < 0 ? .min : .max) : hours
  }

  /// The hours that fine values are set for; outside of what a device can do they are left out with a remark.
  mutating func measurementWindow(hours: Int64?) -> Int? {
    guard let hours else { return nil }
    let longest = context.device == .skan3 ? HourRange.longest : ConversionWindow.first.endHour
    if (1...Int64(longest)).contains(hours) { return Int(hours) }
    add(
      .cutoffDropped,
      Sentence("a measurement window of \(hours) hours lies outside the first window and is dropped"))
    return nil
  }

  /// Checks that a file is for the app that the caller named.
  func require(_ app: AppID?) throws(ImportDefect) {
    if let app, app != context.app { throw .otherApp }
  }
}

// Other systems write null and an empty text where they have no value, and numbers as texts.
extension JSONObject {
  private func read<Value>(
    _ name: String, _ body: (JSONPlace) throws(JSONProblem) -> Value
  ) throws(RuleFault) -> Value? {
    guard let node = self[name], node.value != .null, node.value != .string("") else { return nil }
    do throws(JSONProblem) { return try body(JSONPlace(node)) } catch {
      throw RuleFault(Sentence("\(name: quoted(name)) \(error.predicate)"))
    }
  }

  /// A text that may be missing, null or empty.
  func text(_ name: String) throws(RuleFault) -> String? {
    try read(name) { (at) throws(JSONProblem) in try at.text() }
  }

  func requiredText(_ name: String) throws(RuleFault) -> String {
    guard let text = try text(name) else { throw RuleFault(Sentence("\(name: quoted(name)) is missing")) }
    return text
  }

  /// A whole number, written as number or text, that may be missing.
  func integer(_ name: String) throws(RuleFault) -> Int64? {
    try read(name) { (at) throws(JSONProblem) in
      if let text = at.node.value.string, let integer = Int64(text) { return integer }
      return try at.integer(in: .min...(.max))
    }
  }

  /// An amount, written as number or text, that may be missing.
  func amount(_ name: String) throws(RuleFault) -> Amount? {
    try read(name) { (at) throws(JSONProblem) in try at.amount() }
  }

  /// A yes or no, which is no when it is missing.
  func truth(_ name: String) throws(RuleFault) -> Bool {
    try read(name) { (at) throws(JSONProblem) in try at.truth() } ?? false
  }

  func member(_ name: String) throws(RuleFault) -> JSONObject? {
    try read(name) { (at) throws(JSONProblem) in try at.members().object }
  }

  func objects(_ name: String) throws(RuleFault) -> [JSONObject] {
    try read(name) { (at) throws(JSONProblem) in
      var objects: [JSONObject] = []
      for element in try at.list() { objects.append(try element.members().object) }
      return objects
    } ?? []
  }

  /// A fine value; `leftOut` is what a missing member means, `nil` where it may not be missing.
  func fineValue(_ name: String, leftOut: Int64? = nil) throws(RuleFault) -> FineValue {
    guard let integer = try integer(name) ?? leftOut else {
      throw RuleFault(Sentence("\(name: quoted(name)) is missing"))
    }
    guard let value = FineValue(integer) else {
      throw RuleFault(Sentence("value \(integer) is not one of 0 through 63"))
    }
    return value
  }

  /// The number of an app, with or without `id` before it.
  func app(_ name: String) -> AppID? {
    guard let value = self[name]?.value else { return nil }
    let text = value.string.map { $0.hasPrefix("id") ? String($0.dropFirst(2)) : $0 }
    return (value.number?.integer ?? text.flatMap { Int64($0) }).flatMap { AppID($0) }
  }

  /// A number of times; `nil` when both are missing.
  func counts(_ least: String, _ most: String) throws(RuleFault) -> CountRange? {
    try Self.counts(try integer(least), try integer(most))
  }

  static func counts(_ least: Int64?, _ most: Int64?) throws(RuleFault) -> CountRange? {
    guard least != nil || most != nil else { return nil }
    let limits: ClosedRange<Int64> = 0...1_000_000_000
    guard limits.contains(least ?? 1), limits.contains(most ?? 1),
      let range = CountRange(min: Int(least ?? min(1, most ?? 1)), max: most.map { Int($0) })
    else { throw RuleFault(Sentence("no number of times lies in its range")) }
    return range
  }

  /// Hours since install from their ends; `nil` when both are missing.
  static func hours(_ from: Int64?, _ to: Int64?) throws(RuleFault) -> HourRange? {
    guard from != nil || to != nil else { return nil }
    let limits = 0...Int64(HourRange.longest)
    guard limits.contains(from ?? 0), limits.contains(to ?? 0),
      let range = HourRange(from: Int(from ?? 0), to: to.map { Int($0) } ?? HourRange.longest)
    else { throw RuleFault(Sentence("no hour since install lies in its range")) }
    return range
  }
}
