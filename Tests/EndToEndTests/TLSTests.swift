import Foundation
import Glibc
import TestSupport
import Testing

final class `A daemon with TLS` {
  private let folder: TemporaryFolder
  private let first: TestCertificate
  private let second: TestCertificate
  private let certificate: String
  private let key: String

  init() throws {
    let folder = try TemporaryFolder()
    first = try TestCertificate("first", in: folder)
    second = try TestCertificate("second", in: folder)
    certificate = folder.file("tls.crt")
    key = folder.file("tls.key")
    self.folder = folder
    try put(first)
  }

  /// Puts a pair where the daemon looks.
  private func put(_ pair: TestCertificate) throws {
    for (from, to) in [(pair.file, certificate), (pair.keyFile, key)] {
      try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to), options: .atomic)
    }
  }

  private func daemon(_ arguments: [String] = []) throws -> Daemon {
    try Daemon(
      folder.file("skan.db"), ["--tls-certificate", certificate, "--tls-key", key] + arguments)
  }

  /// Asks with curl, which trusts that certificate only; returns its exit code and the status.
  private func curl(
    _ daemon: Daemon, _ path: String, trusting trusted: TestCertificate, _ arguments: [String] = []
  ) throws -> (exitCode: Int32, status: String) {
    let result = try Subprocess.run(
      "/usr/bin/env",
      [
        "curl", "-q", "-sS", "--max-time", "20", "-o", folder.file("answer"), "-w", "%{http_code}",
        "--cacert", trusted.file,
      ] + arguments + ["https://127.0.0.1:\(daemon.port)\(path)"])
    return (result.exitCode, result.output)
  }

  @Test(arguments: [["--tlsv1.3"], ["--tls-max", "1.2"]])
  func `A daemon with TLS accepts a postback over TLS 1.3 and 1.2`(version: [String]) throws {
    let keys = try TestKeys(in: folder)
    let daemon = try daemon(["--trust-test-keys", keys.publicFile])
    let body = try keys.postbacks(1, seed: 5)[0]
    try Data(body).write(to: URL(filePath: folder.file("body")))
    let posted = try curl(
      daemon, skanPath, trusting: first, version + ["--data-binary", "@\(folder.file("body"))"])
    #expect(posted.exitCode == 0)
    #expect(posted.status == "200")
    let end = daemon.end(SIGTERM)
    #expect(end.exitCode == 0)
    #expect(end.output.hasPrefix("skan: listening on https://127.0.0.1:\(daemon.port), "))
    #expect(try storedBodies(folder.file("skan.db")) == [body])
  }

  @Test func `A daemon with TLS requires browsers of its pages to use TLS`() throws {
    let daemon = try daemon(["--pages", "127.0.0.1:0"])
    let result = try Subprocess.run(
      "/usr/bin/env",
      [
        "curl", "-q", "-sS", "--max-time", "20", "-o", folder.file("answer"), "-D", "-", "--cacert",
        first.file,
        "https://127.0.0.1:\(daemon.pagesPort)/sign-in",
      ])
    #expect(result.output.lowercased().contains("strict-transport-security: max-age=31536000"))
    let plain = try Daemon(folder.file("other.db"), ["--pages", "127.0.0.1:0"])
    let answer = try HTTPClient(port: plain.pagesPort).request(
      "GET", "/sign-in", headers: [("Host", "127.0.0.1:\(plain.pagesPort)")], body: [])
    #expect(answer.status == 200 && answer.header("strict-transport-security") == nil)
  }

  @Test func `A daemon with TLS accepts no older version`() throws {
    let daemon = try daemon()
    let old = try curl(
      daemon, "/healthz", trusting: first,
      ["--tlsv1.0", "--tls-max", "1.1", "--ciphers", "DEFAULT:@SECLEVEL=0"])
    #expect(old.exitCode == 35)
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `A daemon with TLS loads other certificates at SIGHUP, and keeps the last valid ones`() throws {
    let daemon = try daemon(["--log-format", "json"])
    #expect(try curl(daemon, "/healthz", trusting: first).status == "200")
    #expect(try curl(daemon, "/healthz", trusting: second).exitCode == 60)
    try put(second)
    #expect(try curl(daemon, "/healthz", trusting: first).status == "200")
    #expect(try curl(daemon, "/metrics", trusting: first).status == "200")
    let figures = try String(contentsOf: URL(filePath: folder.file("answer")), encoding: .utf8)
    let left = figures.split(separator: "\n").first { $0.hasPrefix("skan_certificate_days_left ") }
    #expect(left.flatMap { Double($0.split(separator: " ")[1]) }.map { $0 > 0 } == true)
    daemon.send(SIGHUP)
    #expect(daemon.waitForLog("tls-files-read") != nil)
    #expect(try curl(daemon, "/healthz", trusting: second).status == "200")
    #expect(try curl(daemon, "/healthz", trusting: first).exitCode == 60)

    try Data(contentsOf: URL(filePath: first.keyFile)).write(to: URL(filePath: key))
    daemon.send(SIGHUP)
    let line = try #require(daemon.waitForLog("tls-files-wrong"))
    #expect(line.contains(#""level":"error""#))
    #expect(line.contains(key))
    #expect(try curl(daemon, "/healthz", trusting: second).status == "200")
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test(arguments: [[], ["-H", "Transfer-Encoding: chunked"], ["-H", "Expect:"]])
  func `A daemon with TLS rejects a body over the limit within the encrypted stream`(arguments: [String])
    throws
  {
    let daemon = try daemon()
    try Data(repeating: 0x20, count: 300_000).write(to: URL(filePath: folder.file("big")))
    let answer = try curl(
      daemon, skanPath, trusting: first, arguments + ["--data-binary", "@\(folder.file("big"))"])
    #expect(answer.status == "413")
    #expect(try curl(daemon, "/healthz", trusting: first).status == "200")
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `A daemon with TLS survives clients without TLS`() throws {
    let daemon = try daemon()
    for text in [
      "GET / HTTP/1.1\r\nHost: t\r\n\r\n", "\u{16}\u{03}\u{01}\u{00}\u{04}\u{01}\u{00}\u{00}\u{00}", "\u{0}",
    ] {
      let client = try daemon.client()
      try client.send(text)
      if text.count > 2 { #expect(try !String(decoding: client.rest(), as: UTF8.self).contains("HTTP")) }
    }
    #expect(try curl(daemon, "/healthz", trusting: first).status == "200")
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `A daemon with TLS does not start with half a pair or a wrong one`() throws {
    func serve(_ arguments: [String]) throws -> ProgramResult {
      try Subprocess.run(
        "skan", ["serve", "-d", folder.file("none.db"), "--listen", "127.0.0.1:0"] + arguments)
    }
    #expect(try serve(["--tls-certificate", certificate]).exitCode == 64)
    #expect(try serve(["--tls-key", key]).exitCode == 64)
    #expect(try serve(["--tls-certificate", folder.file("no"), "--tls-key", key]).exitCode == 74)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    let pipe = try serve(["--tls-certificate", certificate, "--tls-key", folder.file("pipe")])
    #expect(pipe.exitCode == 74 && pipe.errors.contains("a pipe or a device"))
    let mixed = try serve(["--tls-certificate", certificate, "--tls-key", second.keyFile])
    #expect(mixed.exitCode == 65)
    #expect(mixed.errors.contains(second.keyFile))
    #expect(!FileManager.default.fileExists(atPath: folder.file("none.db")))
  }

  @Test func `A daemon with TLS is examined by doctor`() throws {
    let short = try TestCertificate("short", in: folder, days: 13)
    let long = try TestCertificate("long", in: folder, days: 15)
    func doctor(_ pair: TestCertificate, key: String? = nil, port: UInt16 = 0) throws -> ProgramResult {
      try Subprocess.run(
        "skan",
        [
          "doctor", "-d", folder.file("skan.db"), "--listen", "127.0.0.1:\(port)", "--tls-certificate",
          pair.file,
          "--tls-key", key ?? pair.keyFile,
        ])
    }
    #expect(try doctor(long).output.contains("OK    tls: "))
    #expect(try doctor(short).output.contains("WARN  tls: "))
    #expect(try doctor(short).exitCode == 0)
    #expect(try doctor(long, key: short.keyFile).output.contains("FAIL  tls: "))
    #expect(try doctor(long, key: short.keyFile).exitCode == 1)
    let daemon = try daemon()
    #expect(try doctor(long, port: daemon.port).output.contains("OK    port: a running skan answers"))
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }
}
