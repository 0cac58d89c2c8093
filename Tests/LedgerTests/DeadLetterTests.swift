import Testing
import Values

@testable import Ledger

@Suite struct DeadLetterTests {
  private static let moment = Instant(seconds: 1_800_000_000)

  /// What a relay gave up on at a moment.
  private static func progress(_ reason: String, copy: Int64?, at moment: Instant) -> RelayProgress {
    var progress = RelayProgress(RelayState(name: "partner", place: "http://partner", cursor: RelayCursor()))
    progress.added = [
      DeadLetter(
        relay: "partner", postback: 5, copy: copy, receivedAt: Self.moment, failedAt: moment, status: nil,
        reason: reason, nextAt: nil)
    ]
    return progress
  }

  @Test func `A dead letter that a node notes again is one, with the last reason`() throws {
    let database = try ScratchDatabase()
    let file = try LedgerFile(path: database.path)
    for copy in [nil, 4] as [Int64?] {
      try file.write(Self.progress("no answer", copy: copy, at: Self.moment))
      try file.write(Self.progress("too large", copy: copy, at: Self.moment + 1000))
    }
    let letters = try LedgerReader(path: database.path).deadLetters()
    #expect(letters.map(\.copy) == [nil, 4])
    #expect(letters.allSatisfy { $0.reason == "too large" && $0.failedAt == Self.moment + 1000 })
  }
}
