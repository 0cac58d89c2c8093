import Pages
import SampleData
import Screens
import Testing
import Values

struct `Plain words on the pages of marketers` {
  private static let mostWords = 120
  /// Pages that marketers read each day, with forms of them that have other notes.
  private static let pages = [
    "/", "/campaigns", "/campaigns?by=country", "/campaigns?by=publisher", "/campaigns?by=week", "/causes",
    "/plan",
    "/experiments", "/withheld", "/arrived", "/arrived?by=publisher", "/arrived?digits=tree",
  ]

  /// The words of a page that its readers see, those behind buttons too.
  private static func words(of page: String) -> String {
    let main = page.firstMatch(of: /<main.*<\/main>/.dotMatchesNewlines()).map { String($0.output) } ?? ""
    return text(main.replacing(/<(script|style)\b.*?<\/(script|style)>/.dotMatchesNewlines(), with: " "))
  }

  /// What is neither a figure nor a name: sentences outside of tables, charts, forms and headings, in view without a button.
  private static func prose(of page: String) -> [Substring] {
    var main = page.firstMatch(of: /<main.*<\/main>/.dotMatchesNewlines()).map { String($0.output) } ?? ""
    for element in ["form", "table", "nav", "script", "svg", "figure", "h1", "h2", "button", "summary"] {
      main = without(element, "", main)
    }
    main = without("a", " class=\"btn", main)
    main = without("dl", " class=\"figs", main)
    main = without("details", " class=\"more[^>]*\"(?! open)", main)
    return text(main).split(separator: " ").filter { $0.contains(where: \.isLetter) }
  }

  private static func without(_ element: String, _ start: String, _ page: String) -> String {
    guard let pattern = try? Regex("(?s)<\(element)\\b\(start).*?</\(element)>") else { return page }
    return page.replacing(pattern, with: " ")
  }

  private static func text(_ markup: String) -> String {
    markup.replacing(/<[^>]*>/, with: " ").replacing(/&[^;]*;/, with: " ").replacing(/\s+/, with: " ")
  }

  /// Words of commands, columns and files.
  private static func programWords(in text: String) -> [String] {
    let words = "skan [a-z]+|--[a-z]+|\\d+h|window-\\d|null-rate|not-[a-z]+|own-users|nulls?|random seed"
    let endings = "[a-z]+-(spend|campaigns|revenue|identifier|id)"
    guard let pattern = try? Regex("(?:^|[^\\w-])(\(words)|\(endings))\\b") else { return ["no pattern"] }
    return text.matches(of: pattern).compactMap { $0.output[1].substring.map(String.init) }
  }

  @Test func `Pages of marketers have no words of programs and little prose`() throws {
    let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)
    let site = try OpenSite(at: now)
    let sample = SampleDatabase(
      path: site.database + "-sample/skan.db", samples: site.database + "-sample", now: now, share: 0.05)
    #expect(try sample.make())
    let campaigns = try site.page("/campaigns", cookie: "skan-sample=1")
    let link = try #require(campaigns.firstMatch(of: /href="(\/campaign\?[^"]*)"/)?.output.1)
    for path in Self.pages + [String(link).replacing("&amp;", with: "&")] {
      let page = try site.page(path, cookie: "skan-sample=1")
      #expect(Self.programWords(in: Self.words(of: page)) == [], "\(path)")
      let prose = Self.prose(of: page)
      #expect(prose.count <= Self.mostWords, "\(path): \(prose.joined(separator: " "))")
      #expect(
        page.matches(of: /<div class="notes">.*?<\/div>/.dotMatchesNewlines()).allSatisfy { found in
          // All others are behind a button.
          found.output.matches(of: /<p\b/).count <= 2
            || page[..<found.range.lowerBound].hasSuffix("</summary>")
        }, "\(path)")
    }
  }

  @Test func `A word of programs is found, and a word of people is not`() {
    #expect(Self.programWords(in: "the page names unmatched-spend and 48h") == ["unmatched-spend", "48h"])
    #expect(Self.programWords(in: "`skan users import` and --horizon") == ["skan users", "--horizon"])
    #expect(Self.programWords(in: "re-engagements of 48 hours in the spend, window 1") == [])
  }

  @Test func `Prose leaves tables, charts and closed parts out`() {
    let page = """
      <main><h1>Title</h1><p>Two words.</p><table><tr><td>cell</td></tr></table><figure>chart</figure>\
      <details class="more"><summary>button</summary><p>closed</p></details></main>
      """
    #expect(Self.prose(of: page) == ["Two", "words."])
  }
}
