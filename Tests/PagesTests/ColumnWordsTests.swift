import Campaigns
import EstimateReports
import Imports
import Pages
import SampleData
import Screens
import Tables
import Testing
import Values

struct `Words of columns on pages` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  /// The tables that pages show with all columns for people.
  private static let tables: [(name: String, headers: [Header])] = [
    ("cohorts", CohortReport.columns.map(\.header)), ("organic", OrganicReport.columns.map(\.header)),
    (
      "proceeds",
      [ProceedsReport.part, ProceedsReport.estimate, ProceedsReport.amount, ProceedsReport.worstCase].map(
        \.header)
    ),
    (
      "shortfall",
      (ShortfallReport.columns.filter { $0.name != "lost" } + [ShortfallReport.lost]).map(\.header)
    ),
    ("spend", SpendRows.columns.map(\.header)), ("names", NameRows.columns.map(\.header)),
    ("rates", RateRows.columns.map(\.header)), ("totals", TotalRows.columns.map(\.header)),
    ("installs", OwnInstallRows.columns.map(\.header)), ("earned", ProceedsRows.columns.map(\.header)),
    ("users", UserRows.columns.map(\.header)),
  ]

  /// Whether no language has words for a sentence.
  private static func lacksWords(_ sentence: Sentence) -> Bool {
    sentence.key.contains(where: \.isLetter)
      && Texts(.accented).say(phrase: sentence).text == Texts(.english).say(phrase: sentence).text
  }

  /// The titles and explanations of columns for people that no language has words for.
  private static func missing(in headers: [Header]) -> [String] {
    headers.filter { ![.forPrograms, .onRequestForPrograms].contains($0.presence) }
      .flatMap { [$0.title, $0.help] }.filter(lacksWords).map(\.english)
  }

  @Test(arguments: tables)
  func `Every title and explanation of a table that pages show whole has words`(
    name: String, headers: [Header]
  ) {
    #expect(Self.missing(in: headers) == [], "\(name)")
  }

  @Test func `A column without words is found`() {
    let column = Column<Int>("planted", "a title without words", "An explanation without words.") { $0 }
    #expect(Self.missing(in: [column.header]) == ["a title without words", "An explanation without words."])
  }

  @Test func `Every heading and explanation of columns on the pages of sample data has words`() throws {
    let site = try OpenSite(at: now)
    let sample = SampleDatabase(
      path: site.database + "-sample/skan.db", samples: site.database + "-sample", now: now, share: 0.02)
    #expect(try sample.make())
    var headings = 0
    var english: Set<String> = []
    for screen in allScreens where !screen.opensByLink && !screen.path.contains("{") {
      let first = try site.page(screen.path + "?lang=en-XA", cookie: "skan-sample=1")
      let columns = try Self.options("columns", of: first).joined(separator: ",")
      let all = columns.isEmpty ? "" : "&columns=\(columns)"
      for query in try [""] + Self.options("by", of: first).map({ "&by=\($0)" }) {
        let page = try site.page(screen.path + "?lang=en-XA" + all + query, cookie: "skan-sample=1")
        for found in Self.headings(of: page) {
          headings += 1
          if found.contains(/[a-z]{3}/) { english.insert("\(screen.path)\(query): \(found)") }
        }
      }
    }
    #expect(headings > 100)
    #expect(english.sorted() == [])
  }

  /// The values of a choice of a page.
  private static func options(_ name: String, of page: String) throws -> [String] {
    if let list = page.firstMatch(
      of: try Regex("<select[^>]*name=\"\(name)\".*?</select>").dotMatchesNewlines())
    {
      return String(page[list.range]).matches(of: /value="([^"]+)"/).map { String($0.output.1) }
    }
    return try page.matches(of: Regex("type=\"checkbox\" name=\"\(name)\"\\s+value=\"([^\"]+)\""))
      .compactMap { $0.output[1].substring.map(String.init) }
  }

  /// The words of headings and explanations of columns, without code and marks of the text.
  private static func headings(of page: String) -> [String] {
    let heads = page.matches(of: /<th scope="col"[^>]*>(.*?)<\/th>/.dotMatchesNewlines()).map(\.output.1)
    let help = page.matches(
      of: /<details class="more below">.*?<dl class="kv">(.*?)<\/dl>/.dotMatchesNewlines()
    )
    .flatMap { $0.output.1.split(separator: "</dd>") }
    return (heads + help).map {
      let words = $0.replacing(/<code>.*?<\/code>/, with: "").replacing(/<[^>]*>/, with: " ")
      // The horizon's code is the same in every language.
      return String(words.replacing(/&[^;]*;/, with: "").replacing("window-1", with: ""))
    }
  }
}
