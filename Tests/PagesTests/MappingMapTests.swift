import Imports
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Testing
import Values

struct `The page of mappings` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func document(from date: String, _ rules: String) -> [UInt8] {
    Array(
      """
      {"name": "m", "app": 7, "currency": "EUR", "effective-from": "\(date)", "protocol": "skan4", \(rules)}
      """.utf8)
  }

  private let first = """
    "fine": [{"value": 0, "label": "installed"}, {"value": 1, "events": [{"name": "purchase", "revenue": {"from": 1, "to": 3}}]},
     {"value": 2, "events": [{"name": "purchase", "revenue": {"from": 3, "to": 5}}]}, {"value": 3, "events": ["trial"]},
     {"value": 4, "events": ["trial", "level"]}], "coarse": [{"window": 2, "high": {"events": ["purchase"]}}]
    """
  private let second = """
    "fine": [{"value": 0, "label": "installed"}, {"value": 1, "events": [{"name": "purchase", "revenue": {"from": 1, "to": 3}}]},
     {"value": 2, "events": [{"name": "purchase", "revenue": {"from": 3, "to": 9}}]}, {"value": 3, "events": ["level"]},
     {"value": 60, "events": ["trial"]}]
    """

  private func site(_ versions: [String]) throws -> OpenSite {
    let now = now
    let dates = ["2026-11-01", "2026-12-01", "2027-01-01"]
    let documents = zip(dates, versions).map { document(from: $0, $1) }
    return try OpenSite(at: now) { database in
      _ = try MappingLoad.load(
        documents.enumerated().map { MappingLoad.File(source: "\($0).json", contents: .success($1)) },
        into: MappingStore(path: database), isWhole: false, now: now)
    }
  }

  /// The classes of the cells of a map, by value.
  private func cells(_ section: String) -> [String] {
    section.matches(of: /<td><span class="cell ([^"]*)"/).map { String($0.output.1) }
  }

  @Test func `The version in force comes first, as a map of its values`() throws {
    let site = try site([first, second])
    let page = try site.page("/mappings?app=7")
    let map = try #require(page.firstRange(of: "aria-labelledby=\"h-map\""))
    let versions = try #require(page.firstRange(of: "aria-labelledby=\"h-versions\""))
    #expect(map.lowerBound < versions.lowerBound)
    let section = try site.section("map", of: "/mappings?app=7")
    #expect(section.contains("Version 1") && section.contains("in force"))
    #expect(section.contains("5 values in use, 59 free. Amounts in EUR."))
    let cells = cells(section)
    #expect(cells.count == 64)
    #expect(cells[0] == "h0" && cells[1].hasPrefix("h") && cells[2].hasPrefix("h") && cells[5] == "un")
    #expect(cells[1] < cells[2], "more money is darker")
    for word in ["<bdi>purchase</bdi>", "<bdi>trial</bdi>", "value=\"2\">2", "Days 3 to 7", "<b>high</b>"] {
      #expect(section.contains(word), "\(word)")
    }
  }

  @Test func `What a version changes is a map of its own, and each value is behind a button`() throws {
    let site = try site([first, second])
    let section = try site.section("differences", of: "/mappings?app=7")
    #expect(section.contains("Version 2 against version 1"))
    let cells = cells(section)
    #expect(Array(cells[0...5]) == ["same", "same", "chg", "evc", "gone", "un"])
    #expect(cells[60] == "neu")
    #expect(section.contains("↑") && section.contains("→L") && section.contains("<s>"))
    let details = try #require(
      section.firstRange(of: "<details class=\"more in\"><summary>Each value before and after"))
    let prose = try #require(section.firstRange(of: "What becomes of it"))
    #expect(details.lowerBound < prose.lowerBound)
    #expect(section.contains("Coarse values that change: Window 2: high."))
    #expect(section.contains("postbacks of both versions arrive"))
  }

  @Test func `A single version has the page for itself, and nothing to compare`() throws {
    let page = try site([first]).page("/mappings?app=7")
    #expect(page.contains("h-map") && !page.contains("h-differences") && !page.contains("id=\"roll-back\""))
  }

  @Test func `Another version is shown and compared by its links`() throws {
    let site = try site([first, second, first])
    #expect(try site.section("map", of: "/mappings?app=7&version=2").contains("Version 2"))
    let section = try site.section("differences", of: "/mappings?app=7&old=1&new=3")
    #expect(cells(section).filter { $0 == "same" }.count == 5)
    let versions = try site.section("versions", of: "/mappings?app=7")
    #expect(versions.contains("app=7&amp;old=2&amp;new=3#h-differences"))
    #expect(versions.contains("app=7&amp;version=2"))
  }

  @Test func `An app is taken by its name, and what names none is shown again`() throws {
    let site = try OpenSite(at: now) { database in
      try OpenSite.store([.init(app: 8, at: now.day.start)], in: database)
      _ = try NameImport.store(
        Array("network,campaign,app,from,name\n,,8,2026-01-01,Dragon Merge\n".utf8), NoChoice(),
        in: LedgerFile(path: database), now: Instant(seconds: 1_780_000_000))
    }
    let begun = try site.post(
      "/mappings", [("do", "begin"), ("app", "dragon merge"), ("version", "revenue")])
    #expect(begun.status == 303)
    #expect(try LedgerReader(path: site.database).mappingDrafts().map(\.app.number) == [8])
    let file = #"{"name": "m", "app": 8}"#
    let other = try site.post(
      "/mappings", [("do", "import"), ("format", "skan"), ("app", "Dragon M"), ("text", file)])
    #expect(other.text.contains("an app is needed") && other.text.contains("value=\"Dragon M\""))
  }
}
