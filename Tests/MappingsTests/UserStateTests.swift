import Mappings
import Postbacks
import Testing
import Values

@Suite struct `A user's device` {
  private let tiers = #"""
    "fine":[
      {"value":1,"events":["signup"]},
      {"value":2,"revenue":{"from":0,"includes-from":false,"to":20,"includes-to":true}},
      {"value":3,"revenue":{"from":20,"includes-from":false,"to":100}},
      {"value":4,"revenue":{"from":100},"lock":true}]
    """#

  private func values(_ replay: Mapping.Replay) -> [Int?] {
    replay.updates.map { $0.fine.map { Int($0.number) } }
  }

  @Test func `A user's device sets the practitioner's values`() throws {
    let mapping = try mapping(subscriptions)
    let replay = mapping.replay([
      event("open", hour: 1), event("subs_success", hour: 2, try usd("9.99")),
      event("subs_success", hour: 3, try usd("10.01")), event("open", hour: 13),
      event("open", hour: 23.99), event("open", hour: 24), event("open", hour: 48),
    ])
    #expect(values(replay) == [6, 7, 11, 15])
    #expect(replay.updates.map(\.time) == [7200, 10800, 46800, 86400])
    #expect(replay.postbacks.map(\.fine?.number) == [15])
    #expect(replay.postbacks.map(\.sendEarliest) == [3 * 86400])
    #expect(replay.postbacks.map(\.sendLatest) == [4 * 86400])
  }

  @Test(arguments: [
    ("0", nil), ("0.000001", 2), ("20", 2), ("20.000001", 3), ("99.999999", 3), ("100", 4),
  ]) func `A user's device uses the stated bounds`(amount: String, value: Int?) throws {
    let replay = try mapping(skan: "skan4", tiers).replay([event("buy", hour: 1, try usd(amount))])
    #expect(values(replay).last ?? nil == value)
  }

  @Test func `A user's device lowers sums by refunds, and the value only if the protocol allows it`() throws {
    let stream = [
      event("signup", hour: 1), event("buy", hour: 2, try usd("50")),
      event("refund", hour: 3, try usd("-40")),
      event("refund", hour: 4, try usd("-10")),
    ]
    #expect(values(try mapping(skan: "skan4", tiers).replay(stream)) == [1, 3, 2, 1])
    #expect(values(try mapping(skan: "skan3", tiers).replay(stream)) == [1, 3])
    #expect(values(try mapping(skan: "aak", #""raise-only":true,"# + tiers).replay(stream)) == [1, 3])
  }

  @Test func `A user's device stops at a lock until the next window`() throws {
    let rest = tiers + #","coarse":[{"window":2,"high":{"revenue":{"from":200}},"low":{}}]"#
    let replay = try mapping(skan: "skan4", rest).replay([
      event("buy", hour: 10, try usd("100")), event("buy", hour: 11, try usd("1000")),
      event("open", hour: 48), event("refund", hour: 49, try usd("-1000")),
    ])
    #expect(values(replay) == [4, nil, nil])
    #expect(replay.updates.map(\.lock) == [true, false, false])
    #expect(replay.updates.map(\.coarse) == [nil, .high, .low])
    let earliest: [Int64] = [34 * 3600, 8 * 86400]
    let latest: [Int64] = [58 * 3600, 13 * 86400]
    #expect(replay.postbacks.map(\.sendEarliest) == earliest)
    #expect(replay.postbacks.map(\.sendLatest) == latest)
  }

  @Test(arguments: [
    (0, 1), (172_799, 1), (172_800, 2), (604_799, 2), (604_800, 3), (3_023_999, 3), (3_024_000, nil),
  ]) func `A user's device is in one window at a time`(seconds: Int64, window: Int?) throws {
    let every = #""coarse":[{"window":1,"low":{}},{"window":2,"low":{}},{"window":3,"low":{}}]"#
    var state = UserState(try mapping(skan: "skan4", every))
    let update = state.feed(UserEvent(secondsSinceInstall: seconds, name: "open"))
    #expect(update.map { $0.window.rawValue + 1 } == window)
  }

  @Test(arguments: [(86_399, 1), (86_400, 0)])
  func `A user's device has 24 hours for its first rise under SKAdNetwork 3`(
    seconds: Int64, count: Int
  ) throws {
    let buy = UserEvent(secondsSinceInstall: seconds, name: "buy", revenue: try usd("5"))
    #expect(values(try mapping(skan: "skan3", tiers).replay([buy])).count == count)
  }

  @Test func `A user's device restarts SKAdNetwork 3's timer with each rise only`() throws {
    let mapping = try mapping(skan: "skan3", tiers)
    let first = [event("signup", hour: 20), event("open", hour: 40)]
    let rises = mapping.replay(first + [event("buy", hour: 43.5, try usd("5"))])
    #expect(values(rises) == [1, 2])
    #expect(rises.postbacks.map(\.sendEarliest) == [Int64(67.5 * 3600)])
    let late = mapping.replay(first + [event("buy", hour: 44, try usd("5"))])
    #expect(values(late) == [1])
    #expect(late.postbacks.map(\.sendEarliest) == [44 * 3600])
    #expect(late.postbacks.map(\.sendLatest) == [68 * 3600])
    #expect(mapping.replay([]).postbacks.map(\.fine?.number) == [0])
    let never = try MappingsTests.mapping(skan: "skan4", tiers).replay([])
    #expect(never.postbacks.isEmpty)
  }

  @Test func `A user's device saturates with a flag and never adds currencies`() throws {
    let mapping = try mapping(skan: "skan4", tiers)
    let euro = try #require(CurrencyCode("EUR"))
    let foreign = mapping.replay([event("buy", hour: 1, Money(micros: 50_000_000, currency: euro))])
    #expect(values(foreign).isEmpty)
    let most = Money(Amount(micros: .max), try usd("1").currency)
    let huge = mapping.replay([event("buy", hour: 1, most), event("buy", hour: 2, most)])
    #expect(values(huge) == [4] && huge.didSaturate)
    let order = mapping.replay([event("buy", hour: 2, try usd("1")), event("signup", hour: 1)])
    #expect(values(order) == [1, 2] && order.didReorder)
  }

  @Test(arguments: [("list-order", 9), ("priority", 3), ("highest-value", 12)])
  func `A user's device follows the precedence of the mapping`(precedence: String, value: Int) throws {
    let rest = #"""
      "precedence":"\#(precedence)","fine":[{"value":9,"events":["a"]},
      {"value":3,"events":["a"],"priority":5},{"value":12,"events":["a"],"priority":-1}]
      """#
    #expect(values(try mapping(skan: "skan4", rest).replay([event("a", hour: 1)])) == [value])
  }

  @Test func `A user's device counts events and sums of the window if the mapping specifies it`() throws {
    let rest = #"""
      "coarse":[{"window":1,"low":{"events":[{"name":"a","count":{"min":2,"max":2}}]}},
      {"window":2,"totals":"window","high":{"events":[{"name":"a","count":{"min":2}}]}}]
      """#
    let replay = try mapping(skan: "skan4", rest).replay([
      event("a", hour: 1), event("a", hour: 2), event("a", hour: 50), event("a", hour: 51),
    ])
    #expect(replay.updates.map(\.time) == [7200, 51 * 3600])
  }

  @Test func `A user's device distinguishes value, zero, null and no value`() throws {
    let mapping = try mapping(subscriptions)
    let seven = try #require(FineValue(7))
    guard case .rules(let meanings) = mapping.decode(.fine(seven), window: .first) else {
      Issue.record("value 7 has a rule")
      return
    }
    #expect(meanings.map { $0.events.map(\.name) } == [["subs_success"]])
    #expect(meanings.map(\.activeHours) == [HourRange(from: 0, to: 12)])
    let estimate = try #require(meanings[0].revenue.first)
    #expect(try estimate.low == Amount(decimal: "20") && estimate.representative == Amount(decimal: "30"))
    #expect(try estimate.high == Amount(decimal: "40") && estimate.currency.text == "USD")
    #expect(mapping.decode(try #require(FineValue(0))) == .zero)
    #expect(mapping.decode(try #require(FineValue(5))) == .unmapped)
    #expect(mapping.decode(try #require(FineValue(22))) == .unmapped)
    #expect(mapping.decode(.absent, window: .first) == .null)
    #expect(mapping.decode(.absent, window: .first, didWin: false) == .noneExpected)
    #expect(mapping.decode(.coarse(.low), window: .second) == .unmapped)
    #expect(mapping.decode(.rejected, window: .first) == .unmapped)
  }
}
