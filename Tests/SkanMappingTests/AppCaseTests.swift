import Foundation
import Mappings
import Postbacks
import SkanMapping
import TestSupport
import Testing
import Values

/// `tools/samples/app-cases.json` is what teams test their own code with, in whatever language.
@Suite struct `The table of an app's decisions` {
  private static let place = "../../../tools/samples/app-cases.json"
  private static let randomCases = 24

  @Test func `The table of an app's decisions has the calls that the library makes`() throws {
    try expectGolden(
      try AppCaseTable(mappings(), cases() + randomCases().map(\.0)).played().text(), Self.place)
  }

  @Test func `The table of an app's decisions has all that code of others needs to get the same calls`()
    throws
  {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(Self.place)")
      .standardized
    let text = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    let table = try AppCaseTable(reading: text)
    #expect(try table.played().text() == text)
    #expect(table.cases.count > 40)
  }

  @Test func `The table of an app's decisions has the calls of the server's evaluator`() throws {
    var calls = 0
    for (item, mapping) in try randomCases() + cases().compactMap(alone) {
      var server = UserState(mapping, type: .install)
      var expected = [server.launch()].compactMap { $0 }.map(ComparedUpdate.init)
      var app = try AppConversions(mapping: AppMapping(document: mapping.appDocument()), store: MemoryStore())
      var made = try app.launch(at: epoch)
      for case .record(let name, let at, let euros, let currency, let tag) in item.steps {
        let money = euros.map { ($0 * 1e6).rounded() }.flatMap { micros in
          CurrencyCode(currency).map { Money(micros: Int64(micros), currency: $0) }
        }
        let event = UserEvent(secondsSinceInstall: at, name: name, revenue: money, conversionTag: tag)
        expected += [server.feed(event)].compactMap { $0 }.map(ComparedUpdate.init)
        made += try app.record(AppEvent(event))
      }
      #expect(made.map(ComparedUpdate.init) == expected, "\(item.name)")
      calls += made.count
    }
    #expect(calls > 60, "\(calls)")
  }

