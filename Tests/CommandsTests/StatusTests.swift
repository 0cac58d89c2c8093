import JSONText
import Ledger
import PostbackFixtures
import Postbacks
import TestSupport
import Testing
import Values
import Verification

/// A database, and the states that `skan status` finds in it.
private struct Fixture: ~Copyable {
  let folder: TemporaryFolder
  var database: String { folder.file("skan.db") }

  init() throws { folder = try TemporaryFolder() }

  /// Stores genuine postbacks as if they had come this way at noon.
  func receive(_ ids: String..., by route: Route, name: String = "", at time: Instant = noon) throws {
    let keyring = try Keyring()
    let writer = try LedgerWriter(path: database)
    for id in ids {
      let body = try SharedVectors.body(id)
      let judgement = keyring.judge(body)
      let postback = try #require(judgement.verified)
      _ = try writer.commit([
        Receipt(
          arrival: Arrival(receivedAt: time, origin: Origin(route, name: name), quotaSource: "x", body: body),
          finding: .valid(postback))
      ])
    }
  }

  /// Stores an arrival at a test inbox.
  func receiveInInbox(_ body: [UInt8]) throws {
    let writer = try LedgerWriter(path: database)
    _ = try writer.commit([
      Receipt(
        arrival: Arrival(receivedAt: noon, origin: Origin(.advertiserCopy), quotaSource: "x", body: body),
        finding: .inbox(InboxFinding(inbox: 1, try Keyring().judge(body))))
    ])
  }

  /// States by the names of steps.
  func states(_ words: String...) throws -> [String: String] {
    let outcome = outcome(of: ["status", "-d", database, "--format", "ndjson"] + words)
    #expect(outcome.code == .done)
    var states: [String: String] = [:]
    for line in outcome.output.split(separator: "\n") {
      let row = try #require(try JSONReader.read(Array(line.utf8)).value.object)
      let name = try #require(row["step"]?.value.string)
      states[name] = row["state"]?.value.string
    }
    return states
  }

  /// Loads a mapping of an app.
  func load(app: Int, from date: String = "2026-01-01") throws {
    let file = try folder.write(
      #"{"name":"Shop","app":\#(app),"currency":"USD","effective-from":"\#(date)","protocol":"skan4","#
        + #""fine":[{"value":1,"events":["buy"]}]}"#, to: "\(app).json")
    #expect(skan("mapping", "load", "-d", database, file).code == .done)
  }
}

struct `The command status` {
  @Test func `The command status knows nothing of an empty database but what is not begun`() throws {
    let fixture = try Fixture()
    _ = try LedgerWriter(path: fixture.database)
    #expect(
      try fixture.states() == [
        "domain": "cannot-know", "plist": "cannot-know", "first-call": "cannot-know",
        "test-inbox": "not-begun",
        "mapping": "not-begun", "networks": "not-begun", "relays": "not-begun",
        "first-postback": "not-begun",
        "values": "not-begun", "later-windows": "not-begun",
      ])
    #expect(skan("status", "-d", fixture.folder.file("none.db")).code == .inputOutput)
  }

  @Test func `The command status shows whether every relay passes postbacks on`() throws {
    let fixture = try Fixture()
    let ledger = try PostbackLedger(path: fixture.database)
    var state = RelayState(name: "partner", place: "https://partner.example", cursor: RelayCursor())
    try ledger.write(RelayProgress(state))
    #expect(try fixture.states()["relays"] == "waiting")
    (state.delivered, state.deliveredAt) = (7, noon)
    try ledger.write(RelayProgress(state))
    #expect(try fixture.states()["relays"] == "done")
    #expect(skan("status", "-d", fixture.database).output.contains("7 postbacks accepted by 1 relay"))
    (state.failingSince, state.attempts, state.failure) = (noon, 3, "500")
    try ledger.write(RelayProgress(state))
    #expect(try fixture.states()["relays"] == "waiting")
    #expect(skan("status", "-d", fixture.database).output.contains("partner failed at the last attempt"))
    state.removedAt = noon
    try ledger.write(RelayProgress(state))
    #expect(try fixture.states()["relays"] == "not-begun")
    ledger.close()
  }

