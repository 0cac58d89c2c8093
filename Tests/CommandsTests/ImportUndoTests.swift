import SQLite
import TestSupport
import Testing

/// Taking an import back, by the command.
final class `An import` {
  private let folder: TemporaryFolder
  private let database: String
  private let keys: String
  private let postbacks: [String]

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    keys = folder.file("keys.json")
    _ = skan("sign", "--new-key", keys)
    postbacks = skan("sign", "--test-key", keys, "--count", "40", "--seed", "3").output.split(separator: "\n")
      .map(String.init)
    self.folder = folder
  }

  private func ingest(_ name: String, _ lines: ArraySlice<String>, _ more: String...) throws -> Outcome {
    let path = try folder.write(lines.joined(separator: "\n"), to: name)
    return outcome(of: ["ingest", "-d", database, "--trust-test-keys", keys, path] + more)
  }

  private func count(_ sql: String) throws -> Int64 {
    try Connection(path: database, mode: .readOnly).integer(sql) ?? -1
  }

  private func installs(_ environment: String) -> String {
    skan(
      "report", "campaigns", "-d", database, "--environment", environment, "--by", "app", "--format", "csv"
    ).output
  }

  @Test func `An import that is taken back counts nowhere, and the corrected file counts as new`() throws {
    let right = try ingest("right.ndjson", postbacks[..<15], "--received-at", "2026-11-02")
    #expect(right.code == .done && right.output.contains("take it back with `skan ingest --undo 1`"))
    let before = installs("test")
    let wrong = try ingest(
      "wrong.ndjson", postbacks[15...], "--received-at", "2026-11-20", "--format", "json")
    #expect(wrong.output.contains(#/"runs": \[\s*2\s*\]/#), "\(wrong.output)")
    #expect(installs("test") != before)
    let undone = skan("ingest", "-d", database, "--undo", "2")
    #expect(undone.code == .done, "\(undone.errors)")
    #expect(undone.output.contains("is taken back: 25 conversions"))
    #expect(installs("test") == before)
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 4") == 25)
    #expect(skan("rebuild", "--check", "-d", database).code == .done)
    #expect(
      skan("doctor", "--deep", "-d", database, "--listen", "127.0.0.1:0").output.contains("the index agree"))
    let again = try ingest("corrected.ndjson", postbacks[15...], "--received-at", "2026-11-03")
    #expect(again.code == .done)
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 2") == 40)
    #expect(try count("SELECT count(*) FROM postback_copy") == 0)
    #expect(skan("rebuild", "--check", "-d", database).code == .done)
    let twice = skan("ingest", "-d", database, "--undo", "2")
    #expect(twice.code == .data && twice.errors.contains("it was taken back at"))
  }

  @Test func `An import is not taken back where others have used it, and nothing is changed`() throws {
    _ = try ingest("first.ndjson", postbacks[..<10])
    _ = try ingest("second.ndjson", postbacks[..<12], "--route", "forwarded:acme")
    let repeated = skan("ingest", "-d", database, "--undo", "1")
    #expect(
      repeated.code == .data && repeated.errors.contains("10 copies of its conversions arrived from others"))
    let repeats = skan("ingest", "-d", database, "--undo", "2")
    #expect(
      repeats.code == .data && repeats.errors.contains("it added 10 copies to conversions of other senders"))
    _ = try ingest("third.ndjson", postbacks[12...])
    try Connection(path: database, mode: .readWrite).execute(
      """
      INSERT INTO relay(name, place, postback, copy, delivered, attempts)
      SELECT 'bi', 'https://bi.example', max(id), 0, 0, 0 FROM postback
      """)
    let relayed = skan("ingest", "-d", database, "--undo", "3")
    #expect(relayed.code == .data && relayed.errors.contains("were passed on by bi"))
    let unknown = skan("ingest", "-d", database, "--undo", "9")
    #expect(
      unknown.code == .data && unknown.errors.contains("there is no such import; the latest are 3, 2, 1"))
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 4") == 0)
    #expect(skan("ingest", "-d", database, "--undo", "1", keys).code == .usage)
    #expect(skan("ingest", "-d", database).code == .usage)
  }

  @Test func `An import that is read again adds nothing and has no number`() throws {
    _ = try ingest("first.ndjson", postbacks[..<10])
    let again = try ingest("first.ndjson", postbacks[..<10], "--format", "json")
    #expect(again.code == .done && again.output.contains("\"runs\": []"), "\(again.output)")
    #expect(try count("SELECT count(*) FROM import_run") == 1)
  }
}
