import Foundation
import Gzip
import PostbackFixtures
import TestSupport
import Testing
import Values

struct `skan sign` {
  @Test func `skan sign makes a key that only its owner can read, and replaces none`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("key.json")
    #expect(skan("sign", "--new-key", path).code == .done)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let again = skan("sign", "--new-key", path)
    #expect(again.code == .inputOutput)
    #expect(again.errors.contains("exists"))
    #expect(!skan("sign", "--test-key", path, "--public-key").output.contains("private-key"))
  }

  @Test func `skan sign makes the same fields from the same seed`() throws {
    let folder = try TemporaryFolder()
    let keys = try makeKeys(in: folder)
    func fields(_ seed: String) -> [String] {
      let outcome = skan(
        "sign", "--test-key", keys.secret, "--count", "300", "--seed", seed, "--version", "4.0")
      #expect(outcome.errors == "seed \(seed)\n")
      return outcome.output.split(separator: "\n").map { line in
        line.firstRange(of: "\"attribution-signature\"").map { String(line[..<$0.lowerBound]) } ?? "?"
      }
    }
    #expect(fields("5") == fields("5"))
    #expect(fields("5") != fields("6"))
    #expect(fields("5").count == 300)
  }

  @Test func `skan sign signs given postbacks so that they verify`() throws {
    let folder = try TemporaryFolder()
    let keys = try makeKeys(in: folder)
    let unsigned =
      #"{"version":"2.2","ad-network-id":"a.b","campaign-id":7,"app-id":1,"transaction-id":"t","redownload":false,"fidelity-type":1}"#
    let file = try folder.write("[\(unsigned),\(unsigned)]", to: "u.json")
    let signed = skan("sign", "--test-key", keys.secret, file)
    #expect(signed.code == .done)
    let result = try folder.write(signed.output, to: "s.ndjson")
    #expect(skan("verify", result).code == .failedCheck)
    #expect(skan("verify", "--trust-test-keys", keys.trusted, result).code == .done)
    let broken = skan(
      "sign", "--test-key", keys.secret, try folder.write(signed.output + "{}\n", to: "b.ndjson"))
    #expect(broken.code == .data)
    #expect(broken.errors.contains("cannot sign postback 0: the postback is signed already"))
  }

  @Test func `skan sign takes names for the postbacks that it generates`() throws {
    let folder = try TemporaryFolder()
    let keys = try makeKeys(in: folder)
    let outcome = skan(
      "sign", "--test-key", keys.secret, "--count", "20", "--seed", "1", "--version", "3.0", "--network",
      "only.one",
      "--app", "77", "--campaign", "5242")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.contains(#""ad-network-id":"only.one","campaign-id":42,"app-id":77,"#) })
  }

  @Test func `skan sign rejects what it cannot do`() throws {
    let folder = try TemporaryFolder()
    let keys = try makeKeys(in: folder)
    #expect(skan("sign").code == .usage)
    #expect(skan("sign", "--test-key", keys.secret).code == .usage)
    #expect(skan("sign", "--test-key", keys.secret, "--count", "1", "x").code == .usage)
    #expect(skan("sign", "--test-key", keys.trusted, "--count", "1").code == .data)
    #expect(
      skan("sign", "--test-key", keys.secret, "--count", "1", "--gzip", isTerminal: true).code == .usage)
  }
}

struct `skan config show` {
  @Test func `skan config show reports the source of each setting, and no token`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      {"database":"file.db","listen":"127.0.0.1:1","threads":3,"log-format":"json",
       "networks":[{"name":"acme","token":"a-secret-of-acme"}],"read-tokens":["a-secret-to-read"]}
      """, to: "skan.json")
    let outcome = skan(
      "config", "show", "--config", file, "--listen", "127.0.0.1:2",
      environment: ["SKAN_LISTEN": "127.0.0.1:3", "SKAN_THREADS": "4"])
    #expect(outcome.code == .done)
    // The widths of the columns follow the folder's name.
    let lines = outcome.output.replacing(folder.path, with: "FOLDER").split(separator: "\n")
      .filter { !$0.hasPrefix("─") }
      .map { $0.split(separator: " ").joined(separator: " ") + "\n" }
    try expectGolden(lines.joined(), "config.txt")
    #expect(!outcome.output.contains("a-secret"))
    #expect(!skan("config", "show", "--config", file, "--format", "json").output.contains("a-secret"))
  }

  @Test(arguments: [
    "postgres://skan:a-secret@db.example/skan", "host=db.example user=skan password=a-secret",
    "postgres://db.example/skan?user=skan&password=a-secret", "host = db.example password = 'x a-secret'",
  ])
  func `skan config show has the address of a journal without its password`(address: String) {
    let outcome = skan("config", "show", "--journal", address)
    #expect(outcome.code == .done)
    #expect(outcome.output.contains("db.example") && !outcome.output.contains("a-secret"))
  }

  @Test(arguments: [
    "postgres://skan:a%zz-secret@db.example/x", "postgres://skan:a@secret@db.example/x", "password",
  ])
  func `An address of a journal that cannot be read is not shown, in whole or in part`(address: String) {
    for outcome in [
      skan("config", "show", "--journal", address), skan("journal", "status", "--journal", address),
    ] {
      #expect(!(outcome.output + outcome.errors).contains("secret"))
    }
    #expect(skan("journal", "status", "--journal", address).code == .usage)
  }
}

struct `skan doctor` {
  @Test func `skan doctor finds nothing wrong with a fresh database`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let outcome = skan("doctor", "--database", database, "--listen", "127.0.0.1:0", "--mappings", folder.path)
    #expect(outcome.code == .done)
    for check in [
      "keys", "self-test", "libraries", "folder", "database", "integrity", "totals", "clock", "port",
      "mappings",
    ] {
      #expect(outcome.output.contains("OK    \(check): "), "\(check)")
    }
  }

  @Test func `skan doctor names the cure of what it finds`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let past = skan("doctor", "-d", database, "--listen", "127.0.0.1:0", at: Instant("2025-12-31")!)
    #expect(past.code == .failedCheck)
    #expect(
      past.output.contains(
        "FAIL  clock: the clock shows 2025-12-31T00:00:00Z, earlier than this release\n      Try: "))
    let before = skan("doctor", "-d", database, "--listen", "127.0.0.1:0", at: noon + -1)
    #expect(before.output.contains("FAIL  clock: "))
    let config = try folder.write("{\"databse\":1}", to: "c.json")
    let words = skan("doctor", "--config", config, "--listen", "127.0.0.1:0", "--format", "json")
    #expect(words.code == .failedCheck)
    #expect(words.output.contains("c.json:1:2"))
    #expect(skan("doctor", "--mappings", folder.file("none"), "--listen", "127.0.0.1:0").code == .failedCheck)
    #expect(skan("doctor", "--trust-test-keys", config, "--listen", "127.0.0.1:0").code == .failedCheck)
    let broken = try folder.write("no database at all, but long enough to look at", to: "b.db")
    #expect(skan("doctor", "-d", broken, "--listen", "127.0.0.1:0").output.contains("FAIL  database: "))
  }
}
