import Mappings
import Postbacks
import Testing
import Values

private let hour: Int64 = 3_600_000
private let change = Instant("2026-11-10T00:00:00Z") ?? Instant(seconds: 0)

private func mapping(_ from: Instant, worth: Int64, locks: Bool = false, device: Mapping.Device = .skan4)
  -> Mapping
{
  let usd = CurrencyCode("USD") ?? CurrencyCode.all[0]
  func rule(_ value: Int64, _ hours: HourRange?) -> FineRule {
    FineRule(
      value: FineValue(value) ?? FineValue.allZero,
      conditions: Conditions(
        events: [EventCondition(name: "buy")],
        revenue: RevenueCondition(
          AmountRange(
            lower: .closed(.zero), upper: .open(Amount(micros: 2 * worth * 1_000_000))) ?? .all, usd),
        activeHours: hours), lock: locks)
  }
  return Mapping(
    name: "worth \(worth)", app: AppID(1) ?? AppID.zero, currency: usd, effectiveFrom: from, device: device,
    fine: [rule(6, nil), rule(7, HourRange(from: 12, to: 24))],
    coarse: [
      .second: CoarseRules(rules: [CoarseRule(value: .high, conditions: Conditions(), lock: locks)])
    ])
}

extension FineValue {
  fileprivate static var allZero: FineValue { FineValue(0) ?? FineValue.allZero }
}
extension AppID {
  fileprivate static var zero: AppID { AppID(0) ?? AppID.zero }
}

private func fine(_ value: Int64) -> ConversionValue { .fine(FineValue(value) ?? FineValue.allZero) }

private let always = Instant("2026-01-01") ?? Instant(seconds: 0)
private let history = MappingHistory([mapping(change, worth: 30), mapping(always, worth: 10)])

struct `A history of mappings` {
  private func dating(
    _ value: ConversionValue, hoursAfterChange hours: Int64, version: ProtocolVersion = .v4_0,
    window: ConversionWindow = .first, in history: MappingHistory = history
  ) -> MappingHistory.Dating {
    let start = change + hours * hour
    return history.dating(
      of: value, version: version, window: window, timers: .full, arrival: start..<(start + hour))
  }

  private func isMixed(_ dating: MappingHistory.Dating) -> Bool {
    if case .mixed = dating { true } else { false }
  }

  @Test func `A history of mappings sorts its versions`() {
    #expect(history.versions.map(\.name) == ["worth 10", "worth 30"])
  }

  /// The first window ends 48 hours after launch and is sent 24 to 48 hours later.
  @Test func `A history of mappings is certain until 72 hours after a change, and again from 96 hours on`() {
    #expect(dating(fine(6), hoursAfterChange: 71) == .certain(0))
    #expect(isMixed(dating(fine(6), hoursAfterChange: 72)))
    #expect(isMixed(dating(fine(6), hoursAfterChange: 95)))
    #expect(dating(fine(6), hoursAfterChange: 96) == .certain(1))
  }

  @Test func `Window 2 ends after seven days and is sent 24 to 144 hours later`() {
    let high = ConversionValue.coarse(.high)
    #expect(dating(high, hoursAfterChange: 168 + 23, window: .second) == .certain(0))
    #expect(isMixed(dating(high, hoursAfterChange: 168 + 24, window: .second)))
    #expect(isMixed(dating(high, hoursAfterChange: 168 + 143, window: .second)))
    #expect(dating(high, hoursAfterChange: 168 + 144, window: .second) == .certain(1))
  }

  @Test func `A lock can end the window at any moment of it`() {
    let locking = MappingHistory([
      mapping(always, worth: 10, locks: true), mapping(change, worth: 30, locks: true),
    ])
    #expect(dating(fine(6), hoursAfterChange: 23, in: locking) == .certain(0))
    #expect(isMixed(dating(fine(6), hoursAfterChange: 24, in: locking)))
    #expect(isMixed(dating(fine(6), hoursAfterChange: 95, in: locking)))
    #expect(dating(fine(6), hoursAfterChange: 96, in: locking) == .certain(1))
    // The hours of activity determine when the lock was: 12 to 24 hours after launch.
    #expect(dating(fine(7), hoursAfterChange: 35, in: locking) == .certain(0))
    #expect(isMixed(dating(fine(7), hoursAfterChange: 36, in: locking)))
    #expect(dating(fine(7), hoursAfterChange: 72, in: locking) == .certain(1))
  }

