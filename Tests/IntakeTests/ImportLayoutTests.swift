import Intake
import Ledger
import Testing
import Values

struct `A file with columns of other names` {
  private func read(
    _ text: String, columns: String? = nil, fixed: String? = nil,
    _ change: (inout ImportForm) -> Void = { _ in }
  ) throws -> [SpendRow] {
    var form = ImportForm()
    if let columns { try form.rename(columns) }
    if let fixed { try form.fix(fixed) }
    change(&form)
    var mistakes = ReferenceMistakes(most: 1)
    return try ReferenceFile.read(
      ReferenceFile.source(Array(text.utf8)), try ImportLayout<SpendRow>(form), &mistakes
    ).rows.all()
  }

  private func mistake(
    _ text: String, columns: String? = nil, fixed: String? = nil,
    _ change: (inout ImportForm) -> Void = { _ in }
  ) throws -> ReferenceFileError {
    try #require(throws: ReferenceFileError.self) {
      try read(text, columns: columns, fixed: fixed, change)
    }
  }

  @Test func `A file with columns of other names is read, with what is the same in all rows`() throws {
    let text = "Day,Campaign name,Amount spent (EUR),Impressions\n2026-11-01,Summer,12.50,100\n"
    let rows = try read(
      text, columns: "date=Day,campaign=Campaign name,amount=Amount spent (EUR)",
      fixed: "network=v9wttpbfk9.skadnetwork,currency=EUR")
    #expect(
      rows == [
        SpendRow(
          day: try #require(Day("2026-11-01")), network: "v9wttpbfk9.skadnetwork", campaign: "Summer",
          app: nil,
          currency: "EUR", micros: 12_500_000, impressions: 100, clicks: nil)
      ])
    let json = #"{"when":"2026-11-01","ad":{"set":{"campaign":"Summer"}},"amount":3,"app":7}"#
    let nested = try read(
      json, columns: "date=when,campaign=ad.set.campaign,app=", fixed: "network=n,currency=EUR")
    #expect(nested.map(\.campaign) == ["Summer"] && nested.map(\.app) == [nil])
  }

  @Test
  func `A file with columns of other names is rejected where a column is missing, with its probable name`()
    throws
  {
    let own = try mistake("day,network,campaign,cost,currency\n2026-11-01,n,39,1,EUR\n")
    #expect(
      own.sentence.english
        == "the header has no column 'date'; it needs date, network, campaign, amount, currency")
    #expect(own.cure == "--columns date=day")
    let renamed = try mistake(
      "date,network,campaign,cost_usd,currency\n2026-11-01,n,39,1,EUR\n", columns: "amount=spend")
    #expect(renamed.sentence.english == "the header has no column 'spend', which has the amount")
    #expect(renamed.cure == "--columns amount=NAME with the file's own name; the file has cost_usd")
    let currency = try mistake("date,network,campaign,amount\n2026-11-01,n,39,1\n")
    #expect(currency.cure?.hasSuffix("or --set currency=USD for all rows") == true)
    let line = try mistake(#"{"date":"2026-11-01","network":"n","campaign":"39","spend":1,"currency":"EUR"}"#)
    #expect(line.sentence.english == "the row has no amount" && line.cure == "--columns amount=spend")
  }

  @Test
  func `A file with columns of other names is rejected where one is empty in all rows, never read as zero`()
    throws
  {
    let header = "date,network,campaign,cost,clicks,currency\n"
    let rows = (1...3).map { "2026-11-0\($0),n,39,,,EUR\n" }.joined()
    let amounts = try mistake(header + rows, columns: "amount=cost")
    #expect(amounts.code == "empty-column" && amounts.line == 1 && amounts.cure != nil)
    #expect(amounts.sentence.english == "'cost', which has the amount, is empty in all 3 rows")
    let full = rows.replacing(",,,", with: ",5,,")
    let clicks = try mistake(header + full, columns: "amount=cost,clicks=clicks")
    #expect(clicks.sentence.english == "'clicks', which has the clicks, is empty in all 3 rows")
    #expect(clicks.cure?.contains("--columns clicks= leaves it out") == true)
    #expect(try read(header + full, columns: "amount=cost").map(\.clicks) == [nil, nil, nil])
    #expect(try read(header + full, columns: "amount=cost,clicks=").count == 3)
    // One empty cell among others is a mistake of its row.
    let one = try mistake(header + full + "2026-11-04,n,39,,,EUR\n", columns: "amount=cost")
    #expect(one.line == 5 && one.sentence.english == "the row has no amount (cost)" && one.cure == nil)
  }

  @Test func `A file with columns of other names has dates as spreadsheets leave them`() throws {
    let header = "date,network,campaign,amount,currency\n"
    func day(_ text: String, _ change: (inout ImportForm) -> Void = { _ in }) throws -> String? {
      try read(header + text + ",n,39,1,EUR\n", change).first.map { "\($0.day)" }
    }
    #expect(try day("1.11.2026") { $0.days.format = try? TimeFormat("day-first") } == "2026-11-01")
    #expect(try day("46346") { $0.days.format = try? TimeFormat("excel") } == "2026-11-20")
    #expect(try day("2026-11-01T00:00:00.000000Z") == "2026-11-01")
    #expect(try day("2026-11-01T00:00:00-07:00") == "2026-11-01")
    #expect(try day("2026-11-01 00:00:00") == "2026-11-01")
    #expect(
      try day("2026-10-31T23:00:00Z") { $0.days.zone = ReportingZone(offset: "+01:00") } == "2026-11-01")
    let clock = try mistake(header + "2026-10-31T23:00:00Z,n,39,1,EUR\n")
    #expect(clock.code == "no-midnight-date" && clock.cure?.contains("--time-zone") == true)
    #expect(
      try mistake(header + "13/11/2026,n,39,1,EUR\n").cure == "--time-format day-first reads 2026-11-13")
  }

  @Test func `A file with columns of other names has amounts in the unit that is named`() throws {
    let text = "date,network,campaign,amount,currency\n2026-11-01,n,39,1234567,EUR\n"
    #expect(try read(text) { $0.amounts.unit = .millionths }.map(\.micros) == [1_234_567])
    #expect(try read(text) { $0.amounts.unit = .hundredths }.map(\.micros) == [12_345_670_000])
    let long = text.replacing("1234567", with: "0.30000000000000004")
    #expect(try mistake(long).cure == #"a profile with "rounds-amounts": true rounds to a millionth"#)
    #expect(try read(long) { $0.amounts.isRounded = true }.map(\.micros) == [300_000])
  }

  @Test(arguments: [
    ("amount", "'amount' is not column=name, such as amount=spend"),
    ("=x", "'=x' is not column=name, such as amount=spend"),
    ("amount=a,amount=b", "the column amount is given twice"),
    ("date=x,amount=x", "two columns would be read from 'x'"),
    ("amount=", "rows need the column amount, which cannot be left out"),
    (
      "amuont=x",
      "there is no column 'amuont'; use date, network, campaign, amount, currency, app, impressions, clicks; did you mean amount?"
    ),
  ]) func `A file with columns of other names needs names that fit`(columns: String, sentence: String) throws
  {
    let defect = try #require(throws: ImportLayoutDefect.self) {
      var form = ImportForm()
      try form.rename(columns)
      _ = try ImportLayout<SpendRow>(form)
    }
    #expect(defect.sentence == sentence)
  }
}
