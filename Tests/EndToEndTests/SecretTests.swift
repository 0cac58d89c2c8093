import Foundation
import TestSupport
import Testing

final class `The secrets of a service` {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    self.folder = folder
  }

  /// The permissions of a file, in octal digits.
  private func mode(_ path: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return String(try #require(attributes[.posixPermissions] as? Int), radix: 8)
  }

  /// Runs the program as a shell with that mask would.
  private func run(mask: String, _ words: String) throws -> ProgramResult {
    try Subprocess.run(
      "/bin/sh",
      ["-c", "umask \(mask); exec \(Subprocess.productsFolder.appending(path: "skan").path) \(words)"])
  }

  @Test(arguments: ["000", "022"])
  func `The secrets of a service are in files that only their owner can read, whatever the umask`(
    mask: String
  ) throws {
    let made = try run(mask: mask, "token create -d \(database) --network acme --hmac")
    #expect(made.exitCode == 0)
    #expect(try mode(database) == "600")
    let copy = folder.file("copy.db")
    #expect(try run(mask: mask, "backup -d \(database) \(copy)").exitCode == 0)
    #expect(try mode(copy) == "600")
    let daemon = try Daemon(folder.file("other.db"))
    #expect(try daemon.post(Array("{}".utf8)).status == 400)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.file(".")) {
      #expect(try mode(folder.file(name)) == "600", "\(name)")
    }
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `The secrets of a service are never readable by others while the database is created`() throws {
    // strace would show it too; a file that a link leads to is made by SQLite unless it is made before.
    let target = folder.file("target.db")
    try FileManager.default.createSymbolicLink(atPath: database, withDestinationPath: target)
    #expect(try run(mask: "000", "token create -d \(database) --reader r").exitCode == 0)
    #expect(try mode(target) == "600")
  }

  @Test func `The secrets of a service keep the modes that an operator chose for a database`() throws {
    #expect(try run(mask: "022", "token create -d \(database) --reader r").exitCode == 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: database)
    let daemon = try Daemon(database)
    #expect(try mode(database) == "640")
    #expect(try mode(database + "-wal") == "640")
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  private func configuration(_ token: String, reader: String) -> String {
    """
    {"networks":[{"name":"acme","token":"\(token)"}],"read-tokens":["\(reader)"]}
    """
  }

  @Test func `The secrets in the configuration file are reloaded at SIGHUP, and kept while it is broken`()
    throws
  {
    let path = try folder.write(
      configuration("forward-one-0123456789", reader: "reader-one-0123456789"), to: "skan.json")
    let daemon = try Daemon(database, ["--config", path])
    func forward(_ token: String) throws -> Int {
      try daemon.post(
        Array("{}".utf8), "/v1/networks/acme/postbacks", headers: [("Authorization", "Bearer \(token)")]
      ).status
    }
    func read(_ token: String) throws -> Int { try daemon.get("/v1/mappings", token: token).status }
    #expect(try forward("forward-one-0123456789") == 200)
    #expect(try read("reader-one-0123456789") == 200)

    _ = try folder.write(
      configuration("forward-two-0123456789", reader: "reader-two-0123456789"), to: "skan.json")
    #expect(try forward("forward-two-0123456789") == 401)
    daemon.send(SIGHUP)
    let line = try #require(daemon.waitForLog("tokens-read"))
    #expect(!line.contains("forward-two"))
    #expect(try forward("forward-two-0123456789") == 200)
    #expect(try forward("forward-one-0123456789") == 401)
    #expect(try read("reader-two-0123456789") == 200)
    #expect(try read("reader-one-0123456789") == 401)

    _ = try folder.write("{\"networks\":[{\"name\":\"acme\"", to: "skan.json")
    daemon.send(SIGHUP)
    let rejection = try #require(daemon.waitForLog("tokens-not-read"))
    #expect(rejection.contains(" error "))
    #expect(rejection.contains("skan.json"))
    #expect(try forward("forward-two-0123456789") == 200)
    #expect(try read("reader-two-0123456789") == 200)
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `The secrets of a service leave a log line when a token is made or revoked beside the daemon`()
    throws
  {
    let daemon = try Daemon(database)
    let made = try Subprocess.run("skan", ["token", "create", "-d", database, "--network", "acme", "--hmac"])
    let secret = made.output.trimmingCharacters(in: .newlines)
    let created = try #require(daemon.waitForLog("token-created"))
    #expect(created.hasSuffix("token-created id=1 use=sign name=acme"))
    #expect(try Subprocess.run("skan", ["token", "revoke", "-d", database, "1"]).exitCode == 0)
    let revoked = try #require(daemon.waitForLog("token-revoked"))
    #expect(revoked.hasSuffix("token-revoked id=1 use=sign name=acme"))
    let end = daemon.end(SIGTERM)
    #expect(!end.errors.contains(secret))
  }
}
