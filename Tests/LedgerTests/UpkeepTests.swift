import Platform
import Testing

@testable import Ledger

struct `Pruning a ledger` {
  private let scratch: ScratchDatabase

  init() throws { scratch = try ScratchDatabase() }

  @Test func `lets go of old bodies that no figure needs, and of nothing else`() throws {
    let day: Int64 = 86_400_000
    let writer = try LedgerWriter(path: scratch.path)
    _ = try writer.commit([
      valid("a"), valid("a", country: "US"), valid("a", value: .absent), refused("x"),
      valid("b", at: noon + 10 * day), valid("b", at: noon + 10 * day, country: "US"),
      refused("y", at: noon + 10 * day),
    ])
    let before = try totals(scratch.path)
    let upkeep = try LedgerUpkeep(path: scratch.path)
    let counted = try upkeep.prune(before: noon + day, onlyCounts: true)
    #expect(counted.refusedBodies == 1)
    #expect(counted.copyBodies == 1)
    #expect(try LedgerReader(path: scratch.path).refusedBodies(identifier: "x").count == 1)
    #expect(try upkeep.prune(before: noon + day, onlyCounts: false) == counted)
    #expect(try upkeep.prune(before: noon + day, onlyCounts: false).refusedBodies == 0)

    let reader = try LedgerReader(path: scratch.path)
    #expect(try reader.refusedBodies(identifier: "x").isEmpty)
    #expect(try reader.refusedBodies(identifier: "y").count == 1)
    let copies = try reader.conversions(identifier: "a")[0].sightings
    #expect(copies.map { $0.body == nil } == [true, false])
    #expect(copies.map { $0.conflict != nil } == [false, true])
    #expect(try reader.conversions(identifier: "b")[0].sightings[0].body != nil)
    #expect(try totals(scratch.path) == before)
    #expect(try reader.refusals(from: nil, to: nil).map(\.seen) == [2])
    #expect(try reader.examine().damage.isEmpty)
  }
}
