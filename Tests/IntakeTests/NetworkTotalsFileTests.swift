import Intake
import Ledger
import Testing
import Values

struct `A file of networks' totals` {
  private func day(_ text: String) throws -> Day { try #require(Day(text)) }

  @Test(arguments: [
    "Date,Network,Campaign,Installs,Redownloads,Postbacks,Conversions with value,Revenue,Currency,Note\n"
      + "2026-11-01,NET.skadnetwork,5239,12,0,30,,12.5,usd,x\n",
    #"{"date":"2026-11-01","network":"net.skadnetwork","campaign":5239,"installs":12,"redownloads":0,"postbacks":"30","#
      + #""conversions-with-value":null,"revenue":12.50,"currency":"USD"}"#,
  ])
  func `A file of networks' totals is CSV or JSON, and empty fields are not zero`(text: String) throws {
    #expect(
      try ReferenceFile.read(NetworkTotalRow.self, Array(text.utf8)) == [
        NetworkTotalRow(
          day: try day("2026-11-01"), network: "net.skadnetwork", campaign: "5239", installs: 12,
          redownloads: 0,
          postbacks: 30, withValue: nil, micros: 12_500_000, currency: "USD")
      ])
  }

  @Test func `A file of networks' totals can have several rows of a day and campaign, which add up`() throws {
    let text =
      "date,network,campaign,installs,redownloads,postbacks,revenue,currency\n2026-11-01,n,5,12,1,30,1.5,USD\n"
      + "2026-11-01,n,6,3,,,,\n2026-11-01,N,5,7,2,9,2,USD\n2026-11-01,n,5,1,0,1,0,USD\n"
    let rows = try ReferenceFile.read(NetworkTotalRow.self, Array(text.utf8))
    let day = try day("2026-11-01")
    #expect(
      rows == [
        NetworkTotalRow(
          day: day, network: "n", campaign: "5", installs: 20, redownloads: 3, postbacks: 40,
          micros: 3_500_000, currency: "USD"),
        NetworkTotalRow(day: day, network: "n", campaign: "6", installs: 3),
      ])
  }

  @Test func `A file of networks' totals needs no campaign`() throws {
    let rows = try ReferenceFile.read(
      NetworkTotalRow.self, Array("date,network,installs\n2026-11-01,n,0\n2026-11-02,n,1\n".utf8))
    #expect(rows.map(\.campaign) == ["", ""])
    #expect(rows.map(\.installs) == [0, 1])
  }

  @Test(arguments: [
    ("date,network\n", "missing-column", 1), ("date,network,installs\n2026-11-31,n,1\n", "invalid-date", 2),
    ("date,network,installs\n,n,1\n", "missing-date", 2),
    ("date,network,installs\n2026-11-01,,1\n", "missing-network", 2),
    ("date,network,installs\n2026-11-01,n,\n", "missing-installs", 2),
    ("date,network,installs\n2026-11-01,n,-1\n", "negative-installs", 2),
    ("date,network,installs\n2026-11-01,n,1.5\n", "invalid-installs", 2),
    ("date,network,installs\n2026-11-01,n,9999999999999\n", "invalid-installs", 2),
    ("date,network,installs,redownloads\n2026-11-01,n,1,-1\n", "negative-redownloads", 2),
    ("date,network,installs,postbacks\n2026-11-01,n,1,many\n", "invalid-postbacks", 2),
    ("date,network,installs,revenue\n2026-11-01,n,1,5\n", "missing-currency", 2),
    ("date,network,installs,revenue,currency\n2026-11-01,n,1,-5,USD\n", "negative-revenue", 2),
    ("date,network,installs,revenue,currency\n2026-11-01,n,1,5,XXY\n", "currency-not-listed", 2),
    ("date,network,installs,postbacks\n2026-11-01,n,1,5\n2026-11-01,N,1,\n", "missing-postbacks", 3),
    (
      "date,network,installs,revenue,currency\n2026-11-01,n,1,5,USD\n2026-11-01,n,1,5,EUR\n",
      "two-currencies", 3
    ),
    (
      "date,network,installs\n2026-11-01,n,1000000000000\n2026-11-01,n,1\n", "installs-too-large", 3
    ),
  ])
  func `A file of networks' totals with an error names its line and code`(
    text: String, code: String, line: Int
  ) {
    do {
      _ = try ReferenceFile.read(NetworkTotalRow.self, Array(text.utf8))
      Issue.record("It was taken.")
    } catch {
      #expect(error.code == code)
      #expect(error.line == line)
      #expect(!error.sentence.english.isEmpty)
    }
  }
}
