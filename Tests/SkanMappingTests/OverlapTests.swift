import Mappings
import Postbacks
@testable import SkanMapping
import Testing
import Values

@Suite struct `The overlap with another source` {
  /// Fine values count purchases; window 3 shows the overlap, and medium for users who buy.
  private func mapping() throws -> Mapping {
    let buy = Conditions(events: [EventCondition(name: "buy")])
    return Mapping(
      name: "overlap", app: try #require(AppID(1)), currency: usd, effectiveFrom: Instant(seconds: 0),
      device: .skan4, fine: [FineRule(value: try #require(FineValue(1)), conditions: buy)],
      coarse: [
        .third: CoarseRules(rules: SourceOverlapRules.rules + [CoarseRule(value: .medium, conditions: buy)])
      ])
  }

  private func app(
    _ store: MemoryStore = MemoryStore()
  ) throws -> AppConversions<MemoryStore> {
    try AppConversions(mapping: AppMapping(document: mapping().appDocument(number: 1)), store: store)
  }

  @Test func `Libraries and server name the same events`() {
    #expect(OverlapShare.attributed == SourceOverlapRules.attributed)
    #expect(OverlapShare.notAttributed == SourceOverlapRules.notAttributed)
  }

  @Test(arguments: [0.0, 0.1, 0.5, 1.0])
  func `About the share of installs is in it, and stays in it`(share: Double) {
    let count = 20_000
    // A launch every 1.7 seconds, as of an app with many installs.
    let included = (0..<count).count { OverlapShare.includes(start: epoch + Int64($0) * 1_700, share: share) }
    let error = 4 * (share * (1 - share) / Double(count)).squareRoot()
    #expect(abs(Double(included) / Double(count) - share) <= error)
  }

  @Test func `Installs of the share show it in window 3 alone, and no fine value changes`() throws {
    for (isAttributed, coarse) in [(true, AppCoarseValue.high), (false, .low)] {
      var app = try app()
      _ = try app.launch(at: epoch)
      #expect(try app.recordOverlap(isAttributed: isAttributed, share: 1, at: epoch + 1000).isEmpty)
      let bought = try app.record(AppEvent(name: "buy", time: epoch + 2000))
      #expect(bought.map(\.fine) == [1] && bought.map(\.coarse) == [nil])
      app = try self.app(app.savedStore)
      let update = try #require(
        try app.recordOverlap(isAttributed: isAttributed, share: 1, at: epoch + 9 * day * 1000).first)
      #expect(update.window == 3 && update.fine == nil)
      // Medium is higher than low, and the app bought.
      #expect(update.coarse == (isAttributed ? coarse : .medium))
    }
  }

  @Test func `Installs outside of the share show nothing, and the first call begins the install`() throws {
    var app = try app()
    for hour in [0, 200, 300] {
      #expect(
        try app.recordOverlap(isAttributed: true, share: 0, at: epoch + Int64(hour) * 3_600_000).isEmpty)
    }
    let update = try #require(try app.record(AppEvent(name: "buy", time: epoch + 301 * 3_600_000)).first)
    #expect(update.window == 3 && update.coarse == .medium && update.conversionStart == epoch)
  }

  @Test func `A window shows the overlap if its low and high value stand for nothing else`() throws {
    #expect(try mapping().overlapWindow == .third)
    func window(
      _ rules: [CoarseRule], device: Mapping.Device = .skan4, totals: CoarseRules.Totals = .sinceInstall
    )
      throws -> ConversionWindow?
    {
      Mapping(
        name: "m", app: try #require(AppID(1)), currency: usd, effectiveFrom: Instant(seconds: 0),
        device: device,
        fine: [], coarse: [.second: CoarseRules(totals: totals, rules: rules)]
      ).overlapWindow
    }
    #expect(try window(SourceOverlapRules.rules) == .second)
    #expect(try window(SourceOverlapRules.rules, device: .aak) == .second)
    #expect(try window(SourceOverlapRules.rules, device: .skan3) == nil)
    #expect(try window(SourceOverlapRules.rules, totals: .window) == nil)
    #expect(try window(Array(SourceOverlapRules.rules.dropFirst())) == nil)
    #expect(try window(SourceOverlapRules.rules + [CoarseRule(value: .low)]) == nil)
  }
}
