import Pages
import Testing

struct `The language of pages` {
  private static let choices: [(query: String?, cookie: String?, accepted: String?, language: Language)] = [
    ("de", nil, nil, Language.german), ("xx", "ja", "de", .japanese),
    (nil, "nonsense", "es-MX, en", .spanish),
    (nil, nil, "de;q=0.5, ar;q=0.9", .arabic), (nil, nil, "fr, en;q=0.2", .english),
    (nil, nil, "DE-at", .german), (nil, nil, "zh-CN, en", .chinese), (nil, nil, "zh-TW, ja;q=0.5", .japanese),
    (nil, nil, "fr-CA", .english), (nil, nil, "de;q=0, es;q=0.1", .spanish), (nil, nil, "*", .english),
    (nil, nil, nil, .english), ("zh-Hans", nil, "de", .chinese), (nil, "en-XB", "de", .mirrored),
  ]

  @Test(arguments: choices)
  func `The language is that of the address, then the cookie, then the best of the browser`(
    query: String?, cookie: String?, accepted: String?, language: Language
  ) throws {
    let site = try OpenSite(at: .init(seconds: 1_800_000_000))
    var headers: [(String, String)] = []
    if let cookie { headers.append(("Cookie", "skan-language=\(cookie)")) }
    if let accepted { headers.append(("Accept-Language", accepted)) }
    let answer = try site.answer("GET", "/alerts" + (query.map { "?lang=\($0)" } ?? ""), headers)
    let root = "<html lang=\"\(language.rawValue)\" dir=\"\(language.direction)\""
    #expect(answer.text.contains(root))
    #expect(answer.header("Content-Language") == language.rawValue)
    #expect(answer.header("Vary") == "Cookie, Accept-Language, Accept-Encoding")
  }

  @Test func `Every page names its address in each language`() throws {
    let site = try OpenSite(at: .init(seconds: 1_800_000_000))
    let page = try site.page("/alerts?lang=de")
    for language in Language.offered {
      let code = language.rawValue
      #expect(page.contains("<link rel=\"alternate\" hreflang=\"\(code)\" href=\"/alerts?lang=\(code)\">"))
      #expect(page.contains("<option value=\"\(code)\" lang=\"\(code)\""))
      #expect(page.contains(">\(language.ownName)</option>"))
    }
    #expect(page.contains("hreflang=\"x-default\" href=\"/alerts\""))
  }

  @Test func `Someone without a session chooses a language on the page of the sign-in, and it stays`() throws
  {
    let site = try OpenSite(at: .init(seconds: 1_800_000_000), asksForTokens: true)
    let answer = try site.answer("GET", "/sign-in?next=/alerts&lang=ja", [])
    #expect(
      answer.text.contains("<a lang=\"ar\" hreflang=\"ar\" href=\"/sign-in?next=%2Falerts&amp;lang=ar\""))
    #expect(answer.header("Set-Cookie")?.hasPrefix("skan-language=ja;") == true)
  }

  @Test func `A part of a page that is fetched again has another tag in another language`() throws {
    let site = try OpenSite(at: .init(seconds: 1_800_000_000))
    let tags = try ["en", "ar"].map { try site.answer("/postbacks?part=live&lang=\($0)").header("ETag") }
    #expect(tags[0] != nil && tags[0] != tags[1])
  }

  @Test func `Every language has every text and no other`() {
    let counts = Language.offered.map { Texts($0).campaignsTitle.text }
    #expect(Set(counts).count > 3)
    for language in Language.offered {
      #expect(!Texts(language).frameDaysAgo(count: 5).text.isEmpty)
      #expect(Texts(language).frameDaysAgo(count: 1200).text.contains("200"))
    }
  }
}
