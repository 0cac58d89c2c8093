import Configuration
import HTTPServer
import Intake
import JSONText
import Ledger
import PostbackFixtures
import Postbacks
import Routing
import Service
import System
import Testing
import TestSupport
import Values
import Verification

/// A service with one test inbox, at noon.
private final class Inbox {
  private let folder: TemporaryFolder
  private let ledger: PostbackLedger
  private let service: PostbackService
  let path: String
  let database: String

  /// Creates the inbox with further words of the command; devices send at `time`.
  init(_ words: String..., at time: Instant = noon) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let created = outcome(of: ["token", "create", "-d", database, "--test-inbox"] + words)
    try #require(created.code == .done)
    path = created.output.trimmingWhitespace
    ledger = try PostbackLedger(path: database)
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    let context = ServiceContext(
      database: database, access: Access(ledger: LedgerFile.existing(database)), clock: { time })
    service = try PostbackService(
      configuration, context, intake: PostbackIntake(keyring: try Keyring(), ledger: ledger, clock: { time }),
      ledger: ledger,
      resources: [])
    self.folder = folder
    self.database = database
  }

  func post(_ body: [UInt8], to path: String? = nil) throws -> HTTPAnswer {
    try HTTPClient(port: service.address.port).request("POST", path ?? self.path, body: body)
  }

  func load(_ mapping: String) throws {
    let file = try folder.write(mapping, to: "mapping.json")
    #expect(skan("mapping", "load", "-d", database, file).code == .done)
  }

  func watch(_ words: String...) -> Outcome {
    outcome(of: ["inbox", "watch", "-d", database, "--no-wait"] + words)
  }

  deinit {
    service.stop(withinSeconds: 10)
    ledger.close()
  }
}

extension String {
  fileprivate var trimmingWhitespace: String { filter { !$0.isWhitespace } }
}

/// Apple's own sample of Developer Settings: app 10738027756, value 24.
private func development() throws -> [UInt8] { try SharedVectors.body("apple-aak-dev1-reengagement") }

struct `A test inbox` {
  @Test func `A test inbox has a path of 122 random bits and an end, which the list of tokens shows`() throws
  {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let first = skan("token", "create", "-d", database, "--test-inbox")
    let second = skan("token", "create", "-d", database, "--test-inbox", "--valid-for", "2h")
    #expect(first.output != second.output)
    for outcome in [first, second] {
      #expect(outcome.code == .done)
      let form = try Regex("^/t/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\n$")
      #expect(outcome.output.contains(form))
    }
    let list = skan("token", "list", "-d", database, "--format", "csv").output
    #expect(list.contains("1,test-inbox,test-inbox,"))
    #expect(list.contains(",2026-12-05T12:00:00Z"))
    #expect(list.contains(",2026-11-21T14:00:00Z"))
    #expect(!list.contains(first.output.dropFirst(3).prefix(8)))
  }

  @Test(arguments: [
    ["--test-inbox", "--network", "acme"], ["--test-inbox", "--hmac"],
    ["--network", "x", "--valid-for", "1h"],
    ["--test-inbox", "--valid-for", "0s"], ["--test-inbox", "--valid-for", "367d"],
    ["--test-inbox", "--valid-for", "9000000000000000000ms"],
  ])
  func `A test inbox is no token of someone`(words: [String]) throws {
    let folder = try TemporaryFolder()
    let outcome = outcome(of: ["token", "create", "-d", folder.file("skan.db")] + words)
    #expect(outcome.code == .usage)
  }

