import Imports
import Intake
import Ledger
import Postbacks
import Testing
import Values

/// An import on its page: guesses, choices, corrections, and what is stored in the end.
struct `The steps of an import` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  /// Sends rows; gives the address of the steps.
  private func send(_ text: String, to kind: String = "spend", _ site: OpenSite) throws -> String {
    let sent = try site.post("/data/\(kind)", [("do", "preview"), ("text", text)])
    return try #require(sent.header("Location"), "\(sent.text)")
  }

  /// Sends the form of the steps; gives their new address.
  private func revise(_ address: String, _ fields: [(String, String)], _ site: OpenSite) throws -> String {
    let upload = try #require(address.firstMatch(of: /upload=([0-9a-f]*)/)).output.1
    let answer = try site.post(String(address.prefix { $0 != "?" }), [("upload", String(upload))] + fields)
    return try #require(answer.header("Location"), "\(answer.text)")
  }

  private func store(_ address: String, _ site: OpenSite) throws -> String {
    let page = try site.page(address)
    let upload = try #require(address.firstMatch(of: /upload=([0-9a-f]*)/)).output.1
    let expected = try #require(page.firstMatch(of: /name="expected" value="([^"]*)"/), "\(page)").output.1
    return try site.post(
      String(address.prefix { $0 != "?" }),
      [("do", "import"), ("upload", String(upload)), ("expected", String(expected))]
    ).text
  }

  private func spend(_ site: OpenSite) throws -> [SpendRow] {
    try LedgerReader(path: site.database).imported(SpendRow.self)
  }

  /// What is chosen in the form, by field.
  private func chosen(_ page: String) -> [String: String] {
    Dictionary(
      page.matches(of: /<select[^>]* name="([^"]*)".*?<\/select>/.dotMatchesNewlines()).map { field in
        let value = String(field.output.0).firstMatch(of: /value="([^"]*)" selected/)
        return (String(field.output.1), value.map { String($0.output.1) } ?? "")
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `Columns and the form of dates are guessed, and three rows are shown as they will be read`()
    throws
  {
    let site = try OpenSite(at: now)
    let file =
      "Tag;Kampagne;Kosten (EUR);Whg;Bem.\n"
      + (13...17).map { "\($0).11.2026;12;96,\($0);EUR;neu\n" }.joined()
    let page = try site.page(send(file, site))
    let fields = chosen(page)
    #expect(
      (0..<5).map { fields["column-\($0)"] } == ["date", "campaign", "amount", "currency", ""]
        && fields["days"] == "day-first", "\(fields)")
    // The network is in no column, so that nothing can be stored yet.
    #expect(page.contains("name=\"fixed-network\"") && !page.contains("value=\"import\""))
    let next = try revise(
      send(file, site), [("do", "check"), ("fixed-network", "v9wttpbfk9.skadnetwork")], site)
    let read = try site.section("columns", of: next)
    #expect(
      read.contains("13 Nov 2026") && read.contains("96.13") && read.contains("<bdi>96,13</bdi>"), "\(read)")
    #expect(read.matches(of: /class="was"/).count == 15)
    #expect(try spend(site).isEmpty)
    #expect(try store(next, site).contains("5 rows of spend stored: 5 new"))
    #expect(try spend(site).map(\.micros).max() == 96_170_000)
  }

  @Test func `Wrong rows stay in boxes with reason and cure, and are corrected there`() throws {
    let site = try OpenSite(at: now)
    let header = "date,network,campaign,amount,currency\n"
    let file =
      header
      + "2026-11-01,a.example,12,7,USD\n2026-13-01,a.example,12,8,USD\n2026-11-02,a.example,12,<x>,USD\n"
    let address = try send(file, site)
    let wrong = try site.section("wrong", of: address)
    #expect(wrong.contains("2 rows are wrong") && wrong.contains("The other row stays as it is"), "\(wrong)")
    #expect(wrong.contains(">2026-13-01,a.example,12,8,USD</textarea>") && wrong.contains("Line 3"))
    #expect(wrong.contains(">2026-11-02,a.example,12,&lt;x&gt;,USD</textarea>"))
    #expect(
      wrong.contains("is not a date such as 2026-11-21") && wrong.contains("Choose another form under Dates"))
    #expect(!(try site.page(address).contains("value=\"import\"")))
    // One is corrected, and then the other is left out.
    let first = try revise(address, [("do", "check"), ("row-3", "2026-11-03,a.example,12,8,USD")], site)
    #expect(try site.section("wrong", of: first).contains("1 row is wrong"))
    let second = try revise(first, [("do", "leave-out"), ("row-4", "2026-11-02,a.example,12,<x>,USD")], site)
    #expect(try store(second, site).contains("2 rows of spend stored: 2 new"))
    #expect(try spend(site).map { "\($0.day) \($0.micros)" } == ["2026-11-01 7000000", "2026-11-03 8000000"])
  }

  @Test func `A profile fills what its files lack, and a choice of columns counts before a guess`() throws {
    let site = try OpenSite(at: now)
    let file =
      "day,campaign,platform,cost,impressions,clicks\n2026-11-01,12,ios,1.5,10,1\n2026-11-01,13,android,9,1,1\n"
    let address = try send(file, site)
    #expect(try site.section("source", of: address).contains("AppLovin"))
    let profile = try revise(address, [("do", "check"), ("profile", "file:applovin")], site)
    let currency = try revise(
      profile, [("do", "check"), ("profile", "file:applovin"), ("fixed-currency", "USD"), ("column-5", "")],
      site)
    #expect(try store(currency, site).contains("1 row of spend stored"))
    let row = try #require(try spend(site).first)
    #expect(row.network == "ludvb6z3bs.skadnetwork" && row.impressions == 10 && row.clicks == nil)
  }

  @Test func `Two columns as one, and a file that cannot be read, are errors, and what was pasted stays`()
    throws
  {
    let site = try OpenSite(at: now)
    let address = try send(
      "date,network,campaign,amount,currency,cost\n2026-11-01,a.example,12,7,USD,9\n", site)
    let twice = try revise(address, [("do", "check"), ("column-5", "amount")], site)
    #expect(try site.page(twice).contains("Two columns are chosen as amount"))
    let broken = try site.post("/data/spend", [("do", "preview"), ("text", "date,\"network\n1 <b>")])
    #expect(broken.status == 200 && broken.text.contains("the file ends inside a quoted cell"))
    #expect(broken.text.contains("date,&quot;network\n1 &lt;b&gt;</textarea>"), "\(broken.text)")
  }

  @Test func `A file of users with semicolons and decimal commas gives the figures of one with commas`()
    throws
  {
    let rows = [
      "uid,ts,event_name,price", "u1,2026-10-01T00:00:00Z,start,0", "u1,2026-10-01T01:00:00Z,buy,2.5",
      "u2,2026-11-20T00:00:00Z,start,0",
    ].joined(separator: "\n")
    let figures = try [rows, rows.replacing(",", with: ";").replacing("2.5", with: "2,5")].map { file in
      let site = try OpenSite(at: now) { database in
        try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap(\.self))
      }
      let known = try revise(send(file, to: "users", site), [("do", "check"), ("app", "1")], site)
      #expect(try site.section("columns", of: known).contains("2.50"), "\(file)")
      #expect(try store(known, site).contains("stored"), "\(file)")
      return try LedgerReader(path: site.database).valueWorth()
    }
    #expect(figures[0] == figures[1] && !figures[0].isEmpty)
  }

  @Test func `Users of a file with other column names are imported, and rows of other kinds too`() throws {
    let site = try OpenSite(at: now) { database in
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap(\.self))
    }
    let file =
      "uid,ts,event_name,price\nu1,2026-10-01T00:00:00Z,start,0\nu1,2026-10-01T01:00:00Z,buy,2.5\n"
      + "u2,2026-11-20T00:00:00Z,start,0\n"
    let address = try send(file, to: "users", site)
    let page = try site.page(address)
    #expect((0..<4).map { chosen(page)["column-\($0)"] } == ["user", "time", "event", "revenue"])
    #expect(page.contains("no app is chosen"))
    let known = try revise(address, [("do", "check"), ("app", "1")], site)
    #expect(try store(known, site).contains("stored"))
    #expect(try LedgerReader(path: site.database).valueWorth().isEmpty == false)
    for (kind, rows) in [
      ("names", "network,campaign,valid from,Label\nn.skadnetwork,12,2026-11-01,Summer\n"),
      ("rates", "Datum,currency,quote,Exchange Rate\n2026-11-01,EUR,USD,1.0837\n"),
    ] {
      let stored = try store(send(rows, to: kind, site), site)
      #expect(stored.contains("1 new"), "\(stored)")
    }
  }
}
