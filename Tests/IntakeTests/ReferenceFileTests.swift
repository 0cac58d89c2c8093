import Intake
import Ledger
import Testing
import Values

struct `A file of spend, names or rates` {
  private func day(_ text: String) throws -> Day { try #require(Day(text)) }

  @Test(arguments: [
    "date,network,campaign,amount,currency\n2026-11-01,NET.skadnetwork,5239,12.50,usd\n",
    "\u{FEFF}Currency,Amount,Campaign,Note,Network,Date\r\nUSD,12.5,5239,x,net.skadnetwork,2026-11-01\r\n",
    #"{"date":"2026-11-01","network":"net.skadnetwork","campaign":5239,"amount":12.5,"currency":"USD"}"#,
    #"[{"date":"2026-11-01","network":"net.skadnetwork","campaign":"5239","amount":"12.5","currency":"USD"}]"#,
  ])
  func `A file of spend, names or rates is CSV with its columns in any order, or JSON`(text: String) throws {
    #expect(
      try ReferenceFile.read(SpendRow.self, Array(text.utf8)) == [
        SpendRow(
          day: try day("2026-11-01"), network: "net.skadnetwork", campaign: "5239", app: nil, currency: "USD",
          micros: 12_500_000)
      ])
  }

  @Test func `A file of spend adds the spend of one campaign and day exactly`() throws {
    let text =
      "date,network,campaign,amount,currency,app\n"
      + String(repeating: "2026-11-01,n,1,0.1,USD,\n", count: 10) + "2026-11-01,n,1,0.1,USD,7\n"
    let rows = try ReferenceFile.read(SpendRow.self, Array(text.utf8))
    #expect(rows.map(\.micros) == [1_000_000, 100_000])
    #expect(rows.map(\.app) == [nil, 7])
  }

  @Test(arguments: [
    ("date,network,campaign,amount\n", "missing-column", 1), ("", "no-header", 1),
    ("date,network,campaign,amount,currency,date\n", "repeated-column", 1),
    (
      "date,network,campaign,amount,currency\n2026-11-01,n,1,5,USD\n2026-02-30,n,1,5,USD\n", "invalid-date", 3
    ),
    ("date,network,campaign,amount,currency\n,n,1,5,USD\n", "missing-date", 2),
    ("date,network,campaign,amount,currency\n2026-11-01,n,1,five,USD\n", "invalid-amount", 2),
    ("date,network,campaign,amount,currency\n2026-11-01,n,1,-5,USD\n", "negative-amount", 2),
    ("date,network,campaign,amount,currency\n2026-11-01,n,1,NaN,USD\n", "missing-amount", 2),
    ("date,network,campaign,amount,currency\n2026-11-01,n,1,1e30,USD\n", "amount-too-large", 2),
    ("date,network,campaign,amount,currency\n2026-11-01,n,1,5,XXY\n", "currency-not-listed", 2),
    ("date,network,campaign,amount,currency\n2026-11-01,n,1,5\n", "wrong-number-of-cells", 2),
    ("date,network,campaign,amount,currency,app\n2026-11-01,n,1,5,USD,x\n", "invalid-app", 2),
    ("date,network,campaign,amount,currency\n2026-11-01,\"n,1,5,USD\n", "unclosed-quote", 2),
    ("{\"date\":\"2026-11-01\"}\n", "missing-amount", 1),
    ("{\"date\":true}\n", "wrong-type", 1), ("{}\n{\n", "unexpected-end", 2), ("[1]", "wrong-type", 1),
    ("{\"a\":1}{", "trailing-text", 1),
  ])
  func `A file of spend, names or rates with an error names its line and code`(
    text: String, code: String, line: Int
  ) {
    do {
      _ = try ReferenceFile.read(SpendRow.self, Array(text.utf8))
      Issue.record("It was taken.")
    } catch {
      if code != "trailing-text" { #expect(error.code == code) }
      #expect(error.line == line)
      #expect(!error.sentence.english.isEmpty)
    }
  }

  @Test func `A file of names identifies campaigns by digits and days`() throws {
    let text =
      "network,campaign,from,to,name,ad set\nN,39,2026-01-01,2026-02-01,Winter,A\nN,39,2026-02-01,,Spring,\n"
    let rows = try ReferenceFile.read(CampaignNameRow.self, Array(text.utf8))
    #expect(rows.map(\.name) == ["Winter", "Spring"])
    #expect(rows.map(\.adSet) == ["A", nil])
    #expect(rows[0].to == (try day("2026-02-01")))
    for (row, code) in [
      ("N,x9,2026-01-01,,A,", "invalid-campaign"), ("N,12345,2026-01-01,,A,", "invalid-campaign"),
      ("N,39,2026-01-01,2026-01-01,A,", "empty-range"), ("N,39,2026-01-01,,,", "missing-name"),
    ] {
      let file = "network,campaign,from,to,name,ad-set\n\(row)\n"
      #expect { try ReferenceFile.read(CampaignNameRow.self, Array(file.utf8)) } throws: {
        ($0 as? ReferenceFileError)?.code == code
      }
    }
  }

  @Test func `A file of rates has rates greater than zero between two currencies`() throws {
    let rates = try ReferenceFile.read(
      RateRow.self, Array("date,currency,quote,rate\n2026-01-01,EUR,USD,1.1\n".utf8))
    #expect(rates.map(\.picos) == [1_100_000_000_000])
    let rial = try ReferenceFile.read(
      RateRow.self, Array("date,currency,quote,rate\n2026-01-01,IRR,USD,0.0000238\n".utf8))
    #expect(rial.map(\.picos) == [23_800_000])
    for row in [
      "2026-01-01,EUR,USD,0", "2026-01-01,EUR,EUR,1", "2026-01-01,EUR,USD,0.0000000000001",
      "2026-01-01,EUR,USD,1e5", "2026-01-01,EUR,USD,99999999", "2026-01-01,EUR,USD,-1",
      "2026-01-01,EUR,USD,1\n2026-01-01,EUR,USD,2",
    ] {
      #expect(throws: ReferenceFileError.self) {
        try ReferenceFile.read(RateRow.self, Array("date,currency,quote,rate\n\(row)\n".utf8))
      }
    }
  }
}
