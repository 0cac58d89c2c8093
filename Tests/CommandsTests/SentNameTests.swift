import JSONText
import SQLite
import TestSupport
import Testing
import Values

/// Names that networks send beside postbacks, which Apple does not sign.
final class `Names that networks sent` {
  private let folder: TemporaryFolder
  private let database: String
  private let keys: (secret: String, trusted: String)

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    keys = try makeKeys(in: folder)
    self.folder = folder
  }

  private struct Sent {
    var campaign = "5239"
    var app = "525463029"
    var names: [JSONOutput.Member]
  }

  private func name(_ text: String) -> JSONOutput.Member { .init("ad-network-campaign-name", .string(text)) }

  /// Signs postbacks of one network and imports them as sent by that route; each has an id of its own.
  private func send(
    _ sent: [Sent], route: String = "forwarded:acme", at time: String = "2026-11-20T08:15:00Z", seed: Int = 0
  )
    throws
  {
    let unsigned = sent.enumerated().map { index, one in
      #"{"version":"4.0","ad-network-id":"com.example","source-identifier":"\#(one.campaign)","app-id":\#(one.app),"#
        + #""transaction-id":"\#(UUIDText(seed * 1000 + index))","redownload":false,"fidelity-type":1,"did-win":true,"#
        + #""conversion-value":7,"postback-sequence-index":0}"#
    }
    let file = try folder.write(unsigned.joined(separator: "\n"), to: "unsigned.ndjson")
    let signed = skan("sign", "--test-key", keys.secret, file).output.split(separator: "\n")
    #expect(signed.count == sent.count)
    let lines = try zip(signed, sent).map { line, one -> String in
      guard case .object(let members) = JSONOutput(try JSONReader.read(Array(line.utf8)).value) else {
        return ""
      }
      return JSONOutput.object(members + one.names).text()
    }
    let bodies = try folder.write(lines.joined(separator: "\n"), to: "bodies.ndjson")
    let stored = outcome(of: [
      "ingest", "-d", database, "--trust-test-keys", keys.trusted, "--route", route, "--received-at", time,
      bodies,
    ])
    #expect(stored.code == .done, "\(stored.errors)")
  }

  private func UUIDText(_ number: Int) -> String {
    let digits = String(number)
    return "6aafb7a5-0170-41b5-bbe4-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private func propose() -> Outcome { skan("names", "propose", "-d", database, "--environment", "test") }

  private func states() -> [String] {
    skan(
      "names", "sent", "-d", database, "--environment", "test", "--format", "csv", "--columns",
      "campaign,app,name,postbacks,state"
    ).output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
  }

  @Test func `Names that networks sent become a file of names with its evidence, which can be imported`()
    throws
  {
    let set: JSONOutput.Member = .init("ad-network-adset-name", "Set, 1")
    try send([.init(names: [name("Autumn"), set]), .init(names: [name("Autumn"), set])])
    try send([.init(names: [name("Autumn")])], at: "2026-11-21T09:00:00Z", seed: 1)
    let proposed = propose()
    #expect(proposed.code == .done)
    #expect(
      proposed.output.replacing("\r\n", with: "\n") == """
        network,campaign,app,from,name,ad-set,creative,number,postbacks,since,until,senders
        com.example,5239,525463029,2026-10-09,Autumn,"Set, 1",,,3,2026-11-20T08:15:00Z,2026-11-21T09:00:00Z,acme

        """)
    #expect(proposed.errors == "1 name proposed from unsigned members\n")
    let file = try folder.write(proposed.output, to: "names.csv")
    #expect(skan("names", "import", "-d", database, file).errors.contains("1 name stored: 1 new"))
    #expect(states() == ["5239,525463029,Autumn,3,imported"])
    #expect(propose().errors == "0 names proposed from unsigned members\n")
    let report = skan(
      "report", "campaigns", "-d", database, "--environment", "test", "--format", "csv", "--columns",
      "campaign,name")
    #expect(report.output.contains("5239,Autumn"), "\(report.output)")
  }

  @Test func `Names that networks sent are in no file where a campaign has several, and each is printed`()
    throws
  {
    try send([.init(names: [name("Autumn")]), .init(names: [name("Autumn")]), .init(names: [name("Winter")])])
    // The same campaign of another app has a name of its own.
    try send([.init(app: "525463030", names: [name("Spring")])], seed: 1)
    let proposed = propose()
    #expect(proposed.output.split(separator: "\r\n").count == 2)
    #expect(proposed.output.contains("5239,525463030,2026-10-09,Spring"))
    #expect(
      proposed.errors.contains(
        "campaign 5239, app 525463029: \"Autumn\" in 2 postbacks from 2026-11-20T08:15:00Z"))
    #expect(proposed.errors.contains("\"Winter\" in 1 postback"))
    #expect(
      states() == [
        "5239,525463029,Autumn,2,several-names", "5239,525463029,Winter,1,several-names",
        "5239,525463030,Spring,1,proposed",
      ])
    // A name that was imported is not replaced by what networks send.
    let file = try folder.write(
      "network,campaign,app,from,name\ncom.example,5239,525463030,2026-01-01,Own\n", to: "names.csv")
    #expect(skan("names", "import", "-d", database, file).code == .done)
    #expect(states().last == "5239,525463030,Spring,1,other-name")
  }

  @Test
  func
    `Names that networks sent are a column of campaigns that have no imported name, where it is asked for`()
    throws
  {
    try send([.init(names: [name("Autumn")]), .init(campaign: "5240", names: [name("Own")])])
    try send(
      [.init(campaign: "77", names: [name("A")]), .init(campaign: "77", names: [name("B")])], seed: 1)
    let file = try folder.write(
      "network,campaign,from,name\ncom.example,5240,2026-01-01,Imported\n", to: "names.csv")
    #expect(skan("names", "import", "-d", database, file).code == .done)
    func campaigns(_ words: String...) -> Outcome {
      outcome(
        of: ["report", "campaigns", "-d", database, "--environment", "test", "--format", "csv"] + words)
    }
    #expect(!campaigns().output.contains("sent-name"))
    let rows = campaigns("--sent-names", "--columns", "campaign,name,sent-name").output
    #expect(
      rows.split(separator: "\r\n").sorted() == [
        "5239,,Autumn", "5240,Imported,", "77,,", "campaign,name,sent-name",
      ], "\(rows)")
    let wrong = campaigns("--sent-names", "--by", "network")
    #expect(
      wrong.code == .usage && wrong.errors.contains("Group by app, network and campaign."), "\(wrong.errors)")
  }

  @Test func `Names that networks sent count for a conversion once, and only from networks`() throws {
    let two: [Sent] = [
      .init(names: [name("Autumn")]), .init(names: [name("Autumn"), .init("timestamp", 1)]),
    ]
    // A device delivered them first, with members that a stranger invented.
    try send(
      two.map { _ in Sent(names: [name("Stranger")]) }, route: "advertiser-copy", at: "2026-11-19T00:00:00Z")
    #expect(states() == [])
    try sendAgain(two, stamps: [1, 2])
    #expect(states() == ["5239,525463029,Autumn,2,proposed"])
    // Sent once more, with another timestamp.
    try sendAgain(two, stamps: [3, 4])
    #expect(states() == ["5239,525463029,Autumn,2,proposed"])
  }

  /// Sends the bodies that a device delivered as the network passes them on, with names and a time beside them.
  private func sendAgain(_ sent: [Sent], stamps: [Int64]) throws {
    var bodies: [String] = []
    try Connection(path: database, mode: .readOnly).prepare(
      "SELECT CAST(body AS TEXT) FROM postback ORDER BY id"
    )
    .forEachRow { bodies.append($0.text(0) ?? "") }
    let lines = try zip(bodies, sent).enumerated().map { index, pair -> String in
      guard case .object(let members) = JSONOutput(try JSONReader.read(Array(pair.0.utf8)).value) else {
        return ""
      }
      let apples = members.filter { $0.name != "ad-network-campaign-name" }
      return JSONOutput.object(
        apples + pair.1.names.filter { $0.name != "timestamp" } + [
          .init("timestamp", .integer(stamps[index]))
        ]
      ).text()
    }
    let file = try folder.write(lines.joined(separator: "\n"), to: "again.ndjson")
    let stored = outcome(of: [
      "ingest", "-d", database, "--trust-test-keys", keys.trusted, "--route", "forwarded:acme", file,
    ])
    #expect(stored.code == .done, "\(stored.errors)")
  }

  @Test func `Names that networks sent are of no short form, of no macro and of no text that is no name`()
    throws
  {
    try send([
      .init(names: [name("Autumn")]), .init(campaign: "39", names: [name("Autumn")]),
      .init(campaign: "77", names: [name("Alone")]), .init(campaign: "1111", names: [name("{campaign}")]),
      .init(campaign: "1112", names: [name("null")]), .init(campaign: "1113", names: [name("")]),
      .init(campaign: "1114", names: [name("two\nlines")]),
      .init(campaign: "1115", names: [name(String(repeating: "x", count: 201))]),
      .init(campaign: "1116", names: [.init("ad-network-campaign-id", 4711)]),
      .init(campaign: "1117", names: [name("=1+1")]),
    ])
    #expect(
      states() == [
        "1116,525463029,4711,1,proposed", "1117,525463029,'=1+1,1,proposed",
        "39,525463029,Autumn,1,short-form",
        "5239,525463029,Autumn,1,proposed", "77,525463029,Alone,1,proposed",
      ])
    #expect(propose().errors.hasSuffix("4 names proposed from unsigned members; 1 of short forms left out\n"))
  }

  @Test func `Names that networks sent without a name count for the name of the same number`() throws {
    let number: JSONOutput.Member = .init("ad-network-campaign-id", "4711")
    try send([.init(names: [number]), .init(names: [number, name("Autumn")])])
    #expect(states() == ["5239,525463029,Autumn,2,proposed"])
  }
}
