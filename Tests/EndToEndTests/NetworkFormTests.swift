import Foundation
import JSONText
import Signing
import TestSupport
import Testing
import Values

private let token = "forward-0123456789"
private let configuration = #"""
  {"networks":[
    {"name":"macros","token":"macros-\#(token)","form":"macros"},
    {"name":"texts","token":"texts-\#(token)","form":"text"},
    {"name":"wrapped","token":"wrapped-\#(token)","form":{"containers":["json","parameters"],"base64":"raw"}},
    {"name":"renamed","token":"renamed-\#(token)","form":{"names":{"txid":"transaction-id"}}},
    {"name":"plain","token":"plain-\#(token)"},
    {"name":"stripped","token":"stripped-\#(token)","form":"unsigned"},
    {"name":"signing","token":"signing-\#(token)","form":"macros","hmac-secret":"0123456789abcdef0123456789abcdef"}
  ]}
  """#

@Suite(.serialized) final class `Networks with forms of their own` {
  private let folder: TemporaryFolder
  private let keys: TestKeys
  private let daemon: Daemon
  private let database: String

  init() throws {
    let folder = try TemporaryFolder()
    keys = try TestKeys(in: folder)
    database = folder.file("skan.db")
    daemon = try Daemon(
      database,
      ["--config", folder.write(configuration, to: "skan.json"), "--trust-test-keys", keys.publicFile])
    self.folder = folder
  }

  /// The members of a signed postback, each with its value and the same as text.
  private func members(seed: UInt64) throws -> [(name: String, value: JSONOutput, text: String)] {
    var generator = PostbackGenerator(seed: seed)
    let node = try JSONReader.read(try keys.keys.sign(generator.next(.v4_0)))
    return try #require(node.value.object).members.map { member in
      let value = member.value.value
      return (member.name, JSONOutput(value), value.string ?? JSONOutput(value).text())
    }
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  private func post(_ body: [UInt8], as network: String, type: String = "application/json") throws
    -> HTTPAnswer
  {
    try daemon.post(
      body, "/v1/networks/\(network)/postbacks",
      headers: [("Authorization", "Bearer \(network)-\(token)"), ("Content-Type", type)])
  }

  /// What became of the one postback of a request.
  private func result(_ answer: HTTPAnswer) throws -> (state: String?, stored: String?) {
    #expect(answer.status == 200, "\(answer.text)")
    let results = try JSONReader.read(answer.body).value.object?["results"]?.value.array
    let result = try #require(results?.first?.value.object)
    return (result["state"]?.value.string, result["stored"]?.value.string)
  }

  @Test
  func `Networks with forms of their own send a query of macros, a form, texts, base64 and other names`()
    throws
  {
    let first = try members(seed: 1)
    let query = first.map { "\($0.name.replacing("-", with: "_"))=\(encoded($0.text))" }.joined(
      separator: "&")
    // With the token in the query, and no header at all.
    let path = "/v1/networks/macros/postbacks?\(query)&campaign=Autumn"
    let byQuery = try daemon.get("\(path)&token=macros-\(token)")
    #expect(try result(byQuery) == ("valid", "first"))
    #expect(try daemon.get(path).status == 401)
    #expect(try daemon.get("\(path)&token=plain-\(token)").status == 403)
    let byForm = try post(Array(query.utf8), as: "macros", type: "application/x-www-form-urlencoded")
    #expect(try result(byForm) == ("valid", "copy"))

    let texts = try members(seed: 2)
    let textBody = JSONOutput.object(texts.map { .init($0.name, .string($0.text)) }).bytes()
    #expect(try result(try post(textBody, as: "texts")) == ("valid", "first"))
    // Also of a network whose form is not configured.
    #expect(try result(try post(textBody, as: "plain")) == ("valid", "copy"))

    let wrapped = try members(seed: 3)
    let apples = JSONOutput.object(wrapped.map { .init($0.name, $0.value) }).bytes()
    let base64 = String(decoding: Base64.encode(apples), as: UTF8.self)
    #expect(try result(try post(Array(#"{"raw":"\#(base64)"}"#.utf8), as: "wrapped")) == ("valid", "first"))
    #expect(
      try result(
        try daemon.get("/v1/networks/wrapped/postbacks?raw=\(encoded(base64))", token: "wrapped-\(token)"))
        == ("valid", "copy"))

    let renamed = try members(seed: 4).map { member in
      JSONOutput.Member(member.name == "transaction-id" ? "txid" : member.name, member.value)
    }
    #expect(try result(try post(JSONOutput.object(renamed).bytes(), as: "renamed")) == ("valid", "first"))

    // What is no form at all is no postback either.
    #expect(try post(Array("what".utf8), as: "macros").status == 400)

    // A changed value of a signed member breaks the signature in every form.
    let forged = query.replacing("redownload=", with: "redownload=x")
    #expect(
      try result(try daemon.get("/v1/networks/macros/postbacks?\(forged)", token: "macros-\(token)")).state
        == "malformed")

    #expect(daemon.end(SIGTERM).exitCode == 0)
    #expect(try number(database, "SELECT count(*) FROM postback WHERE environment = 2") == 4)
    #expect(try number(database, "SELECT count(*) FROM postback") == 4)
    // What came is kept beside what was read, without the token.
    #expect(
      try text(database, "SELECT CAST(received AS TEXT) FROM network_form WHERE kind = 0 AND row = 1")
        .hasSuffix("&campaign=Autumn"))
    #expect(try number(database, "SELECT count(*) FROM network_form WHERE kind = 0") == 4)
    #expect(
      try number(database, "SELECT count(*) FROM network_form WHERE CAST(received AS TEXT) LIKE '%\(token)%'")
        == 0)
    #expect(try storedBodies(database).contains(apples))
    let rebuilt = try Subprocess("skan", ["rebuild", "--check", "--database", database]).finish()
    #expect(rebuilt.exitCode == 0, "\(rebuilt.output)\(rebuilt.errors)")
  }

  @Test func `Networks with forms of their own may send a query only where their profile has one`() throws {
    let answer = try daemon.get("/v1/networks/plain/postbacks?app-id=1", token: "plain-\(token)")
    #expect(answer.status == 405)
    #expect(answer.header("Allow") == "POST")
    // A query carries no signature, so a network that signs has none.
    #expect(
      try daemon.get("/v1/networks/signing/postbacks?app-id=1", token: "signing-\(token)").status == 405)
    // Only the header counts where the profile has no parameters.
    #expect(try daemon.get("/v1/networks/plain/postbacks?token=plain-\(token)").status == 401)
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `Networks with forms of their own that strip the signature are counted as claimed only`() throws
  {
    let all = try members(seed: 5)
    let unsigned = all.filter { $0.name != "attribution-signature" }
    let body = JSONOutput.object(unsigned.map { .init($0.name, $0.value) }).bytes()
    #expect(try result(try post(body, as: "stripped")) == ("unverifiable", "first"))
    // Of any other network it stays among the rejected.
    #expect(try result(try post(body, as: "plain")) == ("unverifiable", "kept"))
    let genuine = JSONOutput.object(all.map { .init($0.name, $0.value) }).bytes()
    #expect(try result(try post(genuine, as: "plain")) == ("valid", "first"))
    #expect(daemon.end(SIGTERM).exitCode == 0)
    #expect(try number(database, "SELECT count(*) FROM postback WHERE environment = 3") == 1)
    #expect(try number(database, "SELECT count(*) FROM postback WHERE environment = 2") == 1)
    func total(_ environment: String) throws -> String {
      let report = try Subprocess(
        "skan",
        [
          "report", "campaigns", "--database", database, "--environment", environment, "--format", "csv",
          "--columns", "postbacks",
        ]
      ).finish()
      #expect(report.exitCode == 0, "\(report.errors)")
      return report.output
    }
    #expect(try total("claimed").contains("1"))
    #expect(try total("test").contains("1"))
    #expect(try !total("production").contains("1"))
  }

  @Test func `Networks with forms of their own send to a path with a token until it is revoked`() throws {
    func path(of network: String) throws -> String {
      let made = try Subprocess.run(
        "skan", ["token", "create", "-d", database, "--network", network, "--in-path"])
      #expect(made.exitCode == 0, "\(made.errors)")
      return made.output.trimmingCharacters(in: .newlines)
    }
    let (macros, texts, signing) = (
      try path(of: "macros"), try path(of: "texts"), try path(of: "signing")
    )
    #expect(macros.hasPrefix("/n/") && macros.utf8.count == 35 && macros != texts)
    #expect(daemon.waitForLog("token-created id=3 use=forward-path name=signing") != nil)
    func query(_ seed: UInt64) throws -> String {
      try members(seed: seed).map { "\($0.name)=\(encoded($0.text))" }.joined(separator: "&")
    }
    // As a GET, as a form, with a slash behind it and in upper case.
    #expect(
      try result(try daemon.get("\(macros)?\(query(11))&campaign=%7Bcampaign%7D")) == ("valid", "first"))
    #expect(try result(try daemon.get("\(macros)/?\(query(11))")) == ("valid", "copy"))
    let upper = "/n/" + macros.dropFirst(3).uppercased()
    #expect(try result(try daemon.post(Array(query(12).utf8), upper)) == ("valid", "first"))
    let body = JSONOutput.object(try members(seed: 13).map { .init($0.name, .string($0.text)) }).bytes()
    #expect(try result(try daemon.post(body, texts)) == ("valid", "first"))
    #expect(
      try number(database, "SELECT count(*) FROM origin WHERE name = 'texts' AND route = 'forwarded'") == 1)
    // A remark for the sender, without a value.
    let remarks = try daemon.get("\(macros)?\(query(11))&campaign=%7Bcampaign%7D").text
    #expect(
      remarks.contains(#""remarks":[{"member":"campaign","remark":"macro-not-replaced"}]"#), "\(remarks)")
    // The network's own profile and its signing secret hold there too.
    #expect(try daemon.get("\(texts)?\(query(14))").status == 405)
    #expect(try daemon.post(body, signing).status == 401)
    // Such a token is no other one.
    let token = String(macros.dropFirst(3))
    #expect(try daemon.get("/v1/networks/macros/postbacks?\(query(11))&token=\(token)").status == 401)
    #expect(try daemon.get("/v1/reports/campaigns", token: token).status == 403)
    #expect(try daemon.get("/n/macros-0123456789?\(query(11))").status == 404)

    #expect(try daemon.get("/n/\(String(repeating: "0", count: 32))").status == 404)
    #expect(try Subprocess.run("skan", ["token", "revoke", "-d", database, "1"]).exitCode == 0)
    #expect(daemon.waitForLog("token-revoked") != nil)
    let gone = try daemon.get("\(macros)?\(query(15))")
    #expect(gone.status == 404 && !gone.text.contains(token))
    #expect(try daemon.post(body, texts).status == 200)

    let metrics = try daemon.get("/metrics").text
    let listed = try Subprocess.run("skan", ["token", "list", "-d", database, "--format", "json"]).output
    let log = daemon.end(SIGTERM).errors
    for secret in [token, token.uppercased(), String(texts.dropFirst(3))] {
      for place in [metrics, listed, log, remarks] { #expect(!place.contains(secret)) }
    }
    #expect(listed.contains("forward-path"))
    let file = try #require(FileManager.default.contents(atPath: database))
    #expect(file.range(of: Data(token.utf8)) == nil)
  }
}
