import TestSupport
import Testing

struct `skan report crosscheck` {
  @Test func `skan report crosscheck compares the copies of devices and of a network`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let device = try folder.write(try SharedVectors.body("apple-4.0-web-fine"), to: "device.json")
    let both = try folder.write(appleSamples(), to: "network.ndjson")
    let first = skan(
      "ingest", "-d", database, device, "--route", "advertiser-copy", "--received-at", "2026-11-01T10:00:00Z")
    #expect(first.code == .done)
    #expect(
      skan(
        "ingest", "-d", database, both, "--route", "forwarded:acme", "--received-at", "2026-11-01T14:00:00Z"
      ).code == .done)
    let outcome = skan("report", "crosscheck", "-d", database)
    #expect(outcome.code == .done)
    try expectGolden(outcome.output, "crosscheck.txt")
    #expect(
      skan("report", "crosscheck", "-d", database, "--to", "2026-11-01").output
        == "no conversions from devices or networks\n")
    #expect(
      skan("report", "crosscheck", "-d", database, "--format", "csv").output.hasPrefix("network,app,window,"))
    #expect(skan("report", "crosscheck", "-d", database, "--app", "x").code == .usage)
    #expect(skan("report", "crosscheck", "-d", folder.file("none.db")).code == .inputOutput)
  }
}

struct `skan totals import and report totals` {
  @Test func `skan totals import and report totals store what networks counted and compare it`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let samples = try folder.write(appleSamples(), to: "apple.ndjson")
    #expect(skan("ingest", "-d", database, samples, "--received-at", "2026-11-01").code == .done)
    let totals = try folder.write(
      "date,network,campaign,installs,redownloads,note\n2026-11-01,COM.example,5239,1,,a\n"
        + "2026-11-01,com.example,42,9,1,b\n2026-11-01,com.example,Spring,3,0,c\n", to: "totals.csv")
    for state in ["new", "unchanged"] {
      #expect(
        skan("totals", "import", "-d", database, totals).errors
          .hasSuffix("3 rows of totals stored: 3 \(state)\n"))
    }
    let outcome = skan("report", "totals", "-d", database)
    #expect(outcome.code == .done)
    try expectGolden(outcome.output, "totals.txt")
    try expectGolden(skan("report", "totals", "-d", database, "--format", "json").output, "totals.json")
    #expect(skan("report", "totals", "-d", database, "--from", "2026-11-01T12:00:00Z").code == .usage)
    #expect(
      skan("report", "totals", "-d", database, "--from", "2026-12-01").output
        == "no totals of networks in these days; import them with `skan totals import`\n")
  }

  @Test func `skan totals import stores nothing of a file with an error`() throws {
    let folder = try TemporaryFolder()
    let totals = try folder.write(
      "date,network,installs,redownloads\n2026-11-01,n,1,\n2026-11-01,n,2,1\n", to: "totals.csv")
    let outcome = skan("totals", "import", "-d", folder.file("skan.db"), totals)
    #expect(outcome.code == .data)
    #expect(
      outcome.errors.contains("totals.csv:3: this row and line 2 are added up, and only one has redownloads"))
    #expect(outcome.errors.contains("[missing-redownloads]"))
    #expect(skan("report", "totals", "-d", folder.file("skan.db")).output.hasPrefix("no totals"))
  }
}