  @Test func `A test inbox stores a development postback and shows what it means`() throws {
    let inbox = try Inbox()
    try inbox.load(
      #"{"name":"Shop","app":10738027756,"currency":"USD","effective-from":"2026-01-01","protocol":"aak","#
        + #""fine":[{"value":24,"events":["buy"],"revenue":{"from":10,"to":20}}]}"#)
    #expect(try inbox.post(development()).status == 200)
    // A phone may write the path in capitals, with a slash behind it.
    let shouted = "/t/" + inbox.path.dropFirst(3).uppercased() + "/"
    #expect(try inbox.post(development(), to: shouted).status == 200)
    let text = inbox.watch().output
    #expect(text.contains("2026-11-21T12:00:00Z  inbox 1  valid, development\n"))
    #expect(text.contains("  meaning     decoded\n"))
    #expect(text.contains("mid 15 USD (10 to 20)"))
    #expect(text.contains("  stored      in the environment development\n"))
    #expect(text.contains("  stored      as a further copy of a stored postback\n"))
    let development = skan("report", "campaigns", "-d", inbox.database, "--environment", "development")
    #expect(development.output.contains("15.00"))
    let production = skan("report", "postbacks", "-d", inbox.database, "--format", "csv")
    #expect(production.output.split(separator: "\n").count == 1)
  }

  @Test func `A test inbox dates a postback by the timers of Developer Mode`() throws {
    let inbox = try Inbox()
    // In force since this very day: by the full timers, a postback of now would be of an older one.
    try inbox.load(
      #"{"name":"Today","app":10738027756,"currency":"USD","effective-from":"2026-11-21","protocol":"aak","#
        + #""fine":[{"value":24,"events":["buy"]}]}"#)
    #expect(try inbox.post(development()).status == 200)
    #expect(
      inbox.watch().output.contains("decoded by the newest mapping that this test device can have followed"))
  }

  @Test func `A test inbox shows what is missing`() throws {
    let inbox = try Inbox()
    #expect(try inbox.post(development()).status == 200)
    let text = inbox.watch().output
    #expect(text.contains("  missing     no mapping of app 10738027756 was in force: load one"))
    #expect(text.contains("  missing     windows 2 and 3 have not arrived: "))
    #expect(!text.contains("no country"))
  }

  @Test func `A test inbox shows rejected bodies and production postbacks, and stores neither`() throws {
    let inbox = try Inbox()
    #expect(try inbox.post(Array("{}".utf8)).status == 400)
    var changed = try development()
    let at = try #require(changed.lastIndex(of: UInt8(ascii: ".")))
    changed[at + 5] = changed[at + 5] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    #expect(try inbox.post(changed).status == 200)
    let production = try inbox.post(SharedVectors.body("apple-4.0-web-fine"))
    #expect(production.status == 403)
    #expect(String(decoding: production.body, as: UTF8.self).contains("production-postback"))
    let lines = inbox.watch("--format", "json").output.split(separator: "\n")
    #expect(lines.count == 3)
    let states = try lines.map { try JSONReader.read(Array($0.utf8)).value.object?["state"]?.value.string }
    #expect(states == ["malformed", "invalid", "valid"])
    #expect(
      lines[2].contains(#""environment": "production""#) || lines[2].contains(#""environment":"production""#))
    #expect(lines[2].contains("this is a production postback"))
    #expect(lines[2].contains("null"))
    let text = inbox.watch().output
    #expect(text.split(separator: "\n").count { $0 == "  stored      here only" } == 3)
    let reader = try LedgerReader(path: inbox.database)
    #expect(try reader.rejections(from: nil, to: nil).isEmpty)
    #expect(try reader.networksThatSent().isEmpty)
  }

  @Test func `A test inbox is gone after its time, and unknown where it is revoked or guessed`() throws {
    let late = try Inbox("--valid-for", "1h", at: noon + Hour.milliseconds)
    let answer = try late.post(development())
    #expect(answer.status == 410)
    #expect(String(decoding: answer.body, as: UTF8.self).contains("inbox-expired"))
    let last = try Inbox("--valid-for", "1h", at: noon + Hour.milliseconds + -1)
    #expect(try last.post(development()).status == 200)
    let inbox = try Inbox()
    #expect(try inbox.post(development(), to: "/t/00000000-0000-4000-8000-000000000000").status == 404)
    #expect(try inbox.post(development(), to: "/t/").status == 404)
    let revoked = try Inbox()
    #expect(skan("token", "revoke", "-d", revoked.database, "1").code == .done)
    #expect(try revoked.post(development()).status == 404)
    #expect(revoked.watch().output.isEmpty)
  }

  @Test func `A test inbox is no token for reading or forwarding`() throws {
    let inbox = try Inbox()
    let word = String(inbox.path.dropFirst(3))
    let access = Access(ledger: LedgerFile.existing(inbox.database))
    #expect(access.reader(withTokenDigest: .init(of: Array(word.utf8))) == nil)
    let answer = try inbox.post(development(), to: "/v1/networks/test-inbox/postbacks")
    #expect(answer.status == 401)
  }
}

struct `The command inbox watch` {
  @Test func `The command inbox watch shows arrivals of a time, of an inbox, and up to a number`() throws {
    let inbox = try Inbox()
    for _ in 0..<3 { #expect(try inbox.post(Array("{}".utf8)).status == 400) }
    func count(_ words: String...) -> Int {
      outcome(of: ["inbox", "watch", "-d", inbox.database, "--format", "json"] + words).output
        .split(separator: "\n").count
    }
    #expect(count("--no-wait") == 3)
    #expect(count("--no-wait", "--since", "2026-11-21T12:00:00Z") == 3)
    #expect(count("--no-wait", "--since", "2026-11-21T12:00:01Z") == 0)
    #expect(count("--no-wait", "--inbox", "2") == 0)
    #expect(count("--no-wait", "--inbox", "1") == 3)
    // Without --no-wait it ends with that number.
    #expect(count("--count", "2") == 2)
  }

  @Test func `The command inbox watch keeps the newest arrivals of each inbox`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let keyring = try Keyring()
    let writer = try LedgerWriter(path: database)
    let junk = keyring.judge(Array("{}".utf8))
    func receipt(_ number: Int, inbox: Int64) -> Receipt {
      Receipt(
        arrival: Arrival(
          receivedAt: noon, origin: Origin(.advertiserCopy), quotaSource: "x", body: Array("\(number)".utf8)),
        finding: .inbox(InboxFinding(inbox: inbox, junk)))
    }
    _ = try writer.commit([receipt(-1, inbox: 2)] + (0..<510).map { receipt($0, inbox: 1) })
    let reader = try LedgerReader(path: database)
    let bodies = try reader.inboxArrivals(of: 1).map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == (10..<510).map { "\($0)" })
    #expect(try reader.inboxArrivals(of: 2).count == 1)
    #expect(try LedgerUpkeep(path: database).prune(before: noon).inboxArrivals == 0)
    #expect(try LedgerUpkeep(path: database).countOldBodies(before: noon + 1).inboxArrivals == 501)
    #expect(try LedgerUpkeep(path: database).prune(before: noon + 1).inboxArrivals == 501)
    #expect(try reader.inboxArrivals().isEmpty)
  }
}
