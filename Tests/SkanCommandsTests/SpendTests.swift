import Platform
import TestSupport
import Testing

struct `Spend, names and rates` {
  @Test func `stand beside what was counted`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let samples = try folder.write(appleSamples(), to: "apple.ndjson")
    #expect(skan("ingest", "-d", database, samples).code == .done)
    let spend = try folder.write(
      "date,network,campaign,amount,currency\n2026-11-21,com.example,5239,12.50,USD\n"
        + "2026-11-21,com.example,Winter,7.50,EUR\n2026-11-21,com.example,unknown,1,USD\n", to: "spend.csv")
    let names = try folder.write(
      "network,campaign,from,name,ad-set\ncom.example,5239,2026-01-01,Summer,A\n"
        + "com.example,1039,2026-01-01,Autumn,\ncom.example,42,2026-01-01,Winter,B\n", to: "names.csv")
    let rates = try folder.write("date,currency,quote,rate\n2026-01-01,EUR,USD,1.10\n", to: "rates.csv")
    for _ in 0..<2 {
      // Twice, because a file that is imported again changes nothing.
      #expect(
        skan("spend", "import", "-d", database, spend).errors == "3 days and campaigns of spend stored\n")
      #expect(skan("names", "import", "-d", database, names).errors == "3 names stored\n")
      #expect(skan("rates", "import", "-d", database, rates).errors == "1 rate stored\n")
    }
    let edges = (0...64).map { "\($0 * 10)" }.joined(separator: ",")
    let mapping = try folder.write(
      #"{"name":"m","app":525463029,"currency":"EUR","effective-from":"2026-01-01","protocol":"skan4","#
        + #""grids":[{"first-value":0,"revenue":[\#(edges)]}]}"#, to: "mapping.json")
    #expect(skan("mapping", "load", "-d", database, mapping).code == .done)
    try expectGolden(
      skan("report", "campaigns", "-d", database, "--network", "com.example").output, "report-spend.txt")
    try expectGolden(
      skan(
        "report", "campaigns", "-d", database, "--network", "com.example", "--currency", "usd", "--format",
        "json"
      ).output, "report-spend.json")
    #expect(skan("report", "campaigns", "-d", database, "--currency", "dollars").code == .usage)
  }

  @Test func `with a mistake take in nothing`() throws {
    let folder = try TemporaryFolder()
    let spend = try folder.write(
      "date,network,campaign,amount,currency\n2026-11-21,n,1,1,USD\n2026-11-21,n,2,x,USD\n", to: "spend.csv")
    let outcome = skan("spend", "import", "-d", folder.file("skan.db"), spend)
    #expect(outcome.code == .data)
    #expect(outcome.errors.contains("spend.csv:3: the amount 'x'"))
    #expect(outcome.errors.contains("[invalid-amount]"))
  }
}
