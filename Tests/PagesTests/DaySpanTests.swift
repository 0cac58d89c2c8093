import Markup
import Pages
import Testing
import Values

@testable import Screens

struct `The days of a page` {
  @Test func `Each day is a run of its own where words go from right to left`() throws {
    let days = try #require(Day("2026-10-24"))..<(try #require(Day("2026-11-21")))
    let label = Language.$ofPage.withValue(.arabic) { days.label.text }
    let runs = label.split(separator: " – ").map(String.init)
    #expect(runs.count == 2, "\(label)")
    #expect(runs.allSatisfy { $0.hasPrefix("&#x2068;") && $0.hasSuffix("&#x2069;") }, "\(label)")
    let markup = Language.$ofPage.withValue(.arabic) { days.markup.text }
    #expect(markup.contains("</time></bdi> – <bdi><time"), "\(markup)")
    #expect(days.label.text == "24 Oct – 20 Nov 2026")
  }

  @Test(arguments: [Language.japanese, .chinese])
  func `The year is before the first day where a language begins with it, and at both days of two years`(
    language: Language
  ) throws {
    func label(_ first: String, _ end: String) throws -> String {
      let days = try #require(Day(first))..<(try #require(Day(end)))
      return Language.$ofPage.withValue(language) { days.label.text }
    }
    #expect(try label("2026-10-31", "2026-11-28") == "2026年10月31日 – 11月27日")
    #expect(try label("2026-12-31", "2027-01-03") == "2026年12月31日 – 2027年1月2日")
  }
}
