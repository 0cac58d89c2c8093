import JSONText
import Postbacks
import Values

/// Looks in a mapping for what people regret later.
struct MappingCheck {
  let document: MappingDocument
  var log: FindingLog
  let now: Instant?
  /// The type of conversion that all rules are for; `nil` where they are for every type.
  let type: ConversionType?
  /// The fine rules that apply to a conversion of another type, so that they are not in vain.
  let reachedElsewhere: Set<Int>
  /// The fine rules that never apply; other checks leave them alone.
  var unreachable: Set<Int> = []

  init(
    _ document: MappingDocument, log: FindingLog, now: Instant?, type: ConversionType? = nil,
    reachedElsewhere: Set<Int> = []
  ) {
    self.document = document
    self.log = log
    self.now = now
    self.type = type
    self.reachedElsewhere = reachedElsewhere
  }

  var mapping: Mapping { document.mapping }

  mutating func run() {
    checkHead()
    checkPriorities()
    if mapping.isByConversionType { checkTypes() } else { checkRules() }
  }

  mutating func checkRules() {
    checkCoverage()
    checkRepeats()
    checkEffect()
    checkEvents()
    checkWindows()
    checkReach()
    checkRanges()
    checkOpenTops()
    checkCounts()
    checkBlockedMoney()
    checkLocks()
    checkCoarseOrder()
    checkRoom()
    checkPartners()
  }

  var everyCondition: [(Conditions, Place)] {
    var all = zip(mapping.fine, document.finePlaces).map { ($0.conditions, $1) }
    for (window, rules) in mapping.coarse.ordered(by: { $0.key < $1.key }) {
      all += zip(rules.rules, document.coarsePlaces[window] ?? []).map { ($0.conditions, $1) }
    }
    return all
  }

  /// What a fine rule is called in a sentence.
  func words(_ index: Int) -> Sentence {
    let rule = mapping.fine[index]
    return rule.label.map { Sentence("value \(rule.value.number) (\(name: quoted($0)))") }
      ?? Sentence("value \(rule.value.number)")
  }

  /// SKAdNetwork 3 has neither coarse values nor locks.
  private mutating func checkEffect() {
    guard !mapping.device.hasWindows else { return }
    if !mapping.coarse.isEmpty, let place = document.memberPlaces["coarse"] {
      log.report(
        .withoutEffect, place, Sentence("SKAdNetwork 3 has no coarse values"),
        repair: MappingRepair(
          Sentence("Delete the coarse values"), [.remove(JSONPath.root.member("coarse"))]))
    }
    if let index = mapping.fine.firstIndex(where: { $0.lock || $0.coarse != nil }) {
      log.report(
        .withoutEffect, document.finePlaces[index],
        Sentence("SKAdNetwork 3 has neither locks nor coarse values"))
    }
  }

  private mutating func checkPriorities() {
    guard mapping.precedence != .priority, let index = mapping.fine.firstIndex(where: { $0.priority != 0 })
    else { return }
    let priority = Mapping.Precedence.priority.rawValue
    log.report(
      .withoutEffect, document.finePlaces[index],
      Sentence("\"priority\" has no effect: the precedence is \(code: mapping.precedence.rawValue)"),
      hint: Sentence("Set \"precedence\" to \"priority\", or delete \"priority\"."),
      repair: MappingRepair(
        Sentence("Set the precedence to priority"),
        [.set(JSONPath.root.member("precedence"), .string(priority))]))
  }

  private mutating func checkEvents() {
    guard !mapping.declaredEvents.isEmpty else { return }
    let names = mapping.declaredEvents.map(\.name)
    var reported: Set<String> = []
    for (conditions, place) in everyCondition {
      for name in conditions.events.map(\.name) where !names.contains(name) && reported.insert(name).inserted
      {
        let meant = name.utf8.count <= 40 ? nearest(to: name, among: names) : nil
        log.report(
          .undeclaredEvent, place, Sentence("the app declares no event \(name: quoted(name))"),
          hint: meant.map { Sentence("Did you mean \(name: quoted($0))?") },
          repair: MappingRepair(
            Sentence("Declare \(name: quoted(name))"),
            [.append(JSONPath.root.member("declared-events"), .string(name))]))
      }
    }
  }

  /// A mapping that uses every value can't learn a new one without changing what old postbacks mean.
  private mutating func checkRoom() {
    let used = Set(mapping.fine.map(\.value.number))
    guard used.subtracting([0]).count == 63,
      let place = document.memberPlaces["fine"] ?? document.memberPlaces["grids"]
    else { return }
    log.report(
      .noRoom, place,
      Sentence("every value from 1 to 63 has a meaning; no value is free for a new one"),
      hint: Sentence(
        "Reserve some values: a new meaning for an old value makes postbacks in transit ambiguous."))
  }

  private mutating func checkPartners() {
    guard mapping.partners.contains(.meta), let place = document.memberPlaces["partners"] else { return }
    let ranges = Set(
      mapping.fine.flatMap { $0.conditions.revenues.map(\.range) }.filter { $0.last > 0 })
    guard ranges.count < 4 else { return }
    log.report(
      .fewRevenueRanges, place,
      Sentence("Meta's value optimisation requires at least four revenue ranges, found \(ranges.count)"),
      hint: Sentence("Split the revenue into at least four ranges."))
  }

  /// Ranges without an upper end: users in them need a stated worth.
  private mutating func checkOpenTops() {
    var reported: Set<JSONPath> = []
    let isForAppsFlyer = mapping.partners.contains(.appsflyer)
    for (conditions, place) in everyCondition {
      for revenue in conditions.revenues
      where revenue.range.upper == .unbounded && reported.insert(place.path).inserted {
        if isForAppsFlyer {
          log.report(
            .openTopForAppsFlyer, place,
            Sentence("AppsFlyer requires an upper end of each range: \(code: revenue.range)"),
            hint: Sentence(
              "Add an upper end; AppsFlyer counts everything above the last end in the last range."))
        } else if revenue.representative == nil, isLadderTop(revenue, conditions) {
          log.report(
            .openTopWithoutWorth, place,
            Sentence(
              "no amount is given for conversions in \(code: revenue.range); the lower end is used"),
            hint: Sentence("Add a \"representative\" amount."))
        }
      }
    }
  }

  /// Ranges of revenue that a second purchase leaves, whatever it costs.
  private mutating func checkCounts() {
    for (conditions, place) in everyCondition {
      guard let event = conditions.events.first(where: { $0.revenue != nil && $0.count.max == 1 }) else {
        continue
      }
      log.report(
        .countEndsRevenue, place,
        Sentence(
          "a user who does \(name: quoted(event.name)) twice does not match, whatever the revenue: "
            + "the count ends at 1"),
        hint: Sentence("Delete \"max\" of \"count\"; \"revenue\" limits the sum of all purchases."))
    }
  }

  /// Whether the range has a lower end that is worth something: `[0, ∞)` means only that money does not matter.
  private func isLadderTop(_ revenue: RevenueCondition, _ conditions: Conditions) -> Bool {
    revenue.range.lower.amount.map { $0 > .zero } ?? false
  }
}
