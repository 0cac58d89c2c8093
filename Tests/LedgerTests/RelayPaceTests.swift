@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import TestSupport
import Testing
import Values

/// A relay whose arrivals and deliveries a test makes up, minute by minute.
private final class PaceFixture {
  private let folder: TemporaryFolder
  private let path: String
  private let file: LedgerFile
  private var arrived = 0
  private(set) var state = RelayState(name: "partner", place: "https://a.example", cursor: RelayCursor())

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
    file = try LedgerFile(path: path)
  }

  func arrive(_ count: Int, at moment: Instant) throws {
    let writer = try LedgerWriter(path: path)
    let receipts = (arrived..<arrived + count).map {
      valid(
        "\($0)", value: .absent, at: moment, origin: Origin(.advertiserCopy),
        network: "example123.skadnetwork", app: 525_463_029, body: "\($0)")
    }
    _ = try writer.commit(receipts)
    arrived += count
  }

  func deliver(_ count: Int64, at moment: Instant) throws {
    state.cursor.postback += count
    state.delivered += count
    state.deliveredAt = moment
    try file.write(RelayProgress(state))
  }

  func marks() throws -> Int64? {
    try Connection(path: path, mode: .readOnly).integer("SELECT count(*) FROM relay_pace")
  }

  func backlog() throws -> RelayBacklog {
    try LedgerReader(path: path).relayBacklog(after: state.cursor)
  }

  func pace(at now: Instant) throws -> RelayPace {
    let reader = try LedgerReader(path: path)
    return try reader.relayPace(of: state, reader.relayBacklog(after: state.cursor), now: now)
  }

  func growth(at now: Instant) throws -> RelayGrowth? {
    let reader = try LedgerReader(path: path)
    return try reader.relayGrowth(of: state, reader.relayBacklog(after: state.cursor), now: now)
  }
}

struct `The pace of a relay` {
  @Test
  func `The pace of a relay is what was accepted lately, and it is caught up when that and arrivals go on`()
    throws
  {
    let fixture = try PaceFixture()
    #expect(try fixture.pace(at: noon) == RelayPace(accepted: 0, caughtUpAt: nil))
    try fixture.arrive(1000, at: noon)
    try fixture.deliver(10, at: noon + 1)
    #expect(try fixture.pace(at: noon + 1000) == RelayPace(accepted: nil, caughtUpAt: nil))
    try fixture.deliver(500, at: noon + 50_000)
    // 500 in 50 seconds, and 490 wait.
    let pace = try fixture.pace(at: noon + 50_001)
    #expect(pace.accepted == 10)
    #expect(pace.caughtUpAt == noon + 99_001)
    // As many arrive as are delivered.
    try fixture.arrive(500, at: noon + 50_000)
    #expect(try fixture.pace(at: noon + 50_001) == RelayPace(accepted: 10, caughtUpAt: nil))
    try fixture.deliver(990, at: noon + 60_000)
    #expect(try fixture.backlog().waiting == 0)
    #expect(try fixture.pace(at: noon + 60_000).caughtUpAt == nil)
    // What was accepted more than two minutes ago is not lately.
    #expect(try fixture.pace(at: noon + 240_000) == RelayPace(accepted: 0, caughtUpAt: nil))
  }

  @Test func `The backlog of a relay has grown where it did in each quarter of an hour`() throws {
    let fixture = try PaceFixture()
    func minute(_ number: Int64) -> Instant { noon + number * 60_000 }
    // Twelve arrive a minute, and ten are accepted.
    for number in Int64(0)...120 {
      try fixture.arrive(12, at: minute(number))
      try fixture.deliver(10, at: minute(number) + 30_000)
      let growth = try fixture.growth(at: minute(number) + 40_000)
      #expect((growth != nil) == (number >= 60), "\(number)")
      guard let growth else { continue }
      #expect(growth.now == 2 * (number + 1))
      #expect(abs(growth.before - 2 * (number - 59)) <= 12, "\(growth)")
    }
    // A quarter without growth ends it.
    for number in Int64(121)...140 {
      try fixture.arrive(10, at: minute(number))
      try fixture.deliver(10, at: minute(number) + 30_000)
    }
    #expect(try fixture.growth(at: minute(140) + 40_000) == nil)
  }

  @Test func `Marks of a relay are kept for an hour and somewhat more`() throws {
    let fixture = try PaceFixture()
    for number in Int64(0)...200 { try fixture.deliver(1, at: noon + number * 30_000) }
    try fixture.deliver(1, at: noon + 100 * 60_000 + 59_999)
    #expect(try fixture.marks() == 76)
  }
}
