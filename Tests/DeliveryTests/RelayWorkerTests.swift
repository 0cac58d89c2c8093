import Glibc
import HTTPClient
import JSONText
@testable import Ledger
import PostbackFixtures
import Postbacks
@testable import Delivery
import System
import Testing
import Values

struct `A relay` {
  @Test func `A relay passes postbacks on in order, once each, and goes on behind them after a restart`()
    throws
  {
    let fixture = try RelayFixture()
    try fixture.store(["a", "b", "c"])
    fixture.run()
    fixture.restart()
    try fixture.store(["d"])
    fixture.run()
    fixture.run()
    #expect(fixture.got.withLock { $0 } == ["a", "b", "c", "d"])
    #expect(try fixture.state.delivered == 4)
    #expect(try fixture.state.deliveredAt == noon)
    #expect(fixture.events.withLock { $0 }.isEmpty)
    let figures = try #require(fixture.figures.withLock { $0 })
    #expect(figures.delivered == 1)
  }

  @Test func `A new relay begins with what arrives after it was added`() throws {
    let fixture = try RelayFixture { $0.start = .newest }
    try fixture.store(["a"])
    fixture.run()
    try fixture.store(["b"])
    fixture.run()
    #expect(fixture.got.withLock { $0 } == ["b"])
  }

