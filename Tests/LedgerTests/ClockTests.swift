@testable import Ledger
import PostbackFixtures
import SQLite
import Testing
import Values

/// The clock is handed in, so a ledger sees any clock that a machine can have.
struct `A clock that jumps` {
  private let midnight = noon + 12 * 3_600_000

  @Test func `A clock that jumps does not renew the quota of a day that repeats`() throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(
      path: scratch.path, settings: LedgerSettings(rejectedQuota: RejectedQuota(perSource: 2, perDay: 100)))
    var kept: [Int64: Int] = [:]
    for round in 0..<6 {
      for moment in [midnight + -1, midnight, midnight + -1, midnight + 86_399_999] {
        let effect = try writer.commit([rejected("\(round)", at: moment)])[0].effect
        if effect == .keptRejected { kept[Int64(moment.day.number), default: 0] += 1 }
      }
    }
    #expect(kept == [Int64(noon.day.number): 2, Int64(midnight.day.number): 2])
    let seen = try Connection(path: scratch.path, mode: .readOnly).integer(
      "SELECT sum(seen) FROM rejected_total")
    #expect(seen == 24)
  }

  @Test func `A clock that jumps keeps each postback in its arrival day and counts it once`()
    throws
  {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path, settings: LedgerSettings(recentKeys: 4))
    // From the start of the epoch, where a machine without a battery wakes up, to far ahead.
    let moments = [
      Instant(seconds: 0), midnight + -1, midnight, noon, Instant(seconds: 0), midnight + 365 * 86_400_000,
      noon,
    ]
    for round in 0..<3 {
      for (number, moment) in moments.enumerated() {
        let effect = try writer.commit([valid("\(number)", at: moment)])[0].effect
        #expect((effect == .first) == (round == 0))
      }
    }
    let rows = try totals(scratch.path, dimensions: [.day])
    #expect(rows.map(\.counts.postbacks) == [2, 3, 1, 1])
    #expect(rows.compactMap(\.counts.repeats).reduce(0, +) == 14)
    #expect(try LedgerReader(path: scratch.path).examine().contradictions == [])
  }

  @Test func `A clock that goes back loses no count of a copy`() throws {
    let scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path)
    for hours in [0, 5, -5, 30, -30] as [Int64] {
      _ = try writer.commit([valid("1", at: noon + hours * 3_600_000)])
    }
    let times = try Connection(path: scratch.path, mode: .readOnly).integer(
      "SELECT sum(times) FROM postback_copy")
    #expect(times == 4)
    #expect(try totals(scratch.path).map(\.counts.postbacks) == [1])
  }
}
