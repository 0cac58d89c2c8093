@testable import Ledger
import PostbackFixtures
import Postbacks
import Testing
import Values

struct `The same receipts` {
  private static let day = Day.milliseconds

  private static let origins = [
    Origin(.advertiserCopy), Origin(.forwarded, name: "acme"), Origin(.file, name: "f"),
  ]

  /// Receipts around midnight: conversions, copies that agree and that don't, rejected bodies and junk.
  private func receipts(_ random: inout SplitMix64) -> [Receipt] {
    (0..<600).map { number in
      let second = Int64(random.number(below: 600)) - 300
      let time: Instant = noon + (Self.day / 2 + second * 1000)
      let origin = Self.origins[random.number(below: 3)]
      switch random.number(below: 5) {
      case 0:
        return rejected("\(random.number(below: 9))", source: "s\(random.number(below: 4))", at: time)
      default:
        // Ids of few, so that most are copies, and other draws of an id disagree.
        let id = "\(random.number(below: 40))"
        return DrawnPostback(id: id, &random).receipt(at: time, from: origin)
      }
    }
  }

  private static let settings = LedgerSettings(
    rejectedQuota: RejectedQuota(perSource: 7, perDay: 20),
    copyQuota: CopyQuota(perConversion: 6000, perSender: 9000))

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `The same receipts make the same rows in any pieces, whichever processes take them`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let receipts = receipts(&random)
    let whole = try ScratchDatabase()
    _ = try LedgerWriter(path: whole.path, settings: Self.settings).commit(receipts)
    let expected = try tables(of: whole.path)
    #expect(
      ["postback", "postback_copy", "rejected", "quota_use"].allSatisfy { expected[$0] != nil })
    for _ in 0..<3 {
      let pieces = try ScratchDatabase()
      var writers: [LedgerWriter] = []
      var rest = receipts[...]
      while !rest.isEmpty {
        // Two processes in turns, each ended now and then.
        if writers.count < 2 || random.number(below: 4) == 0 {
          writers = Array(writers.suffix(1)) + [try LedgerWriter(path: pieces.path, settings: Self.settings)]
        }
        let piece = rest.prefix(1 + random.number(below: 90))
        rest = rest.dropFirst(piece.count)
        _ = try writers[random.number(below: 2) % writers.count].commit(Array(piece))
      }
      let found = try tables(of: pieces.path)
      for table in Set(expected.keys).union(found.keys).sorted() {
        #expect(found[table] == expected[table], "\(table)")
      }
    }
  }
}
