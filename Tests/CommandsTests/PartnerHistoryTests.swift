import JSONText
import SQLite
import TestSupport
import Testing
import Values

/// Genuine postbacks as the exports of measurement partners have them.
final class `History from a partner` {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    self.folder = folder
  }

  /// The members of a genuine postback as text, by Apple's names.
  private func members(_ name: String) throws -> [(name: String, text: String)] {
    let node = try JSONReader.read(Array(try SharedVectors.body(name)))
    return try #require(node.value.object).members.map { member in
      (member.name, member.value.value.string ?? JSONOutput(member.value.value).text())
    }
  }

  private func cell(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

  /// A file with a header and rows of other columns and the members of postbacks.
  private func file(
    _ rows: [[(name: String, text: String)]], named name: String = "export.csv"
  ) throws -> String {
    var columns: [String] = []
    for row in rows { for member in row where !columns.contains(member.name) { columns.append(member.name) } }
    let lines = rows.map { row in
      columns.map { column in cell(row.first { $0.name == column }?.text ?? "") }.joined(separator: ",")
    }
    return try folder.write(([columns.joined(separator: ",")] + lines).joined(separator: "\r\n"), to: name)
  }

  private func count(_ sql: String) throws -> Int64 {
    try Connection(path: database, mode: .readOnly).integer(sql) ?? -1
  }

  private func arrival() throws -> Int64 { try count("SELECT min(received_at) FROM postback") }

  private func ingest(_ format: String, _ file: String, _ more: String...) -> Outcome {
    outcome(of: ["ingest", "-d", database, "--from", format, file] + more)
  }

  @Test func `History from Adjust counts a postback once, whatever number of events it was decoded to`()
    throws
  {
    let body = String(decoding: try SharedVectors.body("apple-3.0-win"), as: UTF8.self)
    let rows: [[(name: String, text: String)]] = ["install", "purchase", "level 10"].map { event in
      [("{event_name}", event), ("{sk_payload}", body), ("{sk_ts}", "1795262400")]
    }
    let other: [(name: String, text: String)] = [("{event_name}", "session")]
    let export = try file(rows + [other])
    let outcome = ingest("adjust-raw", export, "--format", "json")
    #expect(outcome.code == .done, "\(outcome.errors)")
    #expect(outcome.output.contains(#""new": 1"#) && outcome.output.contains(#""copies": 2"#))
    #expect(outcome.errors.contains("1 row without a postback"))
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 0") == 1)
    #expect(try count("SELECT count(*) FROM postback_copy") == 0)
    #expect(try arrival() == 1_795_262_400_000)
    #expect(
      try count("SELECT count(*) FROM postback WHERE CAST(body AS TEXT) LIKE '{%attribution-signature%'") == 1
    )
    // The row is kept beside the postback that was read from it.
    #expect(
      try count(
        "SELECT count(*) FROM network_form WHERE profile = 'adjust-raw' AND CAST(received AS TEXT) LIKE '%install%'"
      ) == 1)
    #expect(ingest("adjust-raw", export).code == .done)
    #expect(try count("SELECT sum(postbacks) FROM v_campaign_days") == 1)
  }

  @Test func `History from AppsFlyer is verified by its signature, and claimed without one`() throws {
    let names = try members("apple-4.0-web-fine").map { member in
      (
        name: member.name == "did-win" ? "did_win" : "skad_" + member.name.replacing("-", with: "_"),
        text: member.text
      )
    }
    let unsigned = try members("apple-3.0-win").filter { $0.name != "attribution-signature" }.map { member in
      (
        name: member.name == "did-win" ? "did_win" : "skad_" + member.name.replacing("-", with: "_"),
        text: member.text
      )
    }
    func row(_ members: [(name: String, text: String)], _ event: String, _ time: String) -> [(
      name: String, text: String
    )] {
      [("event_name", event), ("timestamp", time), ("version", "7.1")] + members
    }
    let export = try file([
      row(names, "af_skad_install", "2026-11-20 08:15:00"), row(names, "af_purchase", "2026-11-20 08:15:00"),
      row(unsigned, "af_skad_install", "2026-11-20 09:30:00"),
      row(unsigned, "af_purchase", "2026-11-20 09:30:00"),
    ])
    let outcome = ingest("appsflyer-raw", export)
    #expect(outcome.code == .done, "\(outcome.errors)")
    #expect(
      outcome.output.contains("new                   2\nof them only claimed  1\n"))
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 0") == 1)
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 3") == 1)
    #expect(try arrival() == 1_795_162_500_000)
    func report(_ environment: String) -> String {
      skan(
        "report", "campaigns", "-d", database, "--environment", environment, "--format", "ndjson",
        "--columns",
        "network,postbacks"
      ).output
    }
    #expect(report("production").contains(#""postbacks":1"#))
    #expect(report("claimed").contains(#""postbacks":1"#))
    #expect(report("production") != report("claimed"))
    #expect(skan("rebuild", "--check", "-d", database).code == .done)
  }

  @Test func `History from AppsFlyer is verified where the app is only in app_id, as id and its number`()
    throws
  {
    let row = try members("apple-3.0-win").map { member in
      (
        name: member.name == "app-id" ? "app_id" : "skad_" + member.name.replacing("-", with: "_"),
        text: member.name == "app-id" ? "id" + member.text : member.text
      )
    }
    let outcome = ingest(
      "appsflyer-raw", try file([[(name: "timestamp", text: "2026-11-20 08:15:00")] + row]))
    #expect(outcome.code == .done, "\(outcome.errors)")
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 0") == 1)
  }

  @Test func `A file of postbacks is read as the same bodies are that a network sends`() throws {
    let sent = try members("apple-3.0-win").map { (member) -> JSONOutput.Member in
      .init(member.name, .string(member.text))
    }
    let path = try folder.write(
      JSONOutput.object(sent + [.init("source-identifier", "null")]).text(), to: "texts.ndjson")
    let outcome = outcome(of: ["ingest", "-d", database, path])
    #expect(outcome.code == .done, "\(outcome.errors)")
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 0") == 1)
    #expect(try count("SELECT count(*) FROM network_form WHERE profile = 'apple'") == 1)
    #expect(skan("rebuild", "--check", "-d", database).code == .done)
  }

  @Test func `History from Branch and Singular is verified`() throws {
    let branch = try members("apple-3.0-win").map {
      (name: "body_" + $0.name.replacing("-", with: "_"), text: $0.text)
    }
    let rows: [(name: String, text: String)] = [
      ("timestamp", "1795262400123"), ("app_id", "638469555697504342"),
    ]
    #expect(ingest("branch-raw", try file([rows + branch], named: "branch.csv")).code == .done)
    #expect(try arrival() == 1_795_262_400_123)
    let body = String(
      decoding: Base64.encode(Array(try SharedVectors.body("apple-4.0-web-fine"))), as: UTF8.self)
    let singular: [(name: String, text: String)] = [
      ("skan_postback", body), ("came", "2026-11-01T00:00:00Z"),
    ]
    #expect(
      ingest("singular-raw", try file([singular], named: "singular.csv"), "--received-at-member", "came").code
        == .done)
    #expect(try count("SELECT count(*) FROM postback WHERE environment = 0") == 2)
    #expect(try arrival() == 1_793_491_200_000)
  }

  @Test func `History from a partner never claims what has a wrong signature, and names the line`() throws {
    var forged = try members("apple-3.0-win").map {
      (name: "skad_" + $0.name.replacing("-", with: "_"), text: $0.text)
    }
    let place = try #require(forged.firstIndex { $0.name == "skad_transaction_id" })
    forged[place].text = "00000000-0000-0000-0000-000000000000"
    let broken: [(name: String, text: String)] = [("skad_transaction_id", "1"), ("skad_version", "3.0")]
    let untimed = ingest("appsflyer-raw", try file([forged, broken]))
    #expect(untimed.code == .data)
    #expect(untimed.errors.contains("line 2: found no time of arrival in timestamp, ad_network_timestamp"))
    #expect(try count("SELECT count(*) FROM rejected") == 0)
    let outcome = ingest(
      "appsflyer-raw", try file([forged, broken]), "--received-at", "2026-11-20T08:00:00Z")
    #expect(outcome.code == .failedCheck)
    #expect(outcome.errors.contains("export.csv:2: rejected: signature-mismatch"))
    #expect(outcome.output.contains("1 rejected: signature-mismatch: no trusted key signed these fields\n"))
    #expect(outcome.errors.contains(#"export.csv:3: rejected: missing-member: "ad-network-id""#))
    #expect(try count("SELECT count(*) FROM postback") == 0)
    #expect(try count("SELECT count(*) FROM rejected") == 2)
    #expect(try count("SELECT count(*) FROM network_form WHERE kind = 2") == 2)
  }

  @Test func `History from a partner never invents a time, and the corrected file counts as new`() throws {
    let rows = try ["apple-3.0-win", "apple-4.0-web-fine"].map { name -> [(name: String, text: String)] in
      [("sk_payload", String(decoding: try SharedVectors.body(name), as: UTF8.self))]
    }
    let right = rows[0] + [(name: "sk_ts", text: "2026-11-20 08:15:00")]
    let spreadsheet = rows[1] + [(name: "sk_ts", text: "20/11/2026 08:15")]
    let wrong = ingest("adjust-raw", try file([right, spreadsheet], named: "wrong.csv"))
    #expect(wrong.code == .data)
    #expect(wrong.errors.contains(#"line 3: the time "20/11/2026 08:15" in sk_ts cannot be read"#))
    #expect(wrong.errors.contains("--time-format"))
    #expect(try count("SELECT count(*) FROM postback") == 1)
    let read = ingest(
      "adjust-raw", try file([spreadsheet], named: "form.csv"), "--time-format", "%d/%m/%Y %H:%M")
    #expect(read.code == .done, "\(read.errors)")
    #expect(try count("SELECT count(*) FROM postback") == 2)
    #expect(try count("SELECT count(*) FROM postback_copy") == 0)
    #expect(try count("SELECT max(received_at) FROM postback") == 1_795_162_500_000)
    let pattern = ingest("adjust-raw", try file([spreadsheet]), "--time-format", "%d/%q")
    #expect(pattern.code == .usage && pattern.errors.contains("found '%q'"))
  }

  @Test func `A time in a postback that cannot be read stops the import and names the postback`() throws {
    let body = String(decoding: try SharedVectors.body("apple-3.0-win"), as: UTF8.self)
    let timed = ["\"2026-11-20T08:15:00Z\"", "\"20/11/2026\""].map { body.dropLast() + ",\"came\":\($0)}" }
    let path = try folder.write(timed.joined(separator: "\n"), to: "timed.ndjson")
    let outcome = outcome(of: ["ingest", "-d", database, "--received-at-member", "came", path])
    #expect(outcome.code == .data)
    #expect(outcome.errors.contains("postback 2: the time"))
    #expect(try arrival() == 1_795_162_500_000)
  }

  @Test func `A file without the member that has the times is an error that names the member`() throws {
    let body = String(decoding: try SharedVectors.body("apple-3.0-win"), as: UTF8.self)
    let path = try folder.write(body, to: "untimed.ndjson")
    let misspelt = outcome(of: ["ingest", "-d", database, "--received-at-member", "recieved", path])
    #expect(misspelt.code == .data)
    #expect(misspelt.errors.contains("postback 1: found no time of arrival in 'recieved'"))
    #expect(try count("SELECT count(*) FROM postback") == 0)
    let given = outcome(
      of: [
        "ingest", "-d", database, "--received-at-member", "recieved", "--received-at",
        "2026-11-20T08:15:00Z", path,
      ])
    #expect(given.code == .done, "\(given.errors)")
    #expect(try arrival() == 1_795_162_500_000)
    let small = try folder.write(String(body.dropLast()) + ",\"came\":46346}", to: "small.ndjson")
    let early = outcome(of: ["ingest", "-d", database, "--received-at-member", "came", small])
    #expect(early.code == .data && early.errors.contains("before there were postbacks"))
  }

  @Test(arguments: [
    "network,campaign,value", "{sk_payload},{sk_ts},{x}", "\"a\";\"b\";\"c\"", "\"{sk_payload}\",\"{sk_ts}\"",
  ])
  func `A table without the name of its partner is rejected, and none of its lines is stored`(head: String)
    throws
  {
    let path = try folder.write("\(head)\nn.skadnetwork,12,3\n", to: "table.csv")
    let outcome = outcome(of: ["ingest", "-d", database, path])
    #expect(outcome.code == .data)
    #expect(
      outcome.errors.contains("line 1: found a table of separated values")
        && outcome.errors.contains("--from"))
    #expect((try? count("SELECT count(*) FROM rejected")) ?? 0 == 0)
  }

  @Test func `History from a partner stops at a line that is no row, and what came before is stored`() throws
  {
    let body = cell(String(decoding: try SharedVectors.body("apple-3.0-win"), as: UTF8.self))
    let export = try folder.write("sk_payload,event\n\(body),a\n\(body)\n", to: "cut.csv")
    let outcome = ingest("adjust-raw", export, "--received-at", "2026-11-20T08:00:00Z")
    #expect(outcome.code == .data)
    #expect(outcome.errors.contains("line 3: found 1 cell, the first line has 2"))
    #expect(try count("SELECT count(*) FROM postback") == 1)
    let wrong = ingest("branch-raw", export)
    #expect(wrong.code == .data)
    #expect(wrong.errors.contains("line 1: found no column body_transaction_id"))
    #expect(skan("ingest", "-d", database, "--from", "kochava-raw", export).code == .usage)
  }
}
