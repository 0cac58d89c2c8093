import Foundation
import Ledger
import PostbackFixtures
import Pulls
import TestSupport
import Testing
import Values
import Verification

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "OtherForms/pulled-times")

/// The pulls of `Tests/OtherForms`, of a source that serves its files.
struct `Pulls of Tests OtherForms` {
  private func ingest(_ name: String, into path: String) throws -> Result<PullOutcome, any Error> {
    let source = try TestSource { asked, _ in
      let file = String(asked.path.drop { $0 == "/" })
      return (try? String(contentsOf: root.appending(path: file), encoding: .utf8)).map { json($0) }
        ?? json("{}", status: 404)
    }
    let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      .replacing("http://127.0.0.1:21010", with: source.base)
    return Result {
      known(
        try pull(text).rows().ingest(
          into: path, by: PullIntake(keyring: try Keyring(), settings: LedgerSettings()), clock: { noon }))
    }
  }

  @Test func `A time beside the postback is read, and a misspelt member is an error that stores nothing`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let beside = try ingest("pull-beside.json", into: path).get()
    #expect(beside.sentence.contains("30 rows"), "\(beside.sentence)")
    let misspelt = folder.file("misspelt.db")
    let error = try ingest("pull-misspelt.json", into: misspelt)
    guard case .failure(let cause) = error else {
      Issue.record("It was taken: \(try error.get().sentence)")
      return
    }
    #expect("\(cause)".contains("recieved"), "\(cause)")
  }
}
