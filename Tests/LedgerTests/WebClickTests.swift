import Foundation
@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

/// A receipt of a report of Private Click Measurement, or of what was sent as one.
func webClick(
  _ body: String, from sender: String = "s", at time: Instant = noon
) -> Receipt {
  let bytes = Array(body.utf8)
  return Receipt(
    arrival: Arrival(receivedAt: time, origin: Origin(.advertiserCopy), quotaSource: sender, body: bytes),
    finding: .webClick(Result { () throws(PostbackDefect) in try WebClick(bytes) }))
}

/// The body of a report.
func webBody(site: String = "news.example", id: Int = 1, trigger: Int = 2, token: String? = nil) -> String {
  let tokens = token.map { #","source_secret_token":"\#($0)","source_secret_token_signature":"AAAA""# } ?? ""
  return #"{"source_engagement_type":"click","source_site":"\#(site)","source_id":\#(id),"#
    + #""attributed_on_site":"shop.example","trigger_data":\#(trigger),"version":3\#(tokens)}"#
}

/// A report of few kinds, so that some come again.
func drawnWebClick(at time: Instant, _ random: inout SplitMix64) -> Receipt {
  func pick(_ count: UInt64) -> Int { Int(random.next() % count) }
  guard pick(5) > 0 else { return webClick("no report \(pick(3))", at: time) }
  let token = pick(2) == 0 ? "AAA\(pick(4))" : nil
  return webClick(webBody(site: "s\(pick(2))", id: pick(2), trigger: pick(2), token: token), at: time)
}

struct `Web clicks` {
  private let scratch: ScratchDatabase

  init() throws { scratch = try ScratchDatabase() }

  private func writer(_ quota: WebClickQuota = WebClickQuota()) throws -> LedgerWriter {
    try LedgerWriter(path: scratch.path, settings: LedgerSettings(webClickQuota: quota))
  }

  private func rows(_ dimensions: [WebClickDimension] = []) throws -> [WebClickRow] {
    try LedgerReader(path: scratch.path).webClicks(WebClickQuery(dimensions: dimensions))
  }

  private func number(_ sql: String) throws -> Int64? {
    try Connection(path: scratch.path, mode: .readOnly).integer(sql)
  }

  @Test func `Web clicks count every time without a token, and once with one`() throws {
    let day: Int64 = 86_400_000
    let plain = webBody()
    let first = try writer().commit([
      webClick(plain), webClick(plain), webClick(webBody(token: "AAAA")), webClick(webBody(token: "AAAA")),
      webClick(webBody(token: "BBBB")), webClick("{}"),
    ])
    #expect(
      first.map(\.effect) == [
        .webClick(.counted), .webClick(.counted), .webClick(.counted), .webClick(.repeated),
        .webClick(.counted), .webClick(.rejected),
      ])
    // A restart remembers tokens, and a repeat belongs to the day of the first report.
    let later = try writer().commit([
      webClick(webBody(token: "BBBB"), at: noon + day), webClick(plain, at: noon + day),
    ])
    #expect(later.map(\.effect) == [.webClick(.repeated), .webClick(.counted)])
    #expect(try rows() == [WebClickRow(clicks: 5, repeats: 2)])
    #expect(try rows([.day]).map { [$0.clicks, $0.repeats] } == [[4, 2], [1, 0]])
    let reader = try LedgerReader(path: scratch.path)
    #expect(
      try reader.rejectedWebClicks(from: nil, to: nil)
        == [RejectedWebClicks(reason: "missing-member", seen: 1, kept: 1)])
    #expect(try reader.rejectedWebClicks(from: noon.day, to: noon.day) == [])
    #expect(try number("SELECT count(*) FROM web_click WHERE CAST(body AS TEXT) = '\(plain)'") == 3)
  }

  @Test func `Web clicks are never among the postbacks, their copies, arrivals or rejected bodies`() throws {
    _ = try writer().commit([valid("a"), rejected("x"), webClick(webBody()), webClick("{}")])
    let path = scratch.path
    #expect(try totals(path).map(\.counts.postbacks) == [1])
    #expect(try LedgerReader(path: path).rejections(from: nil, to: nil).map(\.seen) == [1])
    #expect(try LedgerReader(path: path).arrivals(fromHour: 0).reduce(0) { $0 + $1.count.rejected } == 1)
    #expect(try number("SELECT count(*) FROM postback") == 1)
  }

  @Test func `Web clicks beyond the quota of a sender or day are counted, and their bodies not kept`() throws
  {
    let writer = try writer(WebClickQuota(perSender: 2, perDay: 3))
    _ = try writer.commit((0..<5).map { webClick(webBody(id: $0 % 2)) })
    _ = try writer.commit((0..<5).map { _ in webClick(webBody(), from: "other") })
    _ = try writer.commit((0..<9).map { webClick("no report", from: "\($0)") })
    #expect(try rows() == [WebClickRow(clicks: 10, repeats: 0)])
    #expect(try number("SELECT count(*) FROM web_click WHERE reason IS NULL") == 3)
    #expect(
      try LedgerReader(path: scratch.path).rejectedWebClicks(from: nil, to: nil)
        == [RejectedWebClicks(reason: "broken-json", seen: 9, kept: 3)])
    #expect(try LedgerRebuild(path: scratch.path).check().areEqual)
    // The next day has a quota of its own.
    _ = try writer.commit([webClick(webBody(), at: noon + 86_400_000)])
    #expect(try number("SELECT count(*) FROM web_click WHERE reason IS NULL") == 4)
  }

  @Test func `Web clicks of more kinds than a day may have are one row, and nothing of them is kept`() throws
  {
    let quota = WebClickQuota(combinationsPerDay: 3)
    let receipts = (0..<10).map { webClick(webBody(site: "s\($0).example")) }
    _ = try writer(quota).commit(Array(receipts[..<2]))
    _ = try writer(quota).commit(Array(receipts[2...]) + [receipts[0]])
    let found = try rows([.sourceSite])
    #expect(found.map(\.sourceSite) == [nil, "s0.example", "s1.example", "s2.example"])
    #expect(found.map(\.clicks) == [7, 2, 1, 1])
    #expect(try number("SELECT count(*) FROM web_click") == 4)
    #expect(try LedgerRebuild(path: scratch.path).check().areEqual)
  }

  @Test func `Web clicks are asked for by days and sites`() throws {
    let day: Int64 = 86_400_000
    _ = try writer().commit([
      webClick(webBody()), webClick(webBody(site: "b.example")),
      webClick(webBody(site: "b.example"), at: noon + day),
    ])
    let reader = try LedgerReader(path: scratch.path)
    func clicks(_ query: WebClickQuery) throws -> Int64 { try reader.webClicks(query)[0].clicks }
    #expect(try clicks(WebClickQuery(from: noon.day, to: (noon + day).day)) == 2)
    #expect(try clicks(WebClickQuery(from: (noon + day).day)) == 1)
    #expect(try clicks(WebClickQuery(sourceSites: [known(WebSite("B.example"))])) == 2)
    #expect(try clicks(WebClickQuery(destinationSites: [known(WebSite("b.example"))])) == 0)
  }

  @Test func `Web clicks keep their counts, and tokens their memory, when bodies are pruned`() throws {
    let day: Int64 = 86_400_000
    let old = webClick(webBody(token: "AAAA"))
    _ = try writer().commit([
      old, webClick("{}"), webClick(webBody(), at: noon + 10 * day), webClick("{}", at: noon + 10 * day),
    ])
    let before = try rows([.day, .sourceID])
    let upkeep = try LedgerUpkeep(path: scratch.path)
    #expect(try upkeep.countOldBodies(before: noon + day).webClicks == 2)
    #expect(try upkeep.prune(before: noon + day).webClicks == 2)
    #expect(try upkeep.prune(before: noon + day).webClicks == 0)
    #expect(try number("SELECT count(*) FROM web_click WHERE body IS NOT NULL") == 2)
    #expect(try rows([.day, .sourceID]) == before)
    #expect(try LedgerRebuild(path: scratch.path).check().areEqual)
    #expect(try writer().commit([old]).map(\.effect) == [.webClick(.repeated)])
  }
}
