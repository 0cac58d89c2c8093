import TestSupport
import Testing

struct `A column that a report lacks` {
  @Test(arguments: [
    ("campaign", "name", "--by with network and campaign: digits are a campaign of one network only"),
    ("app", "network", "--by with network"), ("network,campaign", "level", "--tree"),
    ("network", "subtotal", "--tree or --subtotals"), ("network", "others", "--top"),
    ("network,campaign", "sent-name", "--sent-names"), ("name", "ad-set", "--by with ad-set"),
  ])
  func `A column that a report lacks is named with the option that it needs`(
    by: String, column: String, need: String
  ) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "-d", database, try folder.write(appleSamples(), to: "a.ndjson"))
    for option in ["--columns", "--sort"] {
      let outcome = skan("report", "campaigns", "-d", database, "--by", by, option, column)
      #expect(outcome.code == .usage)
      #expect(outcome.errors.contains("the column '\(column)' needs \(need)."), "\(outcome.errors)")
    }
    let unknown = skan("report", "campaigns", "-d", database, "--by", by, "--columns", "nonsense")
    #expect(unknown.errors.contains("there is no column 'nonsense' here"), "\(unknown.errors)")
  }

  @Test func `Each column is listed once, also a figure and its interval of one name`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "-d", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let unknown = skan("plan", "-d", database, "--columns", "nonsense").errors
    #expect(
      unknown.contains("`installs-a-day`, `shown-share`, `coarse-share`, `none-share`, `expected-share`, "),
      "\(unknown)")
  }
}
