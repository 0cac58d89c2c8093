import Ledger
import PostbackFixtures
import System
import TestSupport
import Testing
import Values

struct `skan relay` {
  private let moment = noon

  /// A database of which a relay has failed since a moment and given a postback up.
  private func database(in folder: borrowing TemporaryFolder) throws -> String {
    let path = folder.file("skan.db")
    var progress = RelayProgress(
      RelayState(name: "partner", place: "https://partner.example", cursor: RelayCursor()))
    progress.state.delivered = 7
    progress.state.deliveredAt = moment
    progress.state.failingSince = moment + 1000
    progress.state.attempts = 3
    progress.state.nextAt = moment + 60_000
    progress.state.failure = "answered 503"
    progress.added = [
      DeadLetter(
        relay: "partner", postback: 4, copy: nil, receivedAt: moment, failedAt: moment + 1000, status: 422,
        reason: "answered 422: no", nextAt: nil)
    ]
    try LedgerFile(path: path).write(progress)
    return path
  }

  @Test func `skan relay status lists relays with what keeps them from going on`() throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder)
    func csv(_ words: String...) -> String {
      outcome(of: ["relay"] + words + ["-d", path, "--format", "csv"]).output.replacing("\r\n", with: "\n")
    }
    let answer = csv("status")
    #expect(
      answer == """
        relay,to,condition,waiting,lag-seconds,per-second,caught-up-at,delivered,delivered-at,attempts,failing-since,next-at,failure,retrying,\
        dead-letters
        partner,https://partner.example,failing,0,,,,7,2026-11-21T12:00:00Z,3,2026-11-21T12:00:01Z,2026-11-21T12:01:00Z,\
        answered 503,0,1

        """)
    #expect(skan("relay", "status", "-d", path).output.contains("answered 503"))
    #expect(
      csv("dead").hasSuffix(
        "partner,4,2026-11-21T12:00:00Z,2026-11-21T12:00:01Z,422,answered 422: no,\n"))
    #expect(skan("relay", "dead", "-d", path, "--relay", "other", "--format", "ndjson").output.isEmpty)
  }

  @Test func `skan relay retry ends the pause, and sends again what was given up`() throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder)
    let unknown = skan("relay", "retry", "-d", path, "partners")
    #expect(unknown.code == .failedCheck)
    #expect(unknown.errors.contains("found no relay 'partners'"))
    #expect(unknown.errors.contains("use one of partner"))
    #expect(skan("relay", "retry", "-d", path, "partner").code == .done)
    let reader = try LedgerReader(path: path)
    #expect(try reader.relays().map(\.nextAt) == [nil])
    #expect(try reader.deadLetters().map(\.nextAt) == [nil])
    let all = skan("relay", "retry", "-d", path, "partner", "--dead-letters")
    #expect(all.errors.contains("sends 1 dead letter once more"))
    #expect(try reader.deadLetters().allSatisfy { $0.nextAt != nil })
    #expect(skan("relay", "retry", "-d", folder.file("none.db"), "partner").code != .done)
  }
}
