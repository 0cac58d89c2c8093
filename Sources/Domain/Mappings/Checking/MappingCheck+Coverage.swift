import JSONText
import Postbacks
import Values

// Users without a value in the mapping: big payers, plain installs, users of small campaigns.

extension MappingCheck {
  /// How far from today a mapping may start, either way, before the check asks about the year: two years.
  private static let farAway: Int64 = 2 * 366 * Day.milliseconds

  mutating func checkHead() {
    if mapping.app.number == 0, let place = document.memberPlaces["app"] {
      log.report(
        .placeholderApp, place, Sentence("app 0 is only in test postbacks of apps that Xcode installed"),
        hint: Sentence("Write the app's id in the App Store, the digits behind \"id\" in its address."))
    }
    guard let now, let place = document.memberPlaces["effective-from"] else { return }
    let distance = mapping.effectiveFrom.milliseconds - now.milliseconds
    guard abs(distance) > Self.farAway else { return }
    let years = abs(distance) / (365 * Day.milliseconds)
    let day = mapping.effectiveFrom.day
    log.report(
      .farDate, place,
      distance > 0
        ? Sentence("the mapping starts on \(day), \(years) years from now")
        : Sentence("the mapping starts on \(day), \(years) years ago"),
      hint: Sentence(
        "Check the year; skan decodes a postback with the mapping version in effect at the install."))
  }

  /// Looks for users who get no value.
  mutating func checkCoverage() {
    guard !mapping.fine.isEmpty || mapping.coarse.values.contains(where: { !$0.rules.isEmpty }) else {
      log.report(
        .noRules, document.root, Sentence("the mapping has no rules, so no value can be set or decoded"),
        hint: Sentence(
          "Add rules to \"fine\" or \"grids\", such as \(code: Self.ruleText(label: "installed"))."))
      return
    }
    checkTops()
    guard mapping.device.hasWindows else { return }
    checkPlainInstalls()
    checkSmallCrowds()
  }

  private var fineMember: Place {
    document.memberPlaces["fine"] ?? document.memberPlaces["grids"] ?? document.root
  }

  /// SKAdNetwork 3 registers value 0 at the first launch; later frameworks send nothing for a window without a value.
  private mutating func checkPlainInstalls() {
    var totals = Totals()
    // A rule on the first launch itself, whatever the app calls it, is one for plain installs.
    for name in mapping.eventNames
    where ["install", "first_open", "launch"].contains(where: name.lowercased().contains) {
      totals.events[name] = Totals.Event(count: 1)
    }
    guard mapping.fineRule(for: totals, at: 0) == nil,
      mapping.coarse[.first]?.rule(for: totals, at: 0) == nil
    else { return }
    let isBack = type == .reengagement
    let device = mapping.device.rawValue
    let rule =
      isBack
      ? Self.ruleText(label: "came back", ", \"conversion-types\": [\"re-engagement\"]")
      : Self.ruleText(label: "installed")
    log.report(
      .nothingForInstalls, fineMember,
      isBack
        ? Sentence(
          "a user who only comes back to the app gets no value and sends no postback: "
            + "\(code: device) sends none for a window without a value")
        : Sentence(
          "a user who only installs the app gets no value and sends no postback: "
            + "\(code: device) sends none for a window without a value"),
      hint: mapping.precedence == .listOrder
        ? Sentence(
          "Add \(code: rule) as the last rule of \"fine\", with a \"coarse\" where other rules have one.")
        : Sentence("Add \(code: rule) to \"fine\", with a \"coarse\" where other rules have one."),
      repair: installRule(isBack: isBack))
  }

  private static func ruleText(label: String, _ more: String = "") -> String {
    "{ \"value\": 0, \"label\": \"\(label)\"\(more) }"
  }

  /// Adds a rule for users who do nothing further; `nil` where value 0 is taken.
  private func installRule(isBack: Bool) -> MappingRepair? {
    guard !mapping.fine.contains(where: { $0.value == .zero }) else { return nil }
    var members: [JSONOutput.Member] = [
      .init("value", 0), .init("label", .string(isBack ? "came back" : "installed")),
    ]
    if isBack { members.append(.init("conversion-types", ["re-engagement"])) }
    if mapping.fine.contains(where: { $0.coarse != nil }) { members.append(.init("coarse", "low")) }
    let rule = JSONOutput.object(members)
    let fine = JSONPath.root.member("fine")
    return MappingRepair(
      Sentence("Add value 0"),
      [document.memberPlaces["fine"] == nil ? .set(fine, [rule]) : .append(fine, rule)])
  }

