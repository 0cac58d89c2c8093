import Foundation
import HTTPServer
import System
import TestSupport
import Testing
import Values

final class `An identity for TLS` {
  private let folder: TemporaryFolder
  private let certificate: TestCertificate

  init() throws {
    let folder = try TemporaryFolder()
    certificate = try TestCertificate("one", in: folder, days: 30)
    self.folder = folder
  }

  private func code(_ certificateFile: String, _ keyFile: String, at now: Instant = systemClock())
    -> TLSError?
  {
    do throws(TLSError) {
      _ = try TLSIdentity(certificateFile: certificateFile, keyFile: keyFile, now: now)
      return nil
    } catch {
      return error
    }
  }

  @Test func `An identity for TLS is read from a pair of files`() throws {
    let now = systemClock()
    let identity = try TLSIdentity(certificateFile: certificate.file, keyFile: certificate.keyFile, now: now)
    let days = (identity.validUntil.milliseconds - now.milliseconds) / Day.milliseconds
    #expect((29...30).contains(days))
  }

  @Test func `An identity for TLS is rejected before and after its time`() throws {
    let now = systemClock()
    let (file, key) = (certificate.file, certificate.keyFile)
    #expect(code(file, key, at: now + -Day.milliseconds)?.code == .notYetValid)
    let until = try TLSIdentity(certificateFile: file, keyFile: key, now: now).validUntil
    #expect(code(file, key, at: until) == nil)
    let late = try #require(code(file, key, at: until + 1))
    #expect(late.code == .expired)
    #expect(late.path == file)
  }

  @Test func `An identity for TLS names the file that is wrong`() throws {
    let other = try TestCertificate("two", in: folder)
    let text = try folder.write("this is no PEM file", to: "text")
    let empty = try folder.write("", to: "empty")
    let none = folder.file("none")
    let (file, key) = (certificate.file, certificate.keyFile)
    let cases: [(String, String, TLSError.Code, String)] = [
      (none, key, .unreadable, none), (file, none, .unreadable, none),
      (folder.path, key, .unreadable, folder.path),
      (text, key, .notACertificate, text), (empty, key, .notACertificate, empty),
      (key, key, .notACertificate, key),
      (file, text, .notAKey, text), (file, empty, .notAKey, empty), (file, file, .notAKey, file),
      (file, other.keyFile, .keyMismatch, other.keyFile),
    ]
    for (certificateFile, keyFile, expected, wrong) in cases {
      let error = try #require(code(certificateFile, keyFile))
      #expect(error.code == expected, "\(error)")
      #expect(error.path == wrong, "\(error)")
      #expect(error.remedy?.isEmpty == false && error.description.contains(wrong))
    }
  }

  @Test(arguments: ["", "\u{16}\u{03}\u{01}"])
  func `A slow TLS handshake gets no more time than a head`(start: String) throws {
    let identity = try TLSIdentity(
      certificateFile: certificate.file, keyFile: certificate.keyFile, now: systemClock())
    let server = try TestServer(change: { options in
      options.identity = identity
      options.headSeconds = 1
    })
    let client = try server.client()
    try client.send(start)
    let begin = Date.now
    while Date.now.timeIntervalSince(begin) < 10, (try? client.send("\u{02}")) != nil { usleep(50_000) }
    #expect(Date.now.timeIntervalSince(begin) < 9)
  }

  @Test(arguments: [0, 1, 16_384, 16_385, 2_500_000])
  func `A TLS connection carries bodies of any length both ways`(length: Int) throws {
    let identity = try TLSIdentity(
      certificateFile: certificate.file, keyFile: certificate.keyFile, now: systemClock())
    let server = try TestServer(change: { options in
      options.identity = identity
      options.admission = { _ in .admitted(limit: 3_000_000) }
    })
    var random = SplitMix64(seed: 7)
    let body = random.bytes(length)
    try Data(body).write(to: URL(filePath: folder.file("body")))
    let result = try Subprocess.run(
      "/usr/bin/env",
      [
        "curl", "-q", "-sS", "--max-time", "20", "--cacert", certificate.file, "-o", folder.file("answer"),
        "--data-binary", "@\(folder.file("body"))", "https://127.0.0.1:\(server.port)/big",
      ])
    #expect(result.exitCode == 0, "\(result.errors)")
    let answer = try [UInt8](Data(contentsOf: URL(filePath: folder.file("answer"))))
    #expect(answer == Array("POST /big ".utf8) + body)
  }

  @Test func `A TLS connection carries the rejection of a body that stalls`() throws {
    let identity = try TLSIdentity(
      certificateFile: certificate.file, keyFile: certificate.keyFile, now: systemClock())
    let server = try TestServer(change: { options in
      options.identity = identity
      options.bodySeconds = 1
    })
    let client = try Subprocess(
      "/usr/bin/env",
      ["openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(server.port)", "-CAfile", certificate.file])
    client.write(Array("POST /slow HTTP/1.1\r\nHost: t\r\nContent-Length: 1000\r\n\r\nx".utf8))
    // The end of its input does not end the client, only that of the connection does.
    let answer = client.finish().output
    #expect(answer.hasPrefix("HTTP/1.1 408"))
    #expect(answer.hasSuffix(#"{"status":408,"path":"/slow"}"#))
    #expect(server.server.counters.rejectedRequests == 1)
  }

  @Test func `A TLS server is found by a probe over TLS, and a server without TLS is not`() throws {
    let identity = try TLSIdentity(
      certificateFile: certificate.file, keyFile: certificate.keyFile, now: systemClock())
    let secure = try TestServer(change: { $0.identity = identity })
    #expect(HTTPProbe.get("/a", at: secure.server.address, overTLS: true) == "GET /a ")
    #expect(HTTPProbe.get("/a", at: secure.server.address) == nil)
    let plain = try TestServer()
    #expect(HTTPProbe.get("/a", at: plain.server.address) == "GET /a ")
    #expect(HTTPProbe.get("/a", at: plain.server.address, overTLS: true) == nil)
  }
}
