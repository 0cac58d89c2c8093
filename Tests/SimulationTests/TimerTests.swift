import Foundation
import Mappings
import Postbacks
@testable import Simulation
import Testing
import Values

/// One case of `Vectors/timer.json`.
struct TimerCase: Decodable, CustomTestStringConvertible, Sendable {
  var name: String
  var t: [Double]
  var rev: [Double]
  var code: Int8
  var last_update_h: Double
  var earliest_postback_h: Double
  var latest_postback_h: Double
  var updates: Int
  var chain_broken: Int

  var testDescription: String { name }

  static let all: [TimerCase] = {
    struct File: Decodable { var cases: [TimerCase] }
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/timer.json")
    guard let data = try? Data(contentsOf: url) else { return [] }
    return (try? JSONDecoder().decode(File.self, from: data))?.cases ?? []
  }()
}

@Suite struct `The timer of SKAdNetwork 3` {
  /// Values of day 0 from 0, of day 1 from 4, of day 2 from 7, by the sum so far; upper ends belong to a range.
  private func goldenMapping() throws -> Mapping {
    let edges: [[Int64]] = [[0, 100, 500], [0, 500], [0]]
    let offsets: [Int64] = [0, 4, 7]
    var fine: [FineRule] = []
    for (day, ends) in edges.enumerated() {
      for index in 0...ends.count {
        let lower: AmountRange.Bound =
          index == 0 ? .unbounded : .open(Amount(micros: ends[index - 1] * 10_000))
        let upper: AmountRange.Bound =
          index == ends.count ? .unbounded : .closed(Amount(micros: ends[index] * 10_000))
        let range = try #require(AmountRange(lower: lower, upper: upper))
        fine.append(
          FineRule(
            value: try #require(FineValue(offsets[day] + Int64(index))),
            conditions: Conditions(
              revenue: RevenueCondition(range, usd),
              activeHours: HourRange(from: 24 * day, to: 24 * (day + 1)))))
      }
    }
    return try mapping(.skan3, fine: fine)
  }

  @Test func `The timer of SKAdNetwork 3 has nine golden cases`() { #expect(TimerCase.all.count == 9) }

  @Test(arguments: TimerCase.all) func `The timer of SKAdNetwork 3 agrees with the reference`(
    golden: TimerCase
  ) throws {
    let events = zip(golden.t, golden.rev).map { time, revenue in
      event("play", at: Int64((time * 3600).rounded()), cents: Int64((revenue * 100).rounded()))
    }
    let replay = replayed(try goldenMapping(), events)
    let end = try #require(replay.ends.first)
    #expect(replay.ends.count == 1)
    #expect(end.fine == golden.code)
    #expect(replay.trace.last?.time == Int64((golden.last_update_h * 3600).rounded()))
    #expect(replay.trace.count == golden.updates)
    #expect(replay.isChainBroken == (golden.chain_broken == 1))
    let delay = PostbackDelay.range(version: .v3_0, window: .first)
    #expect(
      end.prepared * 1000 + delay.lowerBound == Int64((golden.earliest_postback_h * 3_600_000).rounded()))
    #expect(end.prepared * 1000 + delay.upperBound == Int64((golden.latest_postback_h * 3_600_000).rounded()))
  }

  @Test func `The timer of SKAdNetwork 3 runs 64 days at most, through 63 rises`() throws {
    let rules = try (1...63).map { try rule(Int64($0), "tick", count: $0) }
    let ticks = (1...70).map { event("tick", at: Int64($0) * (day - 1)) }
    let chain = replayed(try mapping(.skan3, fine: rules), ticks)
    #expect(chain.trace.count == 63)
    #expect(chain.ends.map(\.fine) == [63])
    #expect(chain.ends.map(\.prepared) == [63 * (day - 1) + day])
    #expect(!chain.isChainBroken, "there is no greater value left to lose")

    var device = SKAdNetwork3Device()
    for value in 1...63 {
      let reaction = device.update(to: value, at: device.timerEnd - 1)
      #expect(reaction == .raised)
    }
    let last = device.update(to: 64, at: device.timerEnd)
    #expect(last == .tooLate)
    #expect(device.timerEnd == 64 * day - 63)
  }

  @Test(arguments: [(day - 1, 1, false), (day, 0, true)])
  func `The timer of SKAdNetwork 3 accepts a rise up to, but not at, its end`(
    at: Int64, value: Int8, isBroken: Bool
  ) throws {
    let replay = replayed(try mapping(.skan3, fine: [rule(1, "buy")]), [event("buy", at: at, cents: 500)])
    #expect(replay.ends.map(\.fine) == [value])
    #expect(replay.ends.map(\.prepared) == [value == 1 ? at + day : day])
    #expect(replay.isChainBroken == isBroken)
    #expect(replay.lostByChain == (isBroken ? 5_000_000 : 0))
    #expect(replay.ends.map(\.revenue) == [isBroken ? 0 : 5_000_000])
  }

  @Test func `The timer of SKAdNetwork 3 is restarted only by a greater value`() throws {
    var device = SKAdNetwork3Device()
    let reactions = [(5, 10), (5, 20), (4, 30), (0, 30)].map { device.update(to: $0, at: Int64($1)) }
    #expect(reactions == [.raised, .ignored, .ignored, .ignored])
    #expect(device.timerEnd == 10 + day)
    #expect(device.value == 5)
  }
}
