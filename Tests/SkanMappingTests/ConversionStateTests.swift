import Mappings
import Postbacks
@testable import SkanMapping
import Testing
import Values

@Suite struct `The state of an app` {
  /// A mapping in which each purchase raises the value, and which locks window 2 at the first purchase of it.
  private func counting(_ device: Mapping.Device = .skan4) throws -> Mapping {
    let fine = try (1...9).map { count in
      FineRule(
        value: try #require(FineValue(Int64(count))),
        conditions: Conditions(events: [
          EventCondition(name: "buy", count: try #require(CountRange(min: count, max: nil)))
        ]))
    }
    let late = CoarseRule(
      value: .medium, conditions: Conditions(events: [EventCondition(name: "buy")]), lock: true)
    return Mapping(
      name: "counting", app: try #require(AppID(1)), currency: usd, effectiveFrom: Instant(seconds: 0),
      device: device, fine: fine,
      coarse: device == .skan3 ? [:] : [.second: CoarseRules(totals: .window, rules: [late])])
  }

  private func app(
    _ mapping: Mapping, _ store: MemoryStore = MemoryStore(), number: UInt64 = 1
  ) throws -> AppConversions<MemoryStore> {
    try AppConversions(mapping: AppMapping(document: mapping.appDocument(number: number)), store: store)
  }

  private func buy(at seconds: Int64) -> AppEvent { AppEvent(name: "buy", time: epoch + 1000 * seconds) }

  // MARK: Clocks

  @Test func `The state of an app reopens no window after the clock was set back`() throws {
    var app = try app(counting())
    _ = try app.launch(at: epoch)
    #expect(try app.record(buy(at: 10)).map(\.fine) == [1])
    _ = try app.launch(at: epoch + 1000 * 3 * day)
    let update = try #require(try app.record(buy(at: 20)).first)
    #expect(update.window == 2 && update.fine == nil && update.lock)
    #expect(update.secondsSinceConversion == 3 * day)
    app = try self.app(counting(), app.savedStore)
    #expect(try app.record(buy(at: -5 * day)).isEmpty)
  }

  @Test func `The state of an app never lowers a value of SKAdNetwork 3, whatever the clock shows`() throws {
    var random = SplitMix64(seed: 3)
    for round in 0..<150 {
      var app = try app(randomMapping(&random, device: .skan3))
      var values = try app.launch(at: epoch).map { $0.fine ?? 0 }
      var (latest, lastRise) = (Int64(0), Int64(0))
      for _ in 0..<20 {
        let seconds = Int64(random.number(below: Int(6 * day))) - 2 * day
        let event = AppEvent(
          name: "a", time: epoch + 1000 * seconds,
          micros: Int64(random.number(below: 40_000_000)) - 9_000_000,
          currency: "USD")
        latest = max(latest, seconds)
        for update in try app.record(event) {
          #expect(latest < lastRise + day, "round \(round): after the timer ran out")
          if (update.fine ?? 0) > 0 { lastRise = latest }
          values.append(update.fine ?? 0)
        }
        if random.happens(0.2) { app = try self.app(randomMapping(&random), app.savedStore, number: 9) }
      }
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "round \(round): \(values)")
    }
  }

  @Test func `The state of an app closes the windows that a clock set ahead passed`() throws {
    var app = try app(counting())
    _ = try app.launch(at: epoch)
    #expect(try app.record(buy(at: 5 * 365 * day)).isEmpty)
    #expect(try app.record(buy(at: hour)).isEmpty)
  }

  @Test func `The state of an app takes the last and first moments that a clock can show`() throws {
    var app = try app(counting())
    _ = try app.launch(at: .min)
    #expect(try app.record(AppEvent(name: "buy", time: .min)).map(\.fine) == [1])
    #expect(try app.record(AppEvent(name: "buy", time: .max)).isEmpty)
  }

  // MARK: Relaunches

  @Test func `The state of an app returns an update again until it is confirmed or its window ends`() throws {
    var app = try app(counting())
    _ = try app.launch(at: epoch)
    let update = try #require(try app.record(buy(at: 10)).first)
    app = try self.app(counting(), app.savedStore)
    #expect(try app.launch(at: epoch + 60_000) == [update])
    try app.confirm(update)
    app = try self.app(counting(), app.savedStore)
    #expect(try app.launch(at: epoch + 90_000).isEmpty)
    let second = try #require(try app.record(buy(at: 100)).first)
    try app.confirm(update)
    #expect(try app.launch(at: epoch + 120_000) == [second])
    #expect(try app.launch(at: epoch + 1000 * 2 * day).isEmpty)
  }

