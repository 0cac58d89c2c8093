@testable import Ledger
import PostbackFixtures
import Postbacks
@testable import Delivery
import Testing
import Values

struct `The queue of a relay` {
  private func bodies(_ fixture: RelayFixture, _ cursor: RelayCursor = RelayCursor()) throws -> [String] {
    try fixture.reader.relayBatch(after: cursor, fixture.relay.selection).postbacks
      .map { String(decoding: $0.body ?? [], as: UTF8.self) }
  }

  @Test func `The queue of a relay has one copy of each kind of a conversion, in the order of arrival`()
    throws
  {
    let fixture = try RelayFixture()
    let (device, network) = (Origin(.networkAddress), Origin(.forwarded, name: "acme"))
    try fixture.store([
      receipt("a", at: noon, by: device, body: "a by a device"),
      // Another device's copy and a duplicate are no further kind.
      receipt("a", at: noon + 1, by: Origin(.advertiserCopy), body: "a by another device"),
      receipt("a", at: noon + 2, by: network, body: "a by the network"),
      receipt("b", at: noon + 3, by: network, body: "b by the network"),
      receipt("a", at: noon + 4, by: Origin(.forwarded, name: "other"), body: "a by another network"),
      // The same bytes from the other side, of which the ledger keeps one.
      receipt("b", at: noon + 5, by: device, body: "b by the network"),
      receipt("c", at: noon + 6, by: Origin(.file, name: "old.ndjson"), body: "c from a file"),
    ])
    #expect(
      try bodies(fixture) == ["a by a device", "a by the network", "b by the network", "b by the network"])
    fixture.relay.selection.kinds = [.networkCopy]
    #expect(try bodies(fixture) == ["a by the network", "b by the network"])
    fixture.relay.selection.kinds = [.deviceCopy]
    #expect(try bodies(fixture) == ["a by a device", "b by the network"])
    fixture.relay.selection.kinds = [.file]
    #expect(try bodies(fixture) == ["c from a file"])
  }

  @Test func `The queue of a relay has the apps, networks and environments that it is for`() throws {
    let fixture = try RelayFixture()
    try fixture.store([
      receipt("a", network: "one.skadnetwork", app: 1), receipt("b", network: "TWO.skadnetwork", app: 1),
      receipt("c", network: "two.skadnetwork", app: 2),
    ])
    fixture.relay.selection.networks = ["two.skadnetwork"]
    #expect(try bodies(fixture) == ["b", "c"])
    fixture.relay.selection.apps = [try #require(AppID(2))]
    #expect(try bodies(fixture) == ["c"])
    fixture.relay.selection.environments = [.production]
    let batch = try fixture.reader.relayBatch(after: RelayCursor(), fixture.relay.selection)
    #expect(batch.postbacks.isEmpty)
    #expect(batch.end == RelayCursor(postback: 3))
  }

  @Test func `The queue of a relay comes in batches that together have every postback once`() throws {
    let fixture = try RelayFixture()
    let writer = try LedgerWriter(path: fixture.path)
    let device = (0..<1500).map { receipt("\($0)", at: noon + Int64($0)) }
    _ = try writer.commit(device)
    _ = try writer.commit(
      (0..<1500).map {
        receipt("\($0)", at: noon + Int64($0) + 700, by: Origin(.forwarded, name: "n"))
      })
    var cursor = RelayCursor()
    var (rows, times): ([String], [Instant]) = ([], [])
    while true {
      let batch = try fixture.reader.relayBatch(after: cursor, fixture.relay.selection)
      #expect(batch.postbacks.count <= 512)
      rows += batch.postbacks.map { "\($0.row) \($0.copy ?? 0)" }
      times += batch.postbacks.map(\.receivedAt)
      cursor = batch.end
      guard batch.hasMore else { break }
    }
    #expect(rows.count == 3000)
    #expect(Set(rows).count == 3000)
    #expect(times == times.sorted())
    #expect(cursor == RelayCursor(postback: 1500, copy: 1500))
    #expect(try fixture.reader.relayBacklog(after: cursor).waiting == 0)
  }

  @Test func `The queue of a relay begins at the newest postback, at the first, or at a moment`() throws {
    let fixture = try RelayFixture()
    try fixture.store((0..<9).map { receipt("\($0)", at: noon + Int64($0) * 1000) })
    let reader = try fixture.reader
    #expect(try reader.relayCursor(.newest) == RelayCursor(postback: 9))
    #expect(try reader.relayCursor(.beginning) == RelayCursor())
    for (moment, rows) in [(noon, 0), (noon + 1, 1), (noon + 4000, 4), (noon + 8000, 8), (noon + 9000, 9)] {
      #expect(try reader.relayCursor(.moment(moment)).postback == Int64(rows), "\(moment)")
    }
  }
}
