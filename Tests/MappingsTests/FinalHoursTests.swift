import Mappings
import Postbacks
import Testing
import Values

private let change = Instant("2026-11-10T00:00:00Z") ?? Instant(seconds: 0)
private let always = Instant("2026-01-01") ?? Instant(seconds: 0)

private func mapping(_ from: Instant, hours: HourRange? = nil, windowHours: Int? = nil) throws -> Mapping {
  Mapping(
    name: "from \(from)", app: try #require(AppID(1)), currency: try #require(CurrencyCode("USD")),
    effectiveFrom: from, device: .skan3, measurementWindowHours: windowHours,
    fine: try (1...20).map {
      FineRule(
        value: try #require(FineValue($0)),
        conditions: Conditions(events: [EventCondition(name: "buy \($0)")], activeHours: hours))
    })
}

private func fine(_ value: Int64) throws -> ConversionValue { .fine(try #require(FineValue(value))) }

struct `The last rises of own users` {
  private func delay(_ mapping: Mapping, _ value: Int64, _ own: FinalHours?) throws -> SendingDelay {
    mapping.sendingDelay(of: try fine(value), version: .v3_0, window: .first, learnedFrom: own)
  }

  private func users(_ counts: [(hour: Int, users: Int64)], value: Int = 5) -> FinalHours {
    var own = FinalHours()
    for (hour, users) in counts { own.add(users, value: value, hour: hour) }
    return own
  }

  @Test func `The last rises of own users are counted in spans without a gap up to the longest chain`() {
    #expect(FinalHours.spans.first?.lowerBound == 0)
    #expect(FinalHours.spans.last?.upperBound == 63 * 24)
    #expect(zip(FinalHours.spans, FinalHours.spans.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    let own = users([(0, 3), (23, 2), (73, 4), (5_000, 1)])
    #expect(own.counts.map(\.span.lowerBound) == [0, 23, 72, 62 * 24])
    #expect(own.counts.map(\.users) == [3, 2, 4, 1])
    #expect(own.median(of: 5) == 23..<24)
    #expect(own.median(of: 6) == nil)
  }

  @Test(arguments: UInt64(1)...60)
  func `The last rises of own users make a distribution within what the rules allow`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let value = Int64(1 + random.number(below: 20))
    let stated = random.number(below: 3) == 0 ? HourRange(from: 12, to: 48) : nil
    let mapping = try mapping(always, hours: stated, windowHours: random.number(below: 3) == 0 ? 60 : nil)
    var own = FinalHours()
    for _ in 0..<random.number(below: 200) {
      own.add(value: Int(value), hour: random.number(below: random.number(below: 2) == 0 ? 30 : 700))
    }
    let learned = try delay(mapping, value, own)
    let assumed = try delay(mapping, value, nil)
    #expect(learned.final == assumed.final && learned.random == assumed.random)
    #expect(learned.probability(within: learned.shortest) == 0)
    #expect(abs(learned.probability(within: learned.longest) - 1) < 1e-9)
    #expect(abs(learned.probability(within: 1e5) - 1) < 1e-6)
    var before = 0.0
    for step in -8..<Int(learned.longest) * 4 + 8 {
      let probability = learned.probability(within: Double(step) / 4)
      #expect(probability >= before - 1e-9 && probability <= 1)
      before = probability
    }
  }

  /// The timer is 24 hours and Apple's delay uniform over another 24: a value that is final within the hour from h is sent
  /// between h + 24 and h + 49 hours after first launch.
  @Test(arguments: [1, 10, 90, 990])
  func `The last rises of own users weigh as much as their number beside ten of the assumed law`(count: Int64)
    throws
  {
    let mapping = try mapping(always)
    let own = try delay(mapping, 5, users([(30, count)]))
    let assumed = try delay(mapping, 5, nil)
    let share = Double(count) / Double(count + 10)
    for hours in stride(from: 20.0, through: 170, by: 7) {
      // The mean of Apple's delay over a span of three hours, by the mid-point rule.
      let sent = (0..<300).map { step -> Double in
        let final = 30 + (Double(step) + 0.5) / 100
        return min(1, max(0, (hours - 24 - final) / 24))
      }
      let alone = sent.reduce(0, +) / 300
      let wanted = share * alone + (1 - share) * assumed.probability(within: hours)
      #expect(abs(own.probability(within: hours) - wanted) < 1e-4)
    }
  }

  @Test func `The last rises of own users with another value or outside of the stated hours change nothing`()
    throws
  {
    let mapping = try mapping(always, hours: HourRange(from: 12, to: 24))
    let assumed = try delay(mapping, 5, nil)
    #expect(try delay(mapping, 5, users([(3, 100), (40, 100)])) == assumed)
    #expect(try delay(mapping, 5, users([(13, 100)], value: 6)) == assumed)
    #expect(try delay(mapping, 5, users([(13, 100)])) != assumed)
  }
}

struct `Dating by own users` {
  private func dating(
    _ value: Int64, at hours: Int64, old: FinalHours? = nil, new: FinalHours? = nil
  ) throws -> MappingHistory.Dating {
    let history = MappingHistory(
      [try mapping(always), try mapping(change)],
      finalHours: [always: old, change: new].compactMapValues(\.self))
    let start = change + hours * Hour.milliseconds
    return history.dating(
      of: try fine(value), version: .v3_0, window: .first, timers: .full,
      arrival: start..<(start + Hour.milliseconds))
  }

  private func early(_ count: Int64) -> FinalHours {
    var own = FinalHours()
    own.add(count, value: 10, hour: 2)
    return own
  }

  private func isMixed(_ dating: MappingHistory.Dating) -> Bool {
    if case .mixed = dating { true } else { false }
  }

  @Test func `Dating by own users is certain once a version is 99 % likely`() throws {
    // Ten rises can take ten days; own users took an hour.
    #expect(isMixed(try dating(10, at: 80)))
    #expect(try dating(10, at: 80, old: early(2_000), new: early(2_000)) == .certain(1))
    #expect(isMixed(try dating(10, at: 40, old: early(2_000), new: early(2_000))))
    #expect(try dating(10, at: 20, old: early(2_000), new: early(2_000)) == .certain(0))
  }

  @Test func `Dating by own users needs ten users of each version that is possible`() throws {
    let learned = early(2_000)
    #expect(isMixed(try dating(10, at: 230, old: early(9), new: learned)))
    #expect(isMixed(try dating(10, at: 80, new: learned)))
    #expect(isMixed(try dating(10, at: 80, old: learned)))
    #expect(isMixed(try dating(11, at: 80, old: learned, new: learned)))
    // Ten users weigh as much as the assumed law, which is late enough then.
    #expect(try dating(10, at: 230, old: early(10), new: learned) == .certain(1))
  }

  @Test func `Dating by own users does not decide about the time before the first version`() throws {
    let learned = early(2_000)
    let history = MappingHistory([try mapping(change)], finalHours: [change: learned])
    let start = change + 80 * Hour.milliseconds
    let dating = history.dating(
      of: try fine(10), version: .v3_0, window: .first, timers: .full,
      arrival: start..<(start + Hour.milliseconds))
    guard case .mixed(let candidates) = dating else {
      Issue.record("What the app did before is not known.")
      return
    }
    #expect(candidates.map(\.version) == [nil, 0])
  }
}
