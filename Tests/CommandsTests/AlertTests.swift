import System
import TestSupport
import Testing
import Values

final class `skan report alerts` {
  private let folder: TemporaryFolder
  private let database: String
  private let rules: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    let samples = try folder.write(appleSamples(), to: "apple.ndjson")
    _ = skan("ingest", "-d", database, samples, "--received-at", "2026-11-21T10:00:00Z")
    rules = try folder.write(
      #"{"rules":[{"kind":"database-size","gigabytes":0,"severity":"critical"},{"kind":"disk-space","enabled":false}]}"#,
      to: "alerts.json")
    self.folder = folder
  }

  @Test func `skan report alerts reports that nothing is wrong, and ends with 0, or with 1 if requested`() {
    let free = ["report", "alerts", "-d", database, "--exit-code"]
    let quiet = try? folder.write(#"{"rules":[{"kind":"disk-space","enabled":false}]}"#, to: "quiet.json")
    let none = outcome(of: free + ["--alerts", quiet ?? ""])
    #expect(none.code == .done)
    #expect(none.output == "no alerts\n")
    #expect(outcome(of: free + ["--alerts", rules]).code == .failedCheck)
    #expect(skan("report", "alerts", "-d", database, "--alerts", rules).code == .done)
  }

  @Test func `skan report alerts prints each format with the evidence`() {
    let words = ["report", "alerts", "-d", database, "--alerts", rules, "--format"]
    let table = outcome(of: words + ["table"]).output
    #expect(table.hasPrefix("alert          severity  state   since "))
    #expect(table.contains("\ncritical: database-size\n  The database has 0."))
    #expect(table.hasSuffix("  skan prune --older-than 90d --dry-run --database \(database)\n"))
    let row = outcome(of: words + ["ndjson"]).output
    #expect(
      row.hasPrefix(#"{"id":"database-size","kind":"database-size","severity":"critical","state":"firing","#))
    #expect(outcome(of: words + ["json"]).output.hasPrefix("{\"rows\":[\n{\"id\""))
    #expect(outcome(of: words + ["csv"]).output.hasPrefix("id,kind,severity,state,app,"))
    #expect(outcome(of: words + ["csv"]).output.split(whereSeparator: \.isNewline).count == 2)
  }

  @Test func `skan report alerts shows with --all why nothing fires`() {
    let all = skan("report", "alerts", "-d", database, "--alerts", rules, "--all").output
    for part in ["null-share/app=", "too-few", "network-silent/network=", "database-size", "firing", "clock"]
    {
      #expect(all.contains(part), "\(part) in \(all)")
    }
    #expect(!all.contains("disk-space"))
  }

  @Test func `skan report alerts evaluates another moment, and rejects wrong rules`() throws {
    let earlier = skan(
      "report", "alerts", "-d", database, "--alerts", rules, "--at", "2026-11-21T09:00:00Z"
    ).output
    #expect(earlier.contains("critical: clock"))
    let wrong = try folder.write(#"{"rules":[{"kind":"x"}]}"#, to: "wrong.json")
    #expect(skan("report", "alerts", "-d", database, "--alerts", wrong).code == .data)
    #expect(skan("report", "alerts", "-d", database, "--alerts", folder.file("none")).code == .inputOutput)
  }
}