  /// Apple reports for a small group a coarse value or no value.
  private mutating func checkSmallCrowds() {
    let without = mapping.fine.indices.filter { coarse(with: $0) == nil }
    let values = Set(without.map { mapping.fine[$0].value.number }).sorted()
    guard !values.isEmpty else { return }
    let isAll = without.count == mapping.fine.count
    let some = values.prefix(5).map { "\($0)" }.joined(separator: ", ") + (values.count > 5 ? ", …" : "")
    log.report(
      .nothingForSmallCrowds, isAll ? fineMember : document.finePlaces[without[0]],
      isAll
        ? Sentence(
          "no rule of a fine value has a coarse value, so Apple withholds everything below the privacy threshold"
        )
        : Sentence(
          "the rules of \(code: some) have no coarse value, so Apple withholds everything below the privacy "
            + "threshold"),
      hint: Sentence("Give rules a \"coarse\" of low, medium or high, or add window 1 to \"coarse\"."))
  }

  /// The highest ranges that have an end, where no user above them gets a value.
  private mutating func checkTops() {
    // AppsFlyer has no open ranges, and puts everything above the last end into the last range.
    guard !mapping.partners.contains(.appsflyer) else { return }
    let mapping = mapping
    checkTops(mapping.fine.map(\.conditions), document.finePlaces, Sentence("value")) {
      mapping.fineRule(for: $0, at: $1) != nil
    }
    for (window, coarse) in mapping.coarse.ordered(by: { $0.key < $1.key }) {
      let what = Sentence("coarse value of window \(window.rawValue + 1)")
      checkTops(coarse.rules.map(\.conditions), document.coarsePlaces[window] ?? [], what) {
        coarse.rule(for: $0, at: $1) != nil
      }
    }
  }

  private mutating func checkTops(
    _ rules: [Conditions], _ places: [Place], _ what: Sentence, gets: (Totals, Int64) -> Bool
  ) {
    var tops: [RevenueKey: Int] = [:]
    for index in rules.indices {
      for (key, range) in rules[index].ranges where range.last > 0 {
        if let top = tops[key].flatMap({ rules[$0].ranges[key]?.last }), top >= range.last { continue }
        tops[key] = index
      }
    }
    for (key, index) in tops.ordered(by: { $0.value < $1.value }) {
      guard let range = rules[index].ranges[key], range.last < .max else { continue }
      let (totals, seconds) = rules[index].example(with: Amount(micros: range.last + 1), of: key)
      guard !gets(totals, seconds), let end = range.upper.amount else { continue }
      let amount =
        range.contains(end)
        ? Sentence("above \(end) \(key.currency)") : Sentence("from \(end) \(key.currency) up")
      log.report(
        .nothingAboveTop, places[index],
        key.event.map {
          Sentence(
            "no \(what) is for users with revenue \(amount) of \(name: quoted($0)); they keep a lower value or "
              + "get none")
        } ?? Sentence("no \(what) is for users with revenue \(amount); they keep a lower value or get none"),
        hint: Sentence(
          "Add a range without an upper end: in a grid `null` as the last edge, with `worth`; in a rule no `to`, "
            + "with a `representative`."),
        repair: MappingRepair(openingTopOf: places[index].path, key))
    }
  }
}

extension RevenueKey {
  fileprivate var currency: CurrencyCode {
    switch self {
    case .total(let currency), .event(_, let currency): currency
    }
  }

  /// The event whose revenue it is; `nil` for that of all events.
  fileprivate var event: String? { if case .event(let name, _) = self { name } else { nil } }
}

extension Conditions {
  /// A user who has done what the conditions ask for, but for the amount of one sum, and the moment.
  fileprivate func example(with amount: Amount, of key: RevenueKey) -> (Totals, Int64) {
    var (totals, seconds) = example
    switch key {
    case .total(let currency): totals.revenue[currency] = amount
    case .event(let name, let currency):
      totals.events[name]?.revenue[currency] = amount
      if revenue == nil { totals.revenue[currency] = max(amount, totals.revenue[currency] ?? .zero) }
    }
    return (totals, seconds)
  }
}

extension MappingRepair {
  /// Takes the upper end of a rule's own range of all its revenue away; `nil` for a grid, whose values would move.
  fileprivate init?(openingTopOf rule: JSONPath, _ key: RevenueKey) {
    guard rule.steps.first != .member("grids"), case .total = key else { return nil }
    self.init(Sentence("Remove the upper end"), [.remove(rule.member("revenue").member("to"))])
  }
}
