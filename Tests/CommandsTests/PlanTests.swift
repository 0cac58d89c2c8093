import Ledger
import Testing
import TestSupport
import Values

final class `The command of a plan` {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("skan.db")
    _ = try LedgerWriter(path: database)
  }

  private func plan(_ words: String...) -> Outcome { outcome(of: ["plan", "-d", database] + words) }

  @Test func `An empty database with a budget has splits by the sizes that networks recommend`() {
    let found = plan(
      "--budget", "20000", "--cost", "ludvb6z3bs.skadnetwork=1.40", "--cost", "4dzt52r2t5.skadnetwork=0.90",
      "--format", "csv", "--table", "splits")
    #expect(found.code == .done, "\(found.errors)")
    let lines = found.output.split(whereSeparator: \.isNewline)
    // Two models, two splits, and for each of them all networks and two.
    #expect(lines.count == 13)
    #expect(lines.contains { $0.hasPrefix("as-proposed,ludvb6z3bs.skadnetwork,low,") })
    #expect(lines.contains { $0.hasPrefix("one-of-each-network,4dzt52r2t5.skadnetwork,high,1,") })
  }

  @Test func `A budget without a cost is a mistake with its cure`() {
    let found = plan("--budget", "20000")
    #expect(found.code == .usage)
    #expect(found.errors.contains("needs a cost per install of each network: give --cost NETWORK=AMOUNT."))
  }

  @Test func `A file of limits replaces the built-in ones, and an option replaces the file`() throws {
    let file = try folder.write(
      #"{"limits":[{"network":"4dzt52r2t5.skadnetwork","campaigns":3},{"network":"a.skadnetwork","campaigns":2}]}"#,
      to: "limits.json")
    let words = [
      "plan", "-d", database, "--budget", "900000", "--cost", "4dzt52r2t5.skadnetwork=1", "--cost",
      "a.skadnetwork=1", "--limits", file, "--format", "csv",
    ]
    let limits = outcome(of: words + ["--table", "limits"])
    #expect(limits.output.contains("4dzt52r2t5.skadnetwork,3,0,"), "\(limits.output) \(limits.errors)")
    let splits = outcome(of: words + ["--table", "splits", "--campaigns", "a.skadnetwork=5"]).output
    #expect(splits.contains("as-proposed,4dzt52r2t5.skadnetwork,low,3,"))
    #expect(splits.contains("as-proposed,a.skadnetwork,low,5,"), "\(splits)")
  }

  @Test func `The table of limits has what a file states of a network, whose name can have a comma`() throws {
    let file = try folder.write(
      #"""
      {"limits": [{"network": "Ads, Inc.", "campaigns": 4, "what": "ad sets", "source": "https://ads.example",
        "read": "2026-11-20"}]}
      """#, to: "limits.json")
    let names = try folder.write(
      "from,network,name\n2020-01-01,ads.skadnetwork,\"Ads, Inc.\"\n", to: "names.csv")
    #expect(outcome(of: ["names", "import", "-d", database, names]).code == .done)
    let found = plan("--cost", "ads.skadnetwork=1", "--limits", file, "--format", "csv", "--table", "limits")
    #expect(
      found.output.contains("ads.skadnetwork,4,0,ad sets,,https://ads.example,2026-11-20"),
      "\(found.output) \(found.errors)")
  }

  @Test func `A wrong file of limits ends with 65, and one that is not there with 74`() throws {
    let file = try folder.write(#"{"limits":[{"network":"a","campaigns":0}]}"#, to: "limits.json")
    let found = plan("--limits", file)
    #expect(found.code == .data)
    #expect(found.errors.contains("$.limits[0].campaigns must be a whole number from 1 to 100, found 0"))
    #expect(plan("--limits", folder.file("none.json")).code == .inputOutput)
  }
}
