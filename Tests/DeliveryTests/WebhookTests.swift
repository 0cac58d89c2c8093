import JSONText
import Ledger
import OpenSSL
import PostbackFixtures
import Testing
import Values
@testable import Delivery

struct `A webhook` {
  private let webhook = Webhook(
    url: "https://hooks.example/T0/secret", secret: Array("0123456789abcdef".utf8))

  private let alert = AlertRecord(
    id: "disk-space", kind: "disk-space", severity: "critical", app: nil, network: nil, campaign: nil,
    origin: nil, since: noon, value: 0.001, bound: 2, sentence: Sentence(name: "The disk is almost full."),
    remedy: Sentence(name: "Make space."), command: "skan stats --database skan.db")

  @Test func `A webhook receives the alerts as JSON with an id that is the same at each attempt`() throws {
    let notice = try #require(webhook.notices(of: [alert], now: noon).first)
    #expect(webhook.notices(of: [alert], now: noon + 60_000).map(\.id) == [notice.id])
    let body = try #require(try JSONReader.read(notice.body).value.object)
    #expect(body["delivery"]?.value.string == notice.id)
    let first = try #require(body["alerts"]?.value.array?.first?.value.object)
    #expect(first["id"]?.value.string == "disk-space")
    #expect(first["state"]?.value.string == "firing")
    #expect(first["since"]?.value.string == "2026-11-21T12:00:00Z")
    var ended = alert
    ended.resolvedAt = noon + 60_000
    #expect(webhook.notices(of: [ended], now: noon).map(\.id) != [notice.id])
    #expect(webhook.notices(of: [], now: noon).isEmpty)
  }

  @Test func `The sentences for people are in the wording of the webhook, and codes stay`() throws {
    let wording = Wording(language: "xx") { "<\($0.english)>" }
    let notice = try #require(webhook.notices(of: [alert], now: noon, wording: wording).first)
    // The same event is the same notice in every language.
    #expect(webhook.notices(of: [alert], now: noon).map(\.id) == [notice.id])
    let body = try #require(try JSONReader.read(notice.body).value.object)
    let first = try #require(body["alerts"]?.value.array?.first?.value.object)
    #expect(first["sentence"]?.value.string == "<The disk is almost full.>")
    #expect(first["remedy"]?.value.string == "<Make space.>")
    #expect(first["kind"]?.value.string == "disk-space")
  }

  @Test func `A webhook receives a signature over the time and the body`() throws {
    let notice = AlertNotice(
      webhook: webhook.digest, id: "7", createdAt: noon, nextAt: noon, body: Array("{}".utf8))
    let headers = try webhook.headers(for: notice, now: noon + 1500)
    let signature = try #require(headers.first { $0.name == "Skan-Signature" }?.value)
    let code = hexText(
      try hmacSHA256(Array("1795262401.{}".utf8), secret: Array("0123456789abcdef".utf8)))
    #expect(signature == "t=1795262401,v1=\(code)")
    #expect(headers.contains { $0.name == "Skan-Delivery" && $0.value == "7" })
    #expect(
      try !Webhook(url: webhook.url).headers(for: notice, now: noon).contains { $0.name == "Skan-Signature" })
  }

  @Test(arguments: [
    ("https://hooks.example/T0/secret", "https://hooks.example", true),
    ("http://user:pass@host:8080?x=1", "http://host:8080", true),
    ("https://host#part", "https://host", true), ("https://", "https://", false),
    ("https:///path", "https://", false), ("https://a b", "https://a b", false),
    ("ftp://host", "ftp://host", false),
    ("host", "?", false), ("", "?", false), ("https:/host", "?", false),
    ("file:///etc/passwd", "file://", false), ("http://127.0.0.1:99999/", "http://127.0.0.1:99999", false),
    ("http://127.0.0.1:0/", "http://127.0.0.1:0", false), ("http://127.0.0.1:1", "http://127.0.0.1:1", true),
    ("http://[::1]:80/", "http://[::1]:80", true), ("http://[::1]/", "http://[::1]", true),
    ("http://[::1/", "http://[::1", false), ("http://%00/", "http://%00", false),
    ("http://:80/", "http://:80", false), ("http://a:b/", "http://a:b", false),
  ])
  func `A webhook shows only its host in a log, and has an HTTP or HTTPS address`(
    url: String, place: String, isGood: Bool
  ) {
    #expect(Webhook(url: url).place == place)
    #expect(Webhook.isAddress(url) == isGood)
  }

  @Test func `A webhook is tried again after pauses that double, and given up after a day`() throws {
    var random = SplitMix64(seed: 1)
    var notice = AlertNotice(webhook: "w", id: "1", createdAt: noon, nextAt: noon, body: [])
    var now = noon
    var pauses: [Int64] = []
    while let next = Backoff().retry(notice, now: now, &random) {
      pauses.append(next.nextAt.milliseconds - now.milliseconds)
      #expect(next.attempts == notice.attempts + 1)
      (notice, now) = (next, next.nextAt)
    }
    for (index, pause) in pauses.enumerated() {
      let whole = min(600_000, 1000 << Int64(min(index, 20)))
      #expect(pause >= whole / 2 && pause <= whole, "pause \(index) of \(pause)")
    }
    #expect(now < noon + 86_400_000)
    #expect(now > noon + 85_800_000)
    #expect(pauses.count < 400)
  }
}
