import TestSupport
import Testing

struct `Spend, names and rates` {
  @Test func `Spend, names and rates are listed beside the counts`() throws {
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
    for state in ["new", "unchanged"] {
      // Twice, because a file that is imported again changes nothing.
      #expect(
        skan("spend", "import", "-d", database, spend).errors
          .hasSuffix("3 rows of spend stored: 3 \(state)\n"))
      #expect(
        skan("names", "import", "-d", database, names).errors.hasSuffix("3 names stored: 3 \(state)\n"))
      #expect(skan("rates", "import", "-d", database, rates).errors == "1 rate stored: 1 \(state)\n")
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

  @Test func `Spend, names and rates with an error store nothing`() throws {
    let folder = try TemporaryFolder()
    let spend = try folder.write(
      "date,network,campaign,amount,currency\n2026-11-21,n,1,1,USD\n2026-11-21,n,2,x,USD\n", to: "spend.csv")
    let outcome = skan("spend", "import", "-d", folder.file("skan.db"), spend)
    #expect(outcome.code == .data)
    #expect(outcome.errors.contains("spend.csv:3: the amount 'x'"))
    #expect(outcome.errors.contains("[invalid-amount]"))
  }

  @Test func `Spend, names and rates of the test environment are separate from those of production`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let keys = try makeKeys(in: folder)
    let postbacks = try folder.write(
      skan("sign", "--test-key", keys.secret, "--count", "20", "--seed", "7").output, to: "test.ndjson")
    #expect(skan("ingest", "-d", database, "--trust-test-keys", keys.trusted, postbacks).code == .done)
    let tried = try folder.write(
      "date,network,campaign,amount,currency\n2026-11-21,example123.skadnetwork,9999,3,USD\n", to: "tried.csv"
    )
    let paid = try folder.write(
      "date,network,campaign,amount,currency\n2026-11-21,example123.skadnetwork,9999,5,USD\n", to: "paid.csv")
    func total(_ environment: String) -> String {
      skan("report", "campaigns", "-d", database, "--environment", environment, "--format", "json").output
    }
    #expect(skan("spend", "import", "-d", database, paid).code == .done)
    #expect(!total("test").contains(#""spend-USD":5"#))
    #expect(
      skan("report", "campaigns", "-d", database, "--environment", "test").output
        .contains("import spend for the environment test"))
    for _ in 0..<2 {
      #expect(skan("spend", "import", "-d", database, "--environment", "test", tried).code == .done)
    }
    #expect(total("test").contains(#""spend-USD":3"#) && !total("test").contains(#""spend-USD":5"#))
    #expect(
      total("production").contains(#""spend-USD":5"#) && !total("production").contains(#""spend-USD":3"#))
    #expect(!total("development").contains(#""spend-USD""#))
  }

  @Test func `Names of campaigns that are ambiguous get a warning with both rows`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let first = try folder.write("network,campaign,from,name\nn,4477,2026-01-01,Summer\n", to: "first.csv")
    let second = try folder.write("network,campaign,from,name\nN,77,2026-02-01,Winter\n", to: "second.csv")
    let fine = try folder.write("network,campaign,from,name\nm,77,2026-02-01,Winter\n", to: "fine.csv")
    #expect(skan("names", "import", "-d", database, first).errors == "1 name stored: 1 new\n")
    #expect(
      skan("names", "import", "-d", database, second).errors
        == "warning: 77 'Winter' (from 2026-02-01) and 4477 'Summer' (from 2026-01-01) of n: postbacks with 77 can be "
        + "of either, so reports mark them as ambiguous; name the apps in the column app if they differ\n"
        + "1 name stored: 1 new\n")
    #expect(skan("names", "import", "-d", database, fine).errors == "1 name stored: 1 new\n")
  }
}
