import HTTPServer
@testable import Service
@testable import Routing
import Tables
import Testing

struct `The form of an answer` {
  @Test(
    arguments: [
      ([], .json), ([""], .json), (["*/*"], .json), (["application/json"], .json), (["text/csv"], .csv),
      (["application/ndjson"], .ndjson), (["application/x-ndjson; charset=utf-8"], .ndjson),
      (["TEXT/*"], .csv),
      (["text/html", "text/csv;q=0.1"], .csv), (["application/*;q=0.5, text/csv"], .csv),
      (["text/csv;q=0.5, application/json;q=0.5"], .json), (["application/json;q=0, */*"], .ndjson),
      (["text/html,application/xhtml+xml,*/*;q=0.8"], .json), (["text/csv;q=0"], nil), (["image/png"], nil),
      (["*/*;q=0"], nil), (["text/csv;q=nonsense"], .csv), ([";;,,/"], nil),
    ] as [([String], Format?)])
  func `The form of an answer is the one that the client prefers`(accept: [String], format: Format?) {
    #expect(ContentChoice(accept).format(among: Format.forPrograms) == format)
  }

  @Test(arguments: [
    ([], false), (["gzip"], true), (["br, gzip;q=0.1"], true), (["gzip;q=0"], false), (["*"], true),
    (["gzip;q=0, *"], false), (["identity"], false), (["GZip"], true),
  ])
  func `The form of an answer is compressed only for clients that accept that`(lines: [String], isTaken: Bool)
  {
    #expect(ContentChoice(lines).takes(coding: "gzip") == isTaken)
  }
}

struct `An entity tag` {
  private let tag = EntityTag(of: Array("body".utf8), link: nil, isPacked: false)

  @Test func `An entity tag differs if the answer does`() {
    let others = [
      EntityTag(of: Array("bodY".utf8), link: nil, isPacked: false),
      EntityTag(of: Array("body".utf8), link: "next", isPacked: false),
      EntityTag(of: Array("body".utf8), link: nil, isPacked: true),
    ]
    #expect(Set(others + [tag]).count == 4)
    #expect(tag == EntityTag(of: Array("body".utf8), link: nil, isPacked: false))
  }

  @Test func `An entity tag is found among those that a client has`() {
    #expect(tag.isAmong([tag.text]))
    #expect(tag.isAmong(["\"a\", W/\(tag.text)"]))
    #expect(tag.isAmong(["\"a\"", "\(tag.text) ,\"b\""]))
    #expect(tag.isAmong(["*"]))
    #expect(!tag.isAmong([]))
    #expect(!tag.isAmong(["\"a\"", String(tag.text.dropFirst().dropLast())]))
  }
}

struct `Another site's page` {
  private let rules = CrossOrigin(["https://dash.example"])

  @Test(
    arguments: [
      nil, "null", "https://dash.example:8443", "http://dash.example", "https://dash.example/",
      "https://dash.example.evil", "https://DASH.example", "*",
    ] as [String?])
  func `Another site's page reads nothing unless it is listed letter by letter`(origin: String?) {
    #expect(rules.headers(for: origin).isEmpty)
    #expect(rules.preflight(for: origin, method: "GET").isEmpty)
    #expect(CrossOrigin([]).headers(for: origin).isEmpty)
  }

  @Test func `Another site's page reads if it is listed, never with cookies`() {
    let all =
      rules.headers(for: "https://dash.example") + rules.preflight(for: "https://dash.example", method: "GET")
    #expect(
      all.filter { $0.name == "Access-Control-Allow-Origin" }.map(\.value)
        == ["https://dash.example", "https://dash.example"])
    #expect(!all.contains { $0.name == "Access-Control-Allow-Credentials" || $0.value == "*" })
    #expect(rules.preflight(for: "https://dash.example", method: nil).isEmpty)
  }
}

struct `A cursor` {
  @Test func `A cursor is in the address of the next page beside the other parameters`() {
    let question = question(
      cursor: nil, items: [("network", "a&b c"), ("cursor", "old"), ("limit", "2")])
    #expect(question.address(ofNext: "new") == "?network=a%26b%20c&limit=2&cursor=new")
  }

  private func question(cursor: String?, items: [(name: String, value: String)] = []) -> ReadQuestion {
    ReadQuestion(
      words: [:], identifier: "", format: .json, limit: 1, cursor: cursor, items: items, knownTags: [],
      takesGzip: false)
  }
}
