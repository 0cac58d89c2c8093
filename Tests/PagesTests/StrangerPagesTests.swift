import Ledger
import TestSupport
import Testing
import Values

struct `A stranger at the pages` {
  private let now = Instant(seconds: 1_800_000_000)
  private let site: OpenSite

  init() throws { site = try OpenSite(at: now, asksForTokens: true) }

  @Test func `A stranger at the pages gets a hundred at once, then 429 in any language`() throws {
    let paths = ["/sign-in", "/campaigns", "/", "/sign-in?next=/alerts"]
    for number in 0..<100 { #expect(try site.answer(paths[number % 4]).status < 400, "\(number)") }
    for path in paths + ["/data/spend", "/m/none"] {
      let answer = try site.answer("GET", path, [("Accept-Language", "de")])
      #expect(answer.status == 429, "\(path)")
      #expect(answer.header("Retry-After") == "1")
      #expect(answer.header("Content-Language") == "de")
      #expect(answer.text.contains("Zu viele Versuche von dieser Adresse."))
    }
    // What pages are made of is there for everyone.
    #expect(try site.answer("/assets/style.css").status != 429)
  }

  @Test func `A stranger at the pages takes nothing from those who have a session`() throws {
    let token = "reader-0123456789"
    _ = try TokenStore(path: site.database).add(.read, name: "anna", token: token, now: now)
    let cookie = try site.signIn(token).cookie
    for _ in 0..<150 { _ = try site.answer("/campaigns") }
    #expect(try site.answer("/campaigns").status == 429)
    for _ in 0..<150 { #expect(try site.answer("GET", "/alerts", [("Cookie", cookie)]).status == 200) }
  }

  @Test func `A stranger at the pages gets no longer page for a long address`() throws {
    let usual = try site.answer("/sign-in").body.count
    let next = "/campaigns%3F" + String(repeating: "a%3D%2522%26", count: 1500)
    for path in ["/sign-in?next=\(next)", "/sign-in?next=/" + String(repeating: "%FF", count: 6000)] {
      #expect(try site.answer(path).body.count <= usual, "\(path.prefix(40))")
    }
    let redirect = try site.answer("/campaigns?network=" + String(repeating: "b", count: 5000))
    #expect(redirect.status == 303)
    #expect(redirect.header("Location") == "/sign-in")
    let link = try site.answer("/m/" + String(repeating: "%22", count: 5000))
    #expect(link.body.count < 2 * usual)
  }

  @Test func `A stranger's thousands of cookies and languages are not what counts`() throws {
    let cookies = String(repeating: "a;", count: 100) + " skan-language=; skan-language=ja; skan-language=de"
    let languages = String(repeating: "xx,", count: 2000) + "ar"
    let answer = try site.answer("GET", "/sign-in", [("Cookie", cookies), ("Accept-Language", languages)])
    #expect(answer.header("Content-Language") == "ja")
    #expect(
      try site.answer("GET", "/sign-in", [("Accept-Language", languages)]).header("Content-Language") == "en")
  }
}