  @Test func `The command status follows a test inbox from its creation to its end`() throws {
    let fixture = try Fixture()
    #expect(
      skan("token", "create", "-d", fixture.database, "--test-inbox", "--valid-for", "1h").code == .done)
    #expect(try fixture.states()["test-inbox"] == "waiting")
    let late = skan("status", "-d", fixture.database, at: noon + Hour.milliseconds).output
    #expect(late.contains("not begun") && late.contains("inbox 1 has expired"))
    try fixture.receiveInInbox(Array("{}".utf8))
    #expect(
      skan("status", "-d", fixture.database).output.contains("1 arrival, none of them a valid test postback"))
    try fixture.receiveInInbox(SharedVectors.body("apple-4.0-web-fine"))
    #expect(try fixture.states()["test-inbox"] == "waiting")
    try fixture.receiveInInbox(SharedVectors.body("apple-aak-dev1-reengagement"))
    let states = try fixture.states()
    #expect(states["test-inbox"] == "done")
    #expect(states["domain"] == "done")
    #expect(states["first-call"] == "done")
    // It is no postback of a real user.
    #expect(states["first-postback"] == "waiting")
    #expect(states["plist"] == "cannot-know")
  }

  @Test func `The command status counts device copies and network copies as what they show`() throws {
    let fixture = try Fixture()
    try fixture.receive("apple-4.0-web-fine", by: .forwarded, name: "acme")
    var states = try fixture.states()
    #expect(states["networks"] == "done")
    #expect(states["domain"] == "cannot-know")
    #expect(states["plist"] == "cannot-know")
    #expect(states["first-postback"] == "done")
    #expect(states["mapping"] == "not-begun")
    #expect(states["values"] == "waiting")
    try fixture.receive("apple-3.0-win", by: .advertiserCopy)
    states = try fixture.states()
    #expect(states["domain"] == "done")
    #expect(states["plist"] == "done")
    let text = skan("status", "-d", fixture.database).output
    #expect(text.contains("device copies: 1 of SKAdNetwork, the last on 2026-11-21"))
    #expect(text.contains("no copy of AdAttributionKit: check the Info.plist"))
    #expect(text.contains("1 network copy from acme, the last on 2026-11-21"))
  }

  @Test func `The command status waits for networks that have a token or a place in the configuration`()
    throws
  {
    let fixture = try Fixture()
    _ = skan("token", "create", "-d", fixture.database, "--network", "acme")
    #expect(try fixture.states()["networks"] == "waiting")
    #expect(skan("token", "revoke", "-d", fixture.database, "1").code == .done)
    #expect(try fixture.states()["networks"] == "not-begun")
    let configuration = try fixture.folder.write(
      #"{"networks":[{"name":"acme","token-sha256":"\#(String(repeating: "0", count: 64))"}]}"#,
      to: "skan.json")
    #expect(try fixture.states("--config", configuration)["networks"] == "waiting")
  }

  @Test func `The command status is about one app on request`() throws {
    let fixture = try Fixture()
    try fixture.receive("apple-4.0-web-fine", by: .advertiserCopy)
    try fixture.load(app: 1)
    var states = try fixture.states()
    // The app of the postback has none.
    #expect(states["mapping"] == "waiting")
    states = try fixture.states("--app", "1")
    #expect(states["mapping"] == "done")
    #expect(states["first-postback"] == "waiting")
    #expect(states["plist"] == "cannot-know")
    states = try fixture.states("--app", "525463029")
    #expect(states["mapping"] == "not-begun")
    #expect(states["first-postback"] == "done")
    #expect(states["plist"] == "done")
    try fixture.load(app: 525_463_029)
    states = try fixture.states("--app", "525463029")
    #expect(states["mapping"] == "done")
    #expect(states["values"] == "done")
    #expect(states["later-windows"] == "waiting")
  }

  @Test(arguments: ["table", "json", "csv"])
  func `The command status prints steps with evidence and the next action`(format: String) throws {
    let fixture = try Fixture()
    try fixture.receive("apple-4.0-web-fine", by: .advertiserCopy)
    let outcome = skan("status", "-d", fixture.database, "--format", format)
    #expect(outcome.code == .done)
    try expectGolden(outcome.output, "status.\(format)")
  }
}
