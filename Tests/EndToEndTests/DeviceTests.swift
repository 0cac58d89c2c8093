import Foundation
import JSONText
import TestSupport
import Testing

struct `Devices` {
  @Test func `Devices are answered 200 for Apple's samples, with and without the slash`() throws {
    let folder = try TemporaryFolder()
    let daemon = try Daemon(folder.file("skan.db"))
    let samples = try SharedVectors.bodies("apple-")
    #expect(samples.count == 10)
    for (index, sample) in samples.enumerated() {
      let base = sample.id.contains("aak") ? "/.well-known/appattribution/report-attribution" : skanPath
      let answer = try daemon.post(sample.body, base + (index % 2 == 0 ? "" : "/"))
      #expect(answer.status == 200, "\(sample.id)")
      #expect(answer.body.isEmpty)
    }
    let result = daemon.end(SIGTERM)
    #expect(result.exitCode == 0)
    #expect(
      try number(folder.file("skan.db"), "SELECT sum(postbacks + conflicts + copies) FROM v_campaign_days")
        == 9)
    #expect(try number(folder.file("skan.db"), "SELECT count(*) FROM rejected") == 1)
    #expect(
      result.output
        == "skan: listening on http://127.0.0.1:\(daemon.port), storing in \(folder.file("skan.db"))\n")
    #expect(result.errors.contains("stopped valid=9 invalid=1"))
    #expect(!result.errors.contains("6aafb7a5"))
  }

  @Test func `Devices get an error that explains NDJSON, which only networks send`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.write(
      #"{"networks":[{"name":"acme","token":"0123456789abcdef"}]}"#, to: "skan.json")
    let daemon = try Daemon(folder.file("skan.db"), ["--config", config])
    let body = try SharedVectors.body("apple-4.0-web-fine")
    let lines = body + [0x0D, 0x0A] + body + [0x0A]
    let rejected = try daemon.post(lines)
    #expect(rejected.status == 400)
    #expect(rejected.text.contains("this looks like NDJSON"))
    #expect(rejected.text.contains("application/x-ndjson to /v1/networks/{network}/postbacks"))
    let other = try daemon.post(body + Array(" {}".utf8))
    #expect(other.status == 400 && !other.text.contains("NDJSON"))
    for type in ["application/json", "application/x-ndjson"] {
      let taken = try daemon.post(
        lines, "/v1/networks/acme/postbacks",
        headers: [("Authorization", "Bearer 0123456789abcdef"), ("Content-Type", type)])
      #expect(taken.status == 200 && taken.text.contains(#""index":1"#))
    }
    _ = daemon.end(SIGTERM)
  }

  @Test func `Devices are answered 200 for non-winning, web and low-tier postbacks`() throws {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let daemon = try Daemon(folder.file("skan.db"), ["--trust-test-keys", keys.publicFile])
    let base =
      #"{"version":"4.0","ad-network-id":"a.skadnetwork","app-id":1,"transaction-id":"t","redownload":false,"#
    let bodies = [
      base + #""source-identifier":"12","fidelity-type":0,"did-win":false,"postback-sequence-index":0}"#,
      base
        + #""source-identifier":"1234","source-domain":"example.com","fidelity-type":1,"did-win":true,"postback-sequence-index":1}"#,
      base
        + #""source-identifier":"12","fidelity-type":1,"did-win":true,"coarse-conversion-value":"low","postback-sequence-index":2}"#,
    ]
    for body in bodies { #expect(try daemon.post(keys.keys.sign(Array(body.utf8))).status == 200) }
    _ = daemon.end(SIGTERM)
    // Three windows of one transaction are three conversions.
    #expect(try number(folder.file("skan.db"), "SELECT count(*) FROM postback WHERE identifier = 't'") == 3)
  }

  @Test func `A device's postback cannot be blocked by a forged copy that arrives first`() throws {
    let folder = try TemporaryFolder()
    let daemon = try Daemon(folder.file("skan.db"))
    let genuine = try SharedVectors.body("apple-4.0-web-fine")
    let forged = Array(
      String(decoding: genuine, as: UTF8.self)
        .replacing(#""postback-sequence-index":0"#, with: #""postback-sequence-index":1"#).utf8)
    #expect(try daemon.post(forged).status == 200)
    #expect(try daemon.post(genuine).status == 200)
    _ = daemon.end(SIGTERM)
    #expect(try number(folder.file("skan.db"), "SELECT sum(postbacks) FROM v_campaign_days") == 1)
    #expect(try number(folder.file("skan.db"), "SELECT count(*) FROM rejected WHERE state = 'invalid'") == 1)
  }

  @Test func `A postback of a device counts once, however often and by whatever route it arrives`() throws {
    let folder = try TemporaryFolder()
    let config = try folder.write(
      #"{"networks":[{"name":"acme","token":"0123456789abcdef"}]}"#, to: "skan.json")
    let daemon = try Daemon(folder.file("skan.db"), ["--network-host", "test", "--config", config])
    let body = try SharedVectors.body("apple-4.0-web-fine")
    let client = try daemon.client()
    for _ in 0..<10 { #expect(try client.request("POST", skanPath, body: body).status == 200) }
    let forwarded = try daemon.post(
      body, "/v1/networks/acme/postbacks", headers: [("Authorization", "Bearer 0123456789abcdef")])
    #expect(forwarded.status == 200)
    #expect(forwarded.text.contains(#""stored":"copy""#))
    _ = daemon.end(SIGTERM)
    #expect(try number(folder.file("skan.db"), "SELECT sum(postbacks) FROM v_campaign_days") == 1)
    #expect(try number(folder.file("skan.db"), "SELECT sum(copies) FROM v_campaign_days") == 10)
    #expect(try number(folder.file("skan.db"), "SELECT count(*) FROM origin") == 2)
  }
}