  @Test func `The state of an app stays with the mapping of the first launch`() throws {
    var app = try app(counting())
    _ = try app.launch(at: epoch)
    _ = try app.record(buy(at: 10))
    let other = Mapping(
      name: "other", app: try #require(AppID(1)), currency: usd, effectiveFrom: Instant(seconds: 0),
      device: .skan4, fine: [FineRule(value: try #require(FineValue(50)))])
    app = try self.app(other, app.savedStore, number: 2)
    #expect(try app.record(buy(at: 20)).map(\.fine) == [2])
    try app.use(AppMapping(document: other.appDocument(number: 3)))
    #expect(try app.record(buy(at: 30)).map(\.fine) == [3])
    // A new device follows the new version.
    var fresh = try self.app(other, number: 2)
    #expect(try fresh.launch(at: epoch).map(\.fine) == [50])
  }

  @Test func `The state of an app keeps no document that no conversion follows`() throws {
    var app = try app(counting(.aak))
    _ = try app.launch(at: epoch)
    try app.use(AppMapping(document: counting(.aak).appDocument(number: 2)))
    _ = try app.reengage(tag: "x", at: epoch + 1000 * day)
    #expect(app.savedStore.items.keys.sorted() == ["mapping-0000000000000002", "sent", "state"])
  }

  private struct FullStore: StateStore {
    struct Full: Error {}
    var isFull = false
    var items = MemoryStore()
    mutating func load(_ item: String) -> [UInt8]? { items.load(item) }
    mutating func remove(_ item: String) { items.remove(item) }
    mutating func save(_ bytes: [UInt8], as item: String) throws {
      if isFull { throw Full() }
      items.save(bytes, as: item)
    }
  }

  @Test func `The state of an app counts nothing that it cannot save`() throws {
    var app = try AppConversions(
      mapping: AppMapping(document: counting().appDocument()), store: FullStore(isFull: true))
    #expect(throws: FullStore.Full.self) { _ = try app.record(buy(at: 1)) }
    #expect(app.stateBytes < 30, "No conversion began.")
    #expect(throws: FullStore.Full.self) { _ = try app.record(buy(at: 1)) }
  }

  // MARK: Damage

  @Test(arguments: Mapping.Device.allCases)
  func `The state of an app lowers nothing after any damage`(device: Mapping.Device) throws {
    var random = SplitMix64(seed: 5)
    var (restarted, lost) = (0, 0)
    for round in 0..<100 {
      let mapping = randomMapping(&random, device: device)
      var app = try app(mapping)
      var highest: [Int: (fine: Int, coarse: Int8)] = [:]
      func note(_ updates: [AppUpdate], isAfter: Bool) {
        for update in updates {
          let (fine, coarse) = (update.fine ?? -1, update.coarse?.rank ?? -1)
          if isAfter, let sent = highest[update.window] {
            #expect(fine >= sent.fine && coarse >= sent.coarse, "round \(round)")
          }
          highest[update.window] = (fine, coarse)
        }
      }
      note(try app.launch(at: epoch), isAfter: false)
      let events = randomEvents(&random, count: 16, hours: 100).sorted {
        $0.secondsSinceInstall < $1.secondsSinceInstall
      }
      for event in events.prefix(8) { note(try app.record(AppEvent(event)), isAfter: false) }
      var store = app.savedStore
      damage("state", of: &store, &random)
      if random.happens(0.2) { damage("sent", of: &store, &random) }
      app = try self.app(mapping, store)
      #expect(app.recovery != .none, "round \(round)")
      if app.recovery == .restarted { restarted += 1 } else { lost += 1 }
      let isLost = app.recovery == .lost
      for event in events.dropFirst(8) {
        let updates = try app.record(AppEvent(event))
        if isLost { #expect(updates.isEmpty) }
        note(updates, isAfter: true)
        if random.happens(0.2) {
          app = try self.app(mapping, app.savedStore)
          note(try app.launch(at: epoch), isAfter: true)
        }
      }
    }
    #expect(restarted > 50 && lost > 5, "\(restarted), \(lost)")
  }

  private func damage(_ item: String, of store: inout MemoryStore, _ random: inout SplitMix64) {
    var bytes = store.items[item] ?? []
    switch random.number(below: 4) {
    case 0: bytes = Array(bytes.prefix(random.number(below: bytes.count)))
    case 1: bytes.append(0)
    case 2: bytes = (0..<random.number(below: 40)).map { _ in UInt8(random.number(below: 256)) }
    default: bytes[random.number(below: bytes.count)] ^= UInt8(1 + random.number(below: 255))
    }
    store.items[item] = bytes
  }

  @Test func `The state of an app detects each changed byte`() throws {
    var app = try app(counting())
    _ = try app.launch(at: epoch)
    _ = try app.record(buy(at: 10))
    let whole = try #require(app.savedStore.items["state"])
    #expect(AppState(whole, withCounters: true) != nil)
    for place in whole.indices {
      for change: UInt8 in [1, 64, 128, 255] {
        var bytes = whole
        bytes[place] ^= change
        #expect(AppState(bytes, withCounters: true) == nil)
      }
    }
    for count in whole.indices { #expect(AppState(Array(whole.prefix(count)), withCounters: true) == nil) }
  }

  @Test func `The state of an app reads any sealed bytes without a crash`() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<2_000 {
      let form: UInt8 = random.happens(0.5) ? 1 : 129
      let bytes =
        [form]
        + (0..<random.number(below: 60)).map { _ in
          UInt8(random.number(below: 256) & random.number(below: 256))
        }
      if let state = AppState(sealed(bytes), withCounters: form == 1) {
        #expect(AppState(state.encoded(withCounters: true), withCounters: true) != nil)
      }
    }
  }

  @Test func `The state of an app without its document makes no update under another one`() throws {
    var app = try app(counting())
    _ = try app.launch(at: epoch)
    _ = try app.record(buy(at: 10))
    var store = app.savedStore
    store.items["mapping-0000000000000001"]?[20] ^= 1
    app = try self.app(counting(), store, number: 2)
    #expect(app.recovery == .lost)
    #expect(try app.record(buy(at: 20)).isEmpty)
    // The same version from the server takes its place.
    app = try self.app(counting(), store, number: 1)
    #expect(app.recovery == .none)
    #expect(try app.record(buy(at: 30)).map(\.fine) == [2])
    #expect(app.savedStore.items["mapping-0000000000000001"] != store.items["mapping-0000000000000001"])
  }

  // MARK: Size

  @Test func `The state of an app has at most 1,024 bytes under the largest mapping that is read`() throws {
    // 69 sums of money and their events: 69 · 11 = 759 bytes.
    let extreme = try large(events: 69)
    var app = try AppConversions(mapping: AppMapping(document: extreme), store: MemoryStore())
    _ = try app.launch(at: epoch)
    for index in 0..<69 {
      _ = try app.record(
        AppEvent(name: "event \(index)", time: epoch + 1_000_000, micros: .min, currency: "USD"))
      #expect(app.stateBytes <= 1024)
    }
    #expect(app.stateBytes > 800)
    let error = #expect(throws: AppDocumentError.self) { try AppMapping(document: large(events: 70)) }
    #expect(
      error?.description
        == "document: found rules whose counters need 770 bytes; allowed is at most 768 bytes: 10 for each sum of money, "
        + "1 to 5 for each event.")
  }

  @Test func `The state of an app gives up the oldest conversions if all do not fit`() throws {
    var rules = ReengagementRules()
    rules.areOverlapping = true
    var app = try AppConversions(
      mapping: AppMapping(document: large(events: 60)), store: MemoryStore(), reengagements: rules)
    _ = try app.launch(at: epoch)
    for number in 0..<4 {
      let time = epoch + Int64(number) * 1_000_000
      let tag = "\(number)" + String(repeating: "t", count: 62)
      _ = try app.reengage(tag: tag, at: time)
      for index in 0..<60 {
        _ = try app.record(AppEvent(name: "event \(index)", time: time, micros: .max, currency: "USD"))
        #expect(app.stateBytes <= 1024)
      }
    }
    #expect(
      AppState(try #require(app.savedStore.items["state"]), withCounters: true)?.conversions.count == 1)
  }

  private func large(events: Int) throws -> [UInt8] {
    let rules = try (0..<events).map { index in
      FineRule(
        value: try #require(FineValue(Int64(index % 64))),
        conditions: Conditions(events: [
          EventCondition(
            name: "event \(index)",
            revenue: RevenueCondition(
              try #require(AmountRange(lower: .closed(Amount(micros: 1)), upper: .unbounded)), usd))
        ]))
    }
    return Mapping(
      name: "large", app: try #require(AppID(1)), currency: usd, effectiveFrom: Instant(seconds: 0),
      device: .aak, fine: rules
    ).appDocument()
  }
}
