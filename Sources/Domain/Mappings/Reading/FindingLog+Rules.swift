import JSONText
import Postbacks
import Values

extension FindingLog {
  mutating func rule(_ at: JSONPlace, currency: CurrencyCode?) -> FineRule? {
    let before = count
    guard let members = members(at, .rule) else { return nil }
    let value = integer(members["value"], in: 0...63).flatMap { FineValue($0) }
    let conditions = conditions(members, currency: currency)
    let label = text(members["label"])
    let coarse: CoarseValue? = word(members["coarse"])
    let lock = truth(members["lock"]) ?? false
    let priority = integer(members["priority"], in: -1_000_000...1_000_000) ?? 0
    guard count == before, let value else { return nil }
    return FineRule(
      value: value, conditions: conditions, label: label, coarse: coarse, lock: lock, priority: Int(priority))
  }

  mutating func coarseRule(_ at: JSONPlace, value: CoarseValue, currency: CurrencyCode?) -> CoarseRule? {
    let before = count
    guard let members = members(at, .coarseRule) else { return nil }
    let conditions = conditions(members, currency: currency)
    let label = text(members["label"])
    let lock = truth(members["lock"]) ?? false
    guard count == before else { return nil }
    return CoarseRule(value: value, conditions: conditions, label: label, lock: lock)
  }

  private mutating func conditions(_ members: JSONMembers, currency: CurrencyCode?) -> Conditions {
    let events = list(members["events"], atMost: 16) { $0.event($1, currency: currency) }
    rejectRepeats(events.map(\.name), members["events"])
    return Conditions(
      events: events, revenue: members["revenue"].flatMap { revenue($0, currency: currency) },
      activeHours: members["active-hours"].flatMap { hours($0) },
      conversionTypes: conversionTypes(members["conversion-types"]))
  }

  mutating func conversionTypes(_ at: JSONPlace?) -> ConversionTypes {
    let types: [ConversionType] = list(at, atMost: 2) { $0.word($1) }
    rejectRepeats(types.map(\.rawValue), at)
    if let at, at.elements?.isEmpty == true {
      report(
        .outOfRange, at.place,
        Sentence("this array names no conversion type, so that the rule never applies"),
        hint: Sentence(
          "Write \"install\" or \"re-engagement\", or leave the member out where both are meant."))
    }
    return ConversionTypes(types) ?? .all
  }

  mutating func event(_ at: JSONPlace, currency: CurrencyCode?) -> EventCondition? {
    if case .string = at.node.value { return text(at).map { EventCondition(name: $0) } }
    guard let members = members(at, .event) else { return nil }
    let name = text(members["name"])
    let count = members["count"].flatMap { countRange($0) } ?? .atLeastOnce
    let revenue = members["revenue"].flatMap { self.revenue($0, currency: currency) }
    return name.map { EventCondition(name: $0, count: count, revenue: revenue) }
  }

  private mutating func countRange(_ at: JSONPlace) -> CountRange? {
    guard let members = members(at, .count) else { return nil }
    let most: Int64 = 1_000_000_000
    let least = integer(members["min"], in: 0...most) ?? 1
    let top = integer(members["max"], in: 0...most)
    if let range = CountRange(min: Int(least), max: top.map { Int($0) }) { return range }
    report(.emptyRange, at.place, Sentence("no count is at least \(least) and at most \(top ?? 0)"))
    return nil
  }

  private mutating func hours(_ at: JSONPlace) -> HourRange? {
    let before = count
    guard let members = members(at, .activeHours) else { return nil }
    let bounds = Int64(0)...Int64(HourRange.longest)
    guard let from = integer(members["from"], in: bounds), let to = integer(members["to"], in: bounds),
      count == before
    else { return nil }
    if let range = HourRange(from: Int(from), to: Int(to)) { return range }
    report(
      .emptyRange, at.place, Sentence("the range of hours \(from) to \(to) is empty"),
      hint: Sentence("\"to\" is exclusive and must be after \"from\"."))
    return nil
  }

  private mutating func revenue(_ at: JSONPlace, currency: CurrencyCode?) -> RevenueCondition? {
    let before = count
    guard let members = members(at, .revenue) else { return nil }
    let from = bound(members, "from", includes: truth(members["includes-from"]) ?? true)
    let to = bound(members, "to", includes: truth(members["includes-to"]) ?? false)
    let code = members["currency"].map { self.currency($0) } ?? currency
    let low = amount(members["low"])
    let representative = amount(members["representative"])
    let high = amount(members["high"])
    guard count == before, let code else { return nil }
    if representative == nil, from == .unbounded && low != nil || to == .unbounded && high != nil {
      reportEndless(at, members, hasNoEnd: from == .unbounded && to == .unbounded)
    }
    checkEdge(members["from"], from.amount, code)
    checkEdge(members["to"], to.amount, code)
    guard let range = AmountRange(lower: from, upper: to) else {
      report(
        .emptyRange, at.place, Sentence("the range of amounts is empty"),
        hint: Sentence("\"to\" must be above \"from\"; if both are equal, both ends must be included."))
      return nil
    }
    guard
      let condition = RevenueCondition(range, code, low: low, representative: representative, high: high)
    else {
      report(
        .worthOutsideRange, at.place, Sentence("low, representative and high are not in ascending order"),
        hint: Sentence("If one is omitted, the end or the middle of the range is used."))
      return nil
    }
    return condition
  }

  /// A range without an end goes on for ever; people who write what is counted there mean the end.
  private mutating func reportEndless(_ at: JSONPlace, _ members: JSONMembers, hasNoEnd: Bool) {
    let renames = [("low", "from"), ("high", "to")].filter { members[$0.0] != nil && members[$0.1] == nil }
    let (counted, end) = renames.first ?? ("high", "to")
    report(
      .rangeWithoutEnd, at.place,
      hasNoEnd
        ? Sentence(
          "every amount is in this range: \"low\" and \"high\" are what is counted, and it has neither \"from\" "
            + "nor \"to\"")
        : Sentence("this range has no \(code: quoted(end)): \(code: quoted(counted)) is what is counted"),
      hint: Sentence("Write the ends of the range as \"from\" and \"to\"."),
      repair: MappingRepair(
        Sentence("Write them as the ends"), renames.map { .rename(at.path.member($0.0), $0.1) }))
  }

  private mutating func bound(_ members: JSONMembers, _ name: String, includes: Bool) -> AmountRange.Bound {
    guard let at = members[name], at.node.value != .null, let amount = amount(at) else { return .unbounded }
    return includes ? .closed(amount) : .open(amount)
  }

  mutating func rejectRepeats(_ names: [String], _ at: JSONPlace?) {
    var seen: Set<String> = []
    guard let at, let name = names.first(where: { !seen.insert($0).inserted }) else { return }
    report(.repeatedName, at.place, Sentence("\(name: quoted(name)) is a duplicate"))
  }
}