  /// A case of an install alone, in whose time nothing runs backwards, with its mapping.
  private func alone(_ item: AppCase) throws -> (AppCase, Mapping)? {
    var latest: Int64 = 0
    for step in item.steps {
      switch step {
      case .launch(at: 0): continue
      case .record(_, let at, _, _, nil) where at >= latest: latest = at
      default: return nil
      }
    }
    return try (item, #require(mappings().first { $0.name == item.document }).mapping)
  }

  // MARK: Mappings

  private func mappings() throws -> [(name: String, mapping: Mapping)] {
    let rising = try (1...9).map { try rule($0, buys: $0) }
    let first = try rule(0)
    let locked = CoarseRules(
      totals: .window,
      rules: [
        CoarseRule(value: .medium, conditions: Conditions(events: [EventCondition(name: "buy")]), lock: true)
      ])
    let rich = CoarseRules(
      totals: .sinceInstall,
      rules: [
        CoarseRule(value: .low),
        CoarseRule(value: .high, conditions: Conditions(revenue: euros(10, nil))),
      ])
    let bySum = try [(0, nil, 5.0), (10, 5.0, 20.0), (20, 20.0, nil)].map {
      (value: Int, from: Double?, to: Double?) in
      FineRule(
        value: try #require(FineValue(Int64(value))), conditions: Conditions(revenue: euros(from, to)),
        coarse: value == 20 ? .high : .low)
    }
    return try [
      ("purchases", mapping(.skan4, [first] + rising, [.second: locked, .third: rich])),
      (
        "purchases-later",
        mapping(.skan4, rising.map { try rule(Int($0.value.number) + 20, buys: Int($0.value.number)) })
      ),
      ("revenue", mapping(.skan4, bySum, hours: 24)),
      ("revenue-raise-only", mapping(.skan4, bySum, raiseOnly: true)),
      ("skan3", mapping(.skan3, rising)),
      ("skan3-hours", mapping(.skan3, [first] + rising, hours: 30)),
      ("aak", mapping(.aak, rising, [.first: rich])),
      (
        "windows",
        mapping(
          .skan4, choices(.all),
          [.first: sums(.sinceInstall), .second: sums(.window), .third: sums(.window)],
          precedence: .priority)
      ),
      ("windows-aak", mapping(.aak, choices(ConversionTypes([.reengagement]) ?? .all))),
    ] + randomCases().map { ($0.0.document, $0.1) }
  }

  /// Rules of hours, of priority, and for types of conversion.
  private func choices(_ types: ConversionTypes) throws -> [FineRule] {
    let vip = Conditions(events: [EventCondition(name: "vip")], conversionTypes: types)
    let buyer = Conditions(events: [EventCondition(name: "buy")], conversionTypes: types)
    return try [
      FineRule(value: #require(FineValue(40)), conditions: buyer),
      FineRule(value: #require(FineValue(7)), conditions: vip, coarse: .high, priority: 2),
      FineRule(
        value: #require(FineValue(7)), conditions: Conditions(events: [EventCondition(name: "close")]),
        coarse: .high, lock: true, priority: 4),
      FineRule(
        value: #require(FineValue(50)), conditions: Conditions(events: [EventCondition(name: "done")]),
        lock: true,
        priority: 3),
      FineRule(
        value: #require(FineValue(3)), conditions: Conditions(activeHours: HourRange(from: 6, to: 12)),
        priority: -1),
      FineRule(
        value: #require(FineValue(4)), conditions: Conditions(activeHours: HourRange(from: 12, to: 13)),
        priority: -2),
      FineRule(
        value: #require(FineValue(9)),
        conditions: Conditions(
          revenue: AmountRange(lower: .closed(Amount(micros: 1)), upper: .unbounded).flatMap {
            RevenueCondition($0, usd)
          }),
        priority: 1),
    ]
  }

  /// Coarse values by the revenue of a window, or of all windows.
  private func sums(_ totals: CoarseRules.Totals) -> CoarseRules {
    CoarseRules(
      totals: totals,
      rules: [
        CoarseRule(value: .medium, conditions: Conditions(revenue: euros(5, 10))),
        CoarseRule(value: .high, conditions: Conditions(revenue: euros(10, nil))),
      ])
  }

  private func rule(_ value: Int, buys: Int = 0) throws -> FineRule {
    let events =
      buys == 0 ? [] : [EventCondition(name: "buy", count: try #require(CountRange(min: buys, max: nil)))]
    return FineRule(value: try #require(FineValue(Int64(value))), conditions: Conditions(events: events))
  }

  private func euros(_ from: Double?, _ to: Double?) -> RevenueCondition? {
    func amount(_ euros: Double) -> Amount { Amount(micros: Int64(euros * 1e6)) }
    let lower = from.map { AmountRange.Bound.closed(amount($0)) } ?? .unbounded
    let upper = to.map { AmountRange.Bound.open(amount($0)) } ?? .unbounded
    return AmountRange(lower: lower, upper: upper).flatMap { RevenueCondition($0, eur) }
  }

  private func mapping(
    _ device: Mapping.Device, _ fine: [FineRule], _ coarse: [ConversionWindow: CoarseRules] = [:],
    raiseOnly: Bool = false, hours: Int? = nil, precedence: Mapping.Precedence = .highestValue
  ) throws -> Mapping {
    Mapping(
      name: "cases", app: try #require(AppID(525_463_029)), currency: eur,
      effectiveFrom: Instant(milliseconds: epoch - 1000 * day), device: device, isRaiseOnly: raiseOnly,
      measurementWindowHours: hours, precedence: precedence, fine: fine, coarse: coarse)
  }

  /// Histories of random mappings, in the order of time.
  private func randomCases() throws -> [(AppCase, Mapping)] {
    var random = SplitMix64(seed: 33)
    return (1...Self.randomCases).map { number in
      let mapping = randomMapping(&random)
      let events = randomEvents(&random, count: 8, hours: [30, 120, 900][number % 3]).filter {
        // Sums at the ends of 64 bits are no matter of apps.
        ($0.revenue?.amount.micros ?? 0).magnitude < 1 << 40
      }.sorted { $0.secondsSinceInstall < $1.secondsSinceInstall }
      let steps = events.map { event in
        AppCase.Step.record(
          event.name, at: event.secondsSinceInstall,
          euros: event.revenue.map { Double($0.amount.micros) / 1e6 },
          currency: event.revenue?.currency.text ?? "EUR")
      }
      return (AppCase("Random history \(number)", "random-\(number)", [.launch(at: 0)] + steps), mapping)
    }
  }
}
