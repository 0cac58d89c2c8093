@testable import Ledger
import PostbackFixtures
import SQLite
import Testing
import Values

struct `The digests of runs of keys` {
  @Test func `A changed byte of a digest is found, whichever it is, and its run is named`() throws {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path, settings: LedgerSettings(recentKeys: 300)).commit(
      (0..<400).map { valid("\($0)") })
    let connection = try Connection(path: scratch.path, mode: .readWrite)
    func contradictions() throws -> [String] { try LedgerReader(path: scratch.path).examine().contradictions }
    #expect(try contradictions() == [])
    let rows = try connection.prepare("SELECT id, data FROM key_digest").rows { ($0.count(0), $0.bytes(1)) }
    let change = try connection.prepare("UPDATE key_digest SET data = ?1 WHERE id = ?2")
    for (row, data) in rows {
      for place in stride(from: 0, to: data.count, by: 31) {
        var changed = data
        changed[place] ^= UInt8(1 << (place % 8))
        try change.run(changed, row)
        #expect(
          try contradictions() == ["run \(row >> 24) of the index of conversions is damaged"], "byte \(place)"
        )
      }
      try change.run(Array(data.dropLast(8)), row)
      #expect(try !contradictions().isEmpty)
      try change.run(data, row)
    }
    #expect(!rows.isEmpty)
    #expect(try contradictions() == [])
  }

  @Test(arguments: [
    "blocks = -1", "blocks = 1 << 40", "keys = 1 << 40", "keys = -1", "state = 'lost'", "blocks = blocks + 1",
    "last_postback = last_postback - 1",
  ])
  func `A changed number of a run is found, and takes no memory by its size`(change: String) throws {
    let scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path, settings: LedgerSettings(recentKeys: 300)).commit(
      (0..<400).map { valid("\($0)") })
    try Connection(path: scratch.path, mode: .readWrite).execute("UPDATE key_run SET \(change)")
    #expect(try !LedgerReader(path: scratch.path).examine().contradictions.isEmpty)
  }
}
