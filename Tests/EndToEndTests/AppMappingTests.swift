import Foundation
import JSONText
import OpenSSL
import TestSupport
import Testing
import Values

final class `The mapping for apps` {
  private static let path = "/v1/apps/525463029/mapping"
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    for (name, from) in [
      ("old", "2020-01-01T00:00:00Z"), ("new", "2021-01-01T00:00:00Z"), ("next", "2999-01-01T00:00:00Z"),
    ] {
      let rule =
        #"{"value":7,"label":"secret","events":["purchase"],"revenue":{"from":1,"representative":2}}"#
      let file = try folder.write(
        #"{"name":"\#(name)","app":525463029,"currency":"USD","effective-from":"\#(from)","#
          + #""protocol":"skan4","precedence":"highest-value","fine":[\#(rule)]}"#, to: "\(name).json")
      _ = try Subprocess.run("skan", ["mapping", "load", "-d", database, file])
    }
    self.folder = folder
  }

  private func text(_ answer: HTTPAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

  @Test
  func `The mapping for apps is the version in force, without labels and worths, and announces the next`()
    throws
  {
    let daemon = try Daemon(database, ["--app-mappings"])
    let answer = try daemon.get(Self.path)
    #expect(answer.status == 200)
    let object = try #require(try JSONReader.read(answer.body).value.object)
    #expect(object["name"]?.value.string == "new")
    #expect(object["next"]?.value.object?["effective-from"]?.value.string == "2999-01-01T00:00:00Z")
    #expect(object["digest"]?.value.string?.count == 64)
    #expect(text(answer).contains(#""events":[{"name":"purchase"}],"revenue":{"from-micros":1000000}"#))
    #expect(!text(answer).contains("secret") && !text(answer).contains("representative"))
    #expect(answer.header("Cache-Control") == "public, max-age=300")
    #expect(answer.header("Last-Modified")?.hasSuffix(" GMT") == true)
    #expect(answer.header("Skan-Mapping-Signature") == nil)
    let tag = try #require(answer.header("ETag"))
    let again = try daemon.client().request("GET", Self.path, headers: [("If-None-Match", tag)])
    #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag)
    #expect(again.header("Cache-Control") == "public, max-age=300")

    let earlier = try daemon.get("\(Self.path)?at=2020-06-01")
    #expect(text(earlier).contains(#""name":"old""#))
    #expect(earlier.header("Cache-Control") == "public, no-cache")
    #expect(try daemon.get("\(Self.path)?at=2019-06-01").status == 404)
    #expect(try daemon.get("\(Self.path)?at=yesterday").status == 400)
    #expect(try daemon.get("/v1/apps/1/mapping").status == 404)
    #expect(try daemon.get("/v1/apps/x/mapping").status == 404)
    // Nothing else is open.
    #expect(try daemon.get("/v1/mappings").status == 403)

    let metrics = text(try daemon.get("/metrics"))
    let digest = try #require(object["digest"]?.value.string)
    let label =
      #"{app="525463029",effective_from="2021-01-01T00:00:00Z",digest="\#(digest.prefix(12))"}"#
    #expect(metrics.contains("skan_app_mapping_answers_total\(label) 2\n"))
    #expect(metrics.contains("skan_app_mapping_first_answer_timestamp_seconds\(label) "))
    #expect(!metrics.contains("2020-01-01T00:00:00Z"))

    // A restart does not forget since when apps have a version.
    daemon.send(SIGTERM)
    _ = daemon.waitForEnd()
    let listed = try Subprocess.run(
      "skan", ["mapping", "list", "-d", database, "--format", "json"]
    ).output
    let rows = try #require(try JSONReader.read(Array(listed.utf8)).value.object?["rows"]?.value.array)
    let since = rows.map { $0.value.object?["apps-since"]?.value.string != nil }
    #expect(since == [false, true, false])
  }

  @Test func `The mapping for apps requires a read token unless the operator opens it`() throws {
    let configuration = try folder.write(#"{"read-tokens":["reader-0123456789"]}"#, to: "skan.json")
    let daemon = try Daemon(database, ["--config", configuration])
    #expect(try daemon.get(Self.path).status == 401)
    let answer = try daemon.get(Self.path, token: "reader-0123456789")
    #expect(answer.status == 200 && answer.header("Cache-Control") == "private, max-age=300")
  }

  @Test func `The mapping for apps is signed by the operator's key`() throws {
    let key = try PrivateKey(generateOn: .p256)
    let file = try folder.write(PEMBlock(label: "EC PRIVATE KEY", bytes: key.der()).text, to: "key.pem")
    let daemon = try Daemon(database, ["--app-mappings", "--app-mappings-key", file])
    let answer = try daemon.get(Self.path)
    let signature = try #require(
      answer.header("Skan-Mapping-Signature").flatMap { Base64.decode(Array($0.utf8)) })
    let verifier = try PublicKey(spki: key.spki())
    let isValid = verifier.isValid(signature: signature, for: answer.body)
    let isValidForOther = verifier.isValid(signature: signature, for: answer.body + [0])
    #expect(isValid && !isValidForOther)

    let wrong = try folder.write("no key", to: "wrong.pem")
    let result = try Subprocess.run(
      "skan", ["serve", "-d", database, "--listen", "127.0.0.1:0", "--app-mappings-key", wrong])
    #expect(result.exitCode == 65 && result.errors.contains("found no private key without a password"))
  }
}
