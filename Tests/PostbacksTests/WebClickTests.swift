import JSONText
import Postbacks
import Testing

private func body(_ changes: [JSONOutput.Member] = [], without: [String] = []) -> [UInt8] {
  let members: [JSONOutput.Member] = [
    .init("source_engagement_type", "click"), .init("source_site", "News.Example"), .init("source_id", 42),
    .init("attributed_on_site", "shop.example"), .init("trigger_data", 12), .init("version", 3),
  ]
  let kept = members.filter { member in
    !without.contains(member.name) && !changes.contains { $0.name == member.name }
  }
  return JSONOutput.object(kept + changes).bytes()
}

private func code(_ body: [UInt8]) -> String {
  do throws(PostbackDefect) {
    _ = try WebClick(body)
    return "none"
  } catch {
    return "\(error.code) \(error.memberName ?? "-")"
  }
}

struct `A report of Private Click Measurement` {
  @Test func `A report of Private Click Measurement is read as WebKit writes it, with and without tokens`()
    throws
  {
    let click = try WebClick(body())
    #expect(click.sourceSite.text == "news.example" && click.destinationSite.text == "shop.example")
    #expect(click.sourceID == 42 && click.triggerData == 12 && click.version == 3 && !click.hasToken)
    for side in ["source", "destination"] {
      let token: [JSONOutput.Member] = [
        .init("\(side)_secret_token", "ABCDEFabcdef0123456789_-"),
        .init("\(side)_secret_token_signature", "AAAA"),
      ]
      #expect(try WebClick(body(token)).hasToken)
    }
    // The host of WebKit's own tests.
    #expect(try WebClick(body([.init("source_site", "127.0.0.1")])).sourceSite.text == "127.0.0.1")
  }

  @Test func `A report of Private Click Measurement may have members that are not known yet`() throws {
    #expect(try WebClick(body([.init("attribution_extra", ["x": 1])])) == WebClick(body()))
  }

  @Test(arguments: ["source_id", "trigger_data"])
  func `A report of Private Click Measurement takes the whole range of a number and no more`(
    name: String
  ) {
    let most: Int64 = name == "source_id" ? 255 : 15
    #expect(code(body([.init(name, 0)])) == "none")
    #expect(code(body([.init(name, .integer(most))])) == "none")
    for number in [-1, most + 1, .max] {
      #expect(code(body([.init(name, .integer(number))])) == "out-of-range \(name)")
    }
    #expect(code(body([.init(name, "1")])) == "wrong-type \(name)")
    #expect(code(body([.init(name, .null)])) == "wrong-type \(name)")
  }

  @Test(arguments: [
    "source_engagement_type", "source_site", "source_id", "attributed_on_site", "trigger_data", "version",
  ]) func `A report of Private Click Measurement needs every member that WebKit always writes`(name: String) {
    #expect(code(body(without: [name])) == "missing-member \(name)")
  }

  @Test func `A report of Private Click Measurement is rejected with the member that is wrong`() {
    #expect(code(body([.init("source_engagement_type", "view")])) == "wrong-form source_engagement_type")
    for site in [
      "", "a b", "x/y", ".example", "example.", "\u{e4}.example", String(repeating: "a", count: 254),
    ] {
      #expect(code(body([.init("source_site", .string(site))])) == "wrong-form source_site", "\(site)")
    }
    #expect(code(body([.init("version", 0)])) == "out-of-range version")
    #expect(
      code(body([.init("source_secret_token", "AAAA")])) == "missing-member source_secret_token_signature")
    #expect(
      code(body([.init("source_secret_token", "A+/="), .init("source_secret_token_signature", "AAAA")]))
        == "wrong-form source_secret_token")
    #expect(code(Array("[]".utf8)) == "not-an-object -")
    #expect(code(Array("{".utf8)) == "broken-json -")
    #expect(code(body() + body()) == "broken-json -")
    #expect(code(Array(#"{"source_id":1,"source_id":2}"#.utf8)) == "duplicate-member source_id")
    let large = body([.init("padding", .string(String(repeating: "x", count: WebClick.byteLimit)))])
    #expect(code(large) == "too-large -")
  }
}