  @Test func `Before version 4 the last update counts, which the hours of activity bound`() {
    let older = MappingHistory([
      mapping(always, worth: 10, device: .skan3), mapping(change, worth: 30, device: .skan3),
    ])
    // Value 0 is set at first launch.
    #expect(dating(fine(0), hoursAfterChange: 23, version: .v3_0, in: older) == .certain(0))
    #expect(dating(fine(0), hoursAfterChange: 48, version: .v3_0, in: older) == .certain(1))
    // Last activity 12 to 24 hours after launch, then 24 to 48 hours.
    #expect(dating(fine(7), hoursAfterChange: 35, version: .v3_0, in: older) == .certain(0))
    #expect(isMixed(dating(fine(7), hoursAfterChange: 36, version: .v3_0, in: older)))
    #expect(isMixed(dating(fine(7), hoursAfterChange: 71, version: .v3_0, in: older)))
    #expect(dating(fine(7), hoursAfterChange: 72, version: .v3_0, in: older) == .certain(1))
    // Six rises can take six days.
    #expect(isMixed(dating(fine(6), hoursAfterChange: 6 * 24 + 47, version: .v3_0, in: older)))
    #expect(dating(fine(6), hoursAfterChange: 6 * 24 + 48, version: .v3_0, in: older) == .certain(1))
  }

  @Test func `A history of mappings has no version for launches before the first`() {
    let late = MappingHistory([mapping(change, worth: 30)])
    #expect(dating(fine(6), hoursAfterChange: 71, in: late) == .before)
    guard case .mixed(let candidates) = dating(fine(6), hoursAfterChange: 84, in: late) else {
      Issue.record("Half of the launches were before the first version.")
      return
    }
    #expect(candidates.map(\.version) == [nil, 0])
    #expect(abs(candidates[0].probability - 0.48) < 0.05)
    #expect(
      MappingHistory([]).dating(
        of: fine(6), version: .v4_0, window: .first, timers: .full, arrival: change..<(change + hour))
        == .before)
  }

  @Test(arguments: [false, true])
  func `A history of mappings has the probabilities of users who install at an even rate`(locks: Bool) throws
  {
    let history = MappingHistory([
      mapping(always, worth: 10, locks: locks), mapping(change, worth: 30, locks: locks),
    ])
    var random = SplitMix64(seed: 7)
    var seen: [Int64: (new: Int, all: Int)] = [:]
    for _ in 0..<400_000 {
      let launch = Double(random.number(below: 12 * 24 * 3600)) / 3600 - 6 * 24
      let final = locks ? random.fraction() * 48 : 48
      let arrival = launch + final + 24 + random.fraction() * 24
      let bucket = Int64(arrival.rounded(.down))
      seen[bucket, default: (0, 0)].all += 1
      if launch >= 0 { seen[bucket, default: (0, 0)].new += 1 }
    }
    for hours: Int64 in stride(from: 24, to: 96, by: 8) {
      let counts = try #require(seen[hours])
      let share = Double(counts.new) / Double(counts.all)
      let expected: Double =
        switch dating(fine(6), hoursAfterChange: hours, in: history) {
        case .certain(let index), .newest(let index): Double(index)
        case .before: 0
        case .mixed(let candidates):
          candidates.reduce(0) { $0 + ($1.version == 1 ? $1.probability : 0) }
        }
      // Five standard errors of a share of that many users.
      #expect(abs(share - expected) < 5 * 0.5 / Double(counts.all).squareRoot() + 0.01)
    }
  }

  @Test func `A history of mappings averages money and events over all possible versions`() throws {
    let start = change + 84 * hour
    let mixed = history.expectation(
      of: fine(6), version: .v4_0, window: .first, timers: .full, arrival: start..<(start + hour))
    #expect(mixed.isMixed)
    #expect(mixed.status == .decoded)
    #expect(abs(mixed.readings.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
    let money = try #require(mixed.revenue.first)
    #expect(money.low == .zero)
    #expect(money.high == Amount(micros: 60_000_000))
    let expected = mixed.readings.reduce(0) { $0 + $1.probability * ($1.version == 0 ? 10 : 30) }
    #expect(abs(Double(money.representative.micros) / 1e6 - expected) < 1e-6)
    #expect(mixed.events.map(\.name) == ["buy"])
    let event = try #require(mixed.events.first)
    #expect(abs(event.probability - 1) < 1e-9)

    let sure = history.expectation(
      of: fine(6), version: .v4_0, window: .first, timers: .full, arrival: change..<(change + hour))
    #expect(!sure.isMixed)
    #expect(sure.revenue.first?.representative == Amount(micros: 10_000_000))
    let stranger = history.expectation(
      of: fine(50), version: .v4_0, window: .first, timers: .full, arrival: change..<(change + hour))
    #expect(stranger.status == .unmapped)
  }

  @Test func `The uncertain days of a history of mappings include every uncertain hour`() {
    for window in [ConversionWindow.first, .second] {
      let days = history.undecidedDays(version: .v4_0, window: window, timers: .full)
      var uncertainHours = 0
      for hours in stride(from: Int64(0), to: 20 * 24, by: 1) {
        let value: ConversionValue = window == .first ? fine(6) : .coarse(.high)
        guard isMixed(dating(value, hoursAfterChange: hours, window: window)) else { continue }
        let day = (change + hours * hour).day.number
        #expect(days.contains { $0.contains(day) })
        uncertainHours += 1
      }
      #expect(uncertainHours >= 24, "\(window)")
    }
  }
}