  @Test func `A relay whose address fails waits longer each time, keeps the order, and recovers`() throws {
    let fixture = try RelayFixture()
    try fixture.store(["a", "b"])
    let attempts = Guarded(0)
    fixture.answer { _ in
      attempts.withLock { $0 += 1 }
      return attempts.withLock { $0 } % 2 == 0 ? PostAnswer(status: 503) : nil
    }
    var pauses: [Int64] = []
    for _ in 0..<14 {
      fixture.run()
      let next = try #require(try fixture.state.nextAt)
      pauses.append(next.milliseconds - fixture.time.withLock { $0.milliseconds })
      fixture.time.withLock { $0 = next }
    }
    #expect(attempts.withLock { $0 } == 14)
    // A random half to the whole of 1 s, 2 s, 4 s … 15 minutes.
    for (index, pause) in pauses.enumerated() {
      let whole = min(900_000, 1000 << Int64(index))
      #expect(pause >= whole / 2 && pause <= whole, "\(index): \(pause)")
    }
    #expect(try fixture.state.failure == "answered 503")
    fixture.answer { _ in PostAnswer(status: 204) }
    let seen = Guarded<[String]>([])
    fixture.answer { body in
      seen.withLock { $0.append(body) }
      return PostAnswer(status: 204)
    }
    fixture.run()
    #expect(seen.withLock { $0 } == ["a", "b"])
    #expect(try fixture.state.attempts == 0)
    #expect(try fixture.state.failingSince == nil)
    #expect(
      fixture.events.withLock { $0 } == [
        .failing(reason: "not-connected: nobody is there"), .recovered(failures: 14),
      ])
  }

  @Test func `A relay waits as long as the answer asks, an hour at most`() throws {
    for (asked, waits) in [(Int64(120), Int64(120)), (1_000_000, 3600)] {
      let fixture = try RelayFixture()
      try fixture.store(["a"])
      fixture.answer { _ in PostAnswer(status: 429, retryAfterSeconds: asked) }
      fixture.run()
      #expect(try fixture.state.nextAt == noon + waits * 1000)
    }
  }

  @Test func `A relay does not follow a redirect, and reports it`() throws {
    let fixture = try RelayFixture()
    try fixture.store(["a"])
    fixture.answer { _ in PostAnswer(status: 302) }
    fixture.run()
    #expect(try fixture.state.failure == "answered 302; skan does not follow redirects")
    #expect(try fixture.state.cursor == RelayCursor())
  }

  @Test func `A declined postback holds no other up, and is given up after a second try`() throws {
    let fixture = try RelayFixture()
    try fixture.store(["a", "bad", "c"])
    fixture.answer { body in
      PostAnswer(status: body == "bad" ? 422 : 200, beginning: body == "bad" ? Array("no\nthanks".utf8) : [])
    }
    fixture.run()
    #expect(fixture.got.withLock { $0 } == ["a", "c"])
    let letter = try #require(try fixture.reader.deadLetters().first)
    #expect(letter.nextAt == noon + 60_000)
    #expect(letter.status == 422)
    #expect(fixture.events.withLock { $0 }.isEmpty)
    fixture.pass(seconds: 61)
    fixture.run()
    let dead = try #require(try fixture.reader.deadLetters().first)
    #expect(dead.nextAt == nil)
    #expect(dead.postback == 2)
    #expect(dead.reason == "answered 422: no thanks")
    #expect(fixture.events.withLock { $0 } == [.gaveUp(postback: 2, reason: dead.reason)])
    #expect(fixture.figures.withLock { $0 }?.deadLetters == 1)
    // An operator has it sent again, once the other side is repaired.
    fixture.answer { _ in PostAnswer(status: 200) }
    let control = RelayControl(try LedgerFile(path: fixture.path))
    #expect(try control.retryDeadLetters(of: "partner", now: fixture.time.withLock { $0 }) == 1)
    fixture.run()
    #expect(fixture.got.withLock { $0 } == ["a", "c", "bad"])
    #expect(try fixture.reader.deadLetters().isEmpty)
  }

  @Test func `A relay whose address declines everything pauses instead of giving everything up`() throws {
    let fixture = try RelayFixture()
    try fixture.store((0..<100).map { "\($0)" })
    fixture.answer { _ in PostAnswer(status: 404) }
    fixture.run()
    #expect(try fixture.reader.deadLetters().count == 17)
    #expect(try fixture.state.nextAt != nil)
    #expect(try fixture.state.cursor.postback == 17)
  }

  @Test func `A relay that fails for nine days puts one postback aside with each attempt`() throws {
    let fixture = try RelayFixture()
    try fixture.store(["a", "b", "c"])
    fixture.answer { _ in nil }
    fixture.run()
    fixture.pass(seconds: 9 * 86_400 - 1)
    fixture.run()
    #expect(try fixture.reader.deadLetters().isEmpty)
    fixture.pass(seconds: 3600)
    fixture.run()
    #expect(try fixture.reader.deadLetters().map(\.postback) == [1])
    #expect(try fixture.reader.deadLetters().map(\.nextAt) == [nil])
    fixture.answer { _ in PostAnswer(status: 200) }
    fixture.pass(seconds: 3600)
    fixture.run()
    #expect(fixture.got.withLock { $0 } == ["b", "c"])
  }

  @Test func `An operator ends the pause of a relay`() throws {
    let fixture = try RelayFixture()
    try fixture.store(["a"])
    fixture.answer { _ in PostAnswer(status: 500) }
    fixture.run()
    fixture.answer { _ in PostAnswer(status: 200) }
    fixture.run()
    #expect(fixture.got.withLock { $0 }.isEmpty)
    #expect(try RelayControl(LedgerFile(path: fixture.path)).retry("partner"))
    #expect(try !RelayControl(LedgerFile(path: fixture.path)).retry("nobody"))
    fixture.run()
    #expect(fixture.got.withLock { $0 } == ["a"])
  }

  @Test func `A relay sends no more than 64 postbacks that it cannot note`() throws {
    let fixture = try RelayFixture()
    try fixture.store((0..<200).map { "\($0)" })
    fixture.run()
    try fixture.store((200..<400).map { "\($0)" })
    fixture.isWritable.withLock { $0 = false }
    fixture.run()
    fixture.run()
    let sent = fixture.got.withLock { $0.count }
    #expect(sent >= 232 && sent <= 264, "\(sent)")
    #expect(fixture.events.withLock { $0.count } == 1)
    // The process ends here; the next one repeats what was not noted, in order.
    fixture.restart()
    fixture.isWritable.withLock { $0 = true }
    fixture.run()
    #expect(fixture.got.withLock { $0 } == (0..<sent).map { "\($0)" } + (200..<400).map { "\($0)" })
  }

  @Test func `A relay notes rows that it passes over, and a later selection does not begin before them`()
    throws
  {
    let fixture = try RelayFixture { $0.selection.environments = [.production] }
    try fixture.store(["a", "b"])
    fixture.run()
    fixture.pass(seconds: 2)
    fixture.run()
    #expect(try fixture.state.cursor.postback == 2)
    #expect(try fixture.state.delivered == 0)
  }

  @Test func `A relay signs the body and names the postback, so that receivers drop duplicates`() throws {
    var relay = Relay(name: "x", address: Webhook(url: "http://h/", secret: Array("0123456789abcdef".utf8)))
    relay.token = "t"
    relay.headers = [RelayHeader(name: "X-Key", value: "k")]
    let postback = RelayPostback(
      row: 7, copy: 3, receivedAt: noon, origin: Origin(.advertiserCopy), environment: .test, app: 1,
      body: Array("{}".utf8))
    let message = try RelayMessage(Array("{}".utf8), of: postback, to: relay, now: noon)
    #expect(message.body == Array("{}".utf8))
    #expect(
      message.headers.map { "\($0.name): \($0.value)" } == [
        "Content-Type: application/json", "Skan-Delivery: 7-3", "Authorization: Bearer t", "X-Key: k",
        "Skan-Signature: "
          + (try #require(try relay.address.signature(of: Array("{}".utf8), now: noon)).value),
      ])
  }

  @Test func `An enriched body has the bytes as they came, and what they mean`() throws {
    let fixture = try RelayFixture { $0.form = .enriched }
    try fixture.store([receipt("a", body: #"{"version":"4.0"}"#)])
    fixture.run()
    let text = try #require(fixture.got.withLock { $0.first })
    let object = try #require(try JSONReader.read(Array(text.utf8)).value.object)
    #expect(object["postback-body"]?.value.string == #"{"version":"4.0"}"#)
    #expect(object["meaning"]?.value.object?["route"]?.value.string == "advertiser-copy")
    #expect(object["meaning"]?.value.object?["environment"]?.value.string == "test")
  }

  @Test func `A relay shows no secret that the other side sends back`() throws {
    let fixture = try RelayFixture {
      $0.address = Webhook(
        url: "http://127.0.0.1:9/in/path-secret-123456?key=query%20secret",
        secret: Array("0123456789abcdef".utf8))
      $0.token = "token-secret"
      $0.headers = [
        RelayHeader(name: "X-Key", value: "header secret/1"),
        RelayHeader(name: "Accept", value: "application/json"),
        RelayHeader(name: "Authorization", value: "Bearer 1a-2b-3c"),
        RelayHeader(name: "Proxy-Authorization", value: "Basic dXNlcjpwYXNzOTg3d29yZA=="),
      ]
    }
    try fixture.store(["a"])
    for (sent, shown) in [
      ("no token-secret here", "no *** here"), ("in/path-secret-123456", "in/***"),
      ("query%20secret", "***"), ("query secret", "***"), ("header%20secret%2F1", "***"),
      ("header+SECRET+1", ""), ("signs with 0123456789abcdef", "signs with ***"),
      ("wrong key 1a-2b-3c", "wrong key ***"),
      ("wrong user:pass987word", "wrong ***"),
      ("no such campaign", "no such campaign"), ("Accept: application/json", "Accept: application/json"),
    ] {
      fixture.answer { _ in PostAnswer(status: 503, beginning: Array(sent.utf8)) }
      fixture.pass(seconds: 4000)
      fixture.run()
      let reason = try #require(try fixture.state.failure)
      #expect(reason == "answered 503" + (shown.isEmpty ? "" : ": \(shown)"))
    }
  }

  @Test func `A relay that was stopped has nothing open, so that the ledger leaves no log behind`() throws {
    let fixture = try RelayFixture()
    try fixture.store(["a"])
    let worker = fixture.relayWorker
    try worker.start()
    while fixture.got.withLock({ $0 }).isEmpty { rest(microseconds: 10_000) }
    worker.stop()
    fixture.ledger.close()
    #expect(access(fixture.path + "-wal", F_OK) != 0)
  }

  @Test func `Answers are accepted, declined or a failure by their status`() {
    for status in [200, 202, 204] {
      #expect(RelayVerdict(PostAnswer(status: status), without: SecretTexts()) == .accepted)
    }
    for status in [400, 404, 405, 410, 413, 422, 451] {
      #expect(
        RelayVerdict(PostAnswer(status: status), without: SecretTexts())
          == .declined(status: status, reason: "answered \(status)"))
    }
    for status in [401, 403, 407, 408, 425, 429, 500, 502, 503] {
      #expect(
        RelayVerdict(PostAnswer(status: status), without: SecretTexts())
          == .failed(status: status, reason: "answered \(status)", retryAfterSeconds: nil))
    }
  }
}
