import JSONText
import Testing
import Values
import TestSupport

/// Files of postbacks in the forms that networks, warehouses and spreadsheets write.
final class `Files of postbacks in other forms` {
  private let folder: TemporaryFolder
  private let database: String
  private let keys: (secret: String, trusted: String)

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    keys = try makeKeys(in: folder)
    self.folder = folder
  }

  /// Signed bodies of SKAdNetwork 4 with fine values.
  private func bodies(_ values: [Int]) throws -> [String] {
    let unsigned = values.enumerated().map { index, value in
      #"{"version":"4.0","ad-network-id":"v9wttpbfk9.skadnetwork","source-identifier":"5239","app-id":525463029,"#
        + #""transaction-id":"t\#(index)","redownload":false,"source-app-id":1234567891,"fidelity-type":1,"#
        + #""did-win":true,"postback-sequence-index":0,"conversion-value":\#(value)}"#
    }
    let path = try folder.write(unsigned.joined(separator: "\n"), to: "unsigned.ndjson")
    let signed = skan("sign", "--test-key", keys.secret, path)
    #expect(signed.code == .done, "\(signed.errors)")
    return signed.output.split(separator: "\n").map(String.init)
  }

  private func ingest(_ text: String, _ more: String...) throws -> Outcome {
    let path = try folder.write(text, to: "file.ndjson")
    return outcome(of: ["ingest", "-d", database, "--trust-test-keys", keys.trusted, path] + more)
  }

  /// A configuration with one network.
  private func configuration(_ form: String) throws -> String {
    try folder.write(
      #"{"networks":[{"name":"acme","token":"0123456789abcdef0123456789abcdef","form":\#(form)}]}"#,
      to: "config.json")
  }

  private func report(_ columns: String) -> String {
    skan(
      "report", "campaigns", "-d", database, "--environment", "test", "--format", "ndjson", "--columns",
      columns
    ).output
  }

  @Test func `A text for no coarse value beside a fine value takes none of its revenue`() throws {
    let mapping = try folder.write(
      #"{"name":"m","app":525463029,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","fine":["#
        + #"{"value":0,"label":"i"},{"value":12,"events":[{"name":"p","revenue":{"from":40,"to":60}}]}]}"#,
      to: "mapping.json")
    #expect(skan("mapping", "load", "-d", database, mapping).code == .done)
    let genuine = try bodies(Array(repeating: 12, count: 10))
    let words = ["none", "", "N/A", "\\\\N", "nan", "null", "None", "NaN", "none", "undefined"]
    let sent = zip(genuine, words).map { body, word in
      body.dropLast() + #","coarse-conversion-value":"\#(word)"}"#
    }
    let outcome = try ingest(sent.joined(separator: "\n"))
    #expect(outcome.code == .done)
    let errors = outcome.errors
    #expect(errors.contains("10 postbacks with a text for no value, such as none"), "\(errors)")
    let rows = report("postbacks,revenue-mid-USD")
    #expect(rows.contains(#""postbacks":10,"revenue-mid-USD":500"#), "\(rows)")
    let copies = try ingest(genuine.joined(separator: "\n"), "--format", "json").output
    #expect(copies.contains(#""copies": 10"#) && copies.contains(#""conflicts": 0"#), "\(copies)")
  }

  @Test func `A network's form of the configuration counts for files, as for what it sends`() throws {
    let sent = try bodies([1, 2, 3]).map { body in
      body.replacing("-id\"", with: "_id\"").replacing("conversion-value", with: "conversion_value")
        .replacing("attribution-signature", with: "attribution_signature")
    }
    let names =
      #""ad-network_id":"ad-network-id","app_id":"app-id","transaction_id":"transaction-id","#
      + #""source-app_id":"source-app-id","conversion_value":"conversion-value","#
      + #""attribution_signature":"attribution-signature""#
    let config = try configuration(#"{"names":{\#(names)}}"#)
    let read = try ingest(
      sent.joined(separator: "\n"), "--config", config, "--route", "forwarded:acme", "--format", "json")
    #expect(read.code == .done, "\(read.errors)")
    #expect(read.output.contains(#""new": 3"#) && read.output.contains(#""reasons": []"#), "\(read.output)")
    #expect(report("postbacks").contains(#""postbacks":3"#))
    let unread = try ingest(sent.joined(separator: "\n"), "--config", config, "--route", "forwarded:other")
    #expect(unread.code == .failedCheck)
    #expect(
      unread.output.contains("3 rejected: missing-member: \"ad-network-id\" is required and missing\n"),
      "\(unread.output)")
  }

  @Test func `A file of a network's parameters has one query a line`() throws {
    let query = try bodies([1, 2]).map { body in
      let node = try JSONReader.read(Array(body.utf8))
      return try #require(node.value.object).members.map { member in
        let text = member.value.value.string ?? JSONOutput(member.value.value).text()
        return "\(member.name)=\(percentEncoded(text))"
      }.joined(separator: "&")
    }
    let config = try configuration(#""macros""#)
    let read = try ingest(
      query.joined(separator: "\r\n") + "\r\n", "--config", config, "--route", "forwarded:acme")
    #expect(read.code == .done, "\(read.output) \(read.errors)")
    #expect(report("postbacks").contains(#""postbacks":2"#))
  }

  @Test func `Of a file of something else nothing is stored`() throws {
    for text in [
      "# Heading\n\nA text of some lines.\n", "[1, 2]", "\"a\"", String(repeating: "line\n", count: 3000),
    ] {
      let other = try ingest(text)
      #expect(
        other.code == .data && other.errors.contains("found no JSON object in the file"), "\(other.errors)")
      #expect(other.output.hasPrefix("stored     0\n"), "\(other.output)")
    }
    #expect(try ingest("").code == .done)
    // A heading before the first postback is as before.
    let late = try ingest("# Heading\n" + bodies([1]).joined())
    #expect(late.code == .done && late.output.contains("1 rejected: broken-json: "), "\(late.output)")
  }

  @Test func `A file without a valid postback ends with 1, and the reasons are counted`() throws {
    let text = "# Heading\n\nA text of some lines.\n"
    let broken = try ingest("{\"version\":\n" + text)
    #expect(broken.code == .failedCheck)
    #expect(broken.output.contains("rejected: broken-json: "), "\(broken.output)")
    let mixed = try ingest(try bodies([1]).joined() + "\n" + text)
    #expect(mixed.code == .done && mixed.output.contains("2 rejected: broken-json: "), "\(mixed.output)")
  }

  /// The members of signed bodies as texts, by AppsFlyer's names.
  private func rows(_ values: [Int]) throws -> [[(name: String, text: String)]] {
    try bodies(values).map { body in
      let node = try JSONReader.read(Array(body.utf8))
      return try #require(node.value.object).members.map { member in
        let text = member.value.value.string ?? JSONOutput(member.value.value).text()
        return ("skad_" + member.name.replacing("-", with: "_"), text)
      }
    }
  }

  private func table(_ rows: [[(name: String, text: String)]], _ separator: String = ",") -> String {
    let lines =
      [rows[0].map(\.name) + ["timestamp"]]
      + rows.map { $0.map(\.text) + ["2026-11-10 03:04:05.123000+00"] }
    return lines.map { $0.joined(separator: separator) + "\r\n" }.joined()
  }

  private func ingestExport(_ bytes: [UInt8], _ more: String...) throws -> Outcome {
    let path = try folder.write(bytes, to: "export.csv")
    return outcome(
      of: ["ingest", "-d", database, "--trust-test-keys", keys.trusted, "--from", "appsflyer-raw", path]
        + more)
  }

  @Test(arguments: [";", "\t", ","])
  func `An export that a spreadsheet wrote is read whole`(separator: String) throws {
    let text = table(try rows([0, 12]), separator)
    var utf16: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { utf16 += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    for bytes in [Array(text.utf8), utf16] {
      let read = try ingestExport(bytes)
      #expect(read.code == .done, "\(read.output) \(read.errors)")
    }
    #expect(report("postbacks,fine-0,fine-12").contains(#""postbacks":2,"fine-0":1,"fine-12":1"#))
  }

  @Test func `An export that a program with floating-point numbers wrote is read whole`() throws {
    let floats = try rows([0, 12]).map { row in
      row.map { name, text in
        let isNumber = !text.isEmpty && text.allSatisfy(\.isNumber) && name != "skad_source_identifier"
        let truth = text == "true" ? "True" : text == "false" ? "False" : text
        return (name: name, text: isNumber ? text + ".0" : truth)
      } + [(name: "skad_coarse_conversion_value", text: "nan"), (name: "skad_source_domain", text: "nan")]
    }
    let read = try ingestExport(Array(table(floats).utf8))
    #expect(read.code == .done, "\(read.output) \(read.errors)")
    #expect(report("postbacks,fine-0,fine-12").contains(#""postbacks":2,"fine-0":1,"fine-12":1"#))
  }

  @Test func `An export whose columns have other names is read by --columns`() throws {
    let text = table(try rows([12])).replacing("skad_transaction_id", with: "txid")
    let unread = try ingestExport(Array(text.utf8))
    #expect(
      unread.code == .data && unread.errors.contains("--columns skad_transaction_id=NAME"), "\(unread.errors)"
    )
    let read = try ingestExport(Array(text.utf8), "--columns", "skad_transaction_id=txid")
    #expect(read.code == .done, "\(read.output) \(read.errors)")
    #expect(report("fine-12").contains(#""fine-12":1"#))
    #expect(try ingest(text, "--columns", "skad_transaction_id=txid").code == .usage)
  }

  @Test func `An export in JSON objects is read as a table is`() throws {
    let objects = try rows([0, 12]).map { row in
      let members = row.map { name, text in
        JSONOutput.Member(name.replacing("skad_", with: "body_"), .string(text))
      }
      return JSONOutput.object(members + [.init("timestamp", 1_795_262_400_123)]).text()
    }
    let path = try folder.write(objects.joined(separator: "\n"), to: "branch.ndjson")
    let read = skan(
      "ingest", "-d", database, "--trust-test-keys", keys.trusted, "--from", "branch-raw", path)
    #expect(read.code == .done, "\(read.output) \(read.errors)")
    #expect(report("postbacks,fine-12").contains(#""postbacks":2,"fine-12":1"#))
  }
}
