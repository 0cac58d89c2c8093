@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import System
import Testing
import Values
import Verification

struct `The time of the last event` {
  private let scratch: ScratchDatabase

  init() throws { scratch = try ScratchDatabase() }

  @Test func `The time of the last event is kept for each kind of event`() throws {
    let writer = try LedgerWriter(path: scratch.path)
    let reader = try LedgerReader(path: scratch.path)
    #expect(try reader.last(.backup) == nil)
    #expect(try reader.oldestArrival() == nil)
    let upkeep = try LedgerUpkeep(path: scratch.path)
    try upkeep.note(.backup, at: noon)
    try upkeep.note(.backup, at: noon + 5)
    #expect(try reader.last(.backup) == noon + 5)
    #expect(try reader.last(.mappingRejected) == nil)
    _ = try writer.commit([valid("a", at: noon + 1)])
    #expect(try reader.oldestArrival() == Instant(milliseconds: noon.milliseconds / 3_600_000 * 3_600_000))
  }

  @Test func `The time of the last event is known for the most recent networks, up to a bound`() throws {
    let moments = NetworkMoments()
    func stream(_ number: Int) -> NetworkMoments.Stream {
      .init(network: "n\(number)", environment: .production)
    }
    for number in 0..<500 { moments.note([stream(number): noon + Int64(number)]) }
    #expect(moments.all.count == NetworkMoments.most)
    #expect(Set(moments.all.map(\.stream)) == Set((500 - NetworkMoments.most..<500).map(stream)))
    moments.note([stream(499): noon])
    #expect(moments.all.first { $0.stream == stream(499) }?.at == noon + 499)
  }

  @Test func `The time of a network's last postback is set at its commit, and by the hour after a restart`()
    throws
  {
    let ledger = try PostbackLedger(path: scratch.path)
    let done = Guarded(false)
    let isTaken = ledger.submit(valid("a", at: noon + 61_000)) { _ in
      done.withLock { $0 = true }
      done.wakeAll()
    }
    #expect(isTaken)
    _ = done.wait { $0 ? true : nil }
    #expect(ledger.networkMoments.all.map(\.at) == [noon + 61_000])
    ledger.close()
    let moments = NetworkMoments()
    moments.noteLastHours(of: scratch.path, now: noon)
    #expect(moments.all.map(\.stream) == ledger.networkMoments.all.map(\.stream))
    #expect(moments.all.map(\.at) == [noon])
  }
}
