import TestSupport
import Testing

struct `skan report conflicts` {
  @Test(arguments: ["table", "csv", "json", "ndjson"])
  func `skan report conflicts prints what two valid copies disagree on`(format: String) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let samples = try folder.write(appleSamples(), to: "apple.ndjson")
    #expect(skan("ingest", "-d", database, samples, "--received-at", "2026-11-21").code == .done)
    let outcome = skan("report", "conflicts", "-d", database, "--format", format)
    #expect(outcome.code == .done)
    try expectGolden(outcome.output, "conflicts.\(format)")
    #expect(
      skan("report", "conflicts", "-d", database, "--network", "nobody").output.hasSuffix("no conflicts\n"))
  }
}
