import Configuration
import HTTPServer
import Intake
import Ledger
import Routing
import Service
import System
import Testing
import TestSupport
import Values
import Verification

/// A server over TLS, and what `skan doctor` finds there at the present time.
private final class Site {
  private let folder: TemporaryFolder
  let certificate: TestCertificate
  let identity: TLSIdentity

  init(days: Int = 30) throws {
    let folder = try TemporaryFolder()
    certificate = try TestCertificate("own", in: folder, days: days)
    identity = try TLSIdentity(
      certificateFile: certificate.file, keyFile: certificate.keyFile, now: systemClock())
    self.folder = folder
  }

  var database: String { folder.file("skan.db") }

  var options: ServerOptions {
    var options = ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))
    options.identity = identity
    return options
  }

  /// A server that answers every path so.
  func server(_ answer: @escaping @Sendable (_ path: String) -> Response) throws -> Server {
    try Server(options) { request, reply in reply.send(answer(request.path)) }
  }

  func doctor(_ address: HostPort, trusting: Bool = true, _ words: String...) -> Outcome {
    outcome(
      of: ["doctor", "--domain", "\(address)"] + (trusting ? ["--ca-file", certificate.file] : []) + words,
      at: systemClock())
  }
}

/// skan's answer to a probe.
private func probed() -> Response {
  Response(status: 400, headers: [.init("Content-Type", "application/problem+json")], body: Array("{}".utf8))
}

struct `The check of a domain by doctor` {
  @Test func `The check of a domain by doctor passes at a running service and leaves no trace there`() throws
  {
    let site = try Site()
    let ledger = try PostbackLedger(path: site.database)
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    var context = ServiceContext(database: site.database)
    context.identity = site.identity
    let service = try PostbackService(
      configuration, context,
      intake: PostbackIntake(keyring: try Keyring(), ledger: ledger), ledger: ledger, resources: [])
    defer {
      service.stop(withinSeconds: 10)
      ledger.close()
    }
    let outcome = site.doctor(service.address)
    #expect(outcome.code == .done)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.hasPrefix("OK ") })
    #expect(outcome.output.contains("is reached at 127.0.0.1"))
    #expect(outcome.output.contains("certificate is trusted, comes with no other one, and has 29 days left"))
    for path in ["skadnetwork", "appattribution"] {
      #expect(outcome.output.contains("/.well-known/\(path)/report-attribution/' answers as skan does"))
    }
    let reader = try LedgerReader(path: site.database)
    #expect(try reader.rejections(from: nil, to: nil).isEmpty)
    // Another body that is no postback leaves one.
    let client = try Subprocess.run(
      "/usr/bin/env",
      [
        "curl", "-s", "--cacert", site.certificate.file, "-d", "{}",
        "https://\(service.address)/.well-known/skadnetwork/report-attribution/",
      ])
    #expect(client.exitCode == 0)
    #expect(try reader.rejections(from: nil, to: nil).count == 1)
  }

  @Test func `The check of a domain by doctor fails for a redirect, also of one form of the path only`()
    throws
  {
    let site = try Site()
    let server = try site.server { path in
      path.hasSuffix("/")
        ? probed() : Response(status: 301, headers: [.init("Location", path + "/")], body: [])
    }
    let outcome = site.doctor(server.address)
    #expect(outcome.code == .failedCheck)
    #expect(
      outcome.output.contains(
        "FAIL  skadnetwork: 'https://\(server.address)/.well-known/skadnetwork/report-attribution' answers 301, a "
          + "redirect to 'https://\(server.address)/.well-known/skadnetwork/report-attribution/'"))
  }

  @Test(arguments: [
    (200, "another program than skan answers"), (404, "something in front of skan rejects"),
    (403, "something in front of skan rejects"), (429, "too many requests"), (502, "answers 502"),
  ])
  func `The check of a domain by doctor fails for an answer that is not skan's`(
    status: Int, words: String
  ) throws {
    let site = try Site()
    let server = try site.server { _ in Response(status: status, body: Array("<html>".utf8)) }
    let outcome = site.doctor(server.address)
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.contains("FAIL  skadnetwork: "))
    #expect(outcome.output.contains(words))
  }

  @Test func `The check of a domain by doctor fails for a certificate that devices do not trust`() throws {
    let site = try Site()
    let server = try site.server { _ in probed() }
    let outcome = site.doctor(server.address, trusting: false)
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.hasPrefix("FAIL  tls: "))
    #expect(
      outcome.output.contains("self-signed certificate") || outcome.output.contains("self signed certificate")
    )
    #expect(outcome.output.contains("full chain"))
    // The certificate is for 127.0.0.1 alone.
    let other = site.doctor(HostPort(host: "localhost", port: server.address.port))
    #expect(other.output.hasPrefix("FAIL  tls: "))
  }

  @Test func `The check of a domain by doctor warns of a certificate that ends soon`() throws {
    let site = try Site(days: 10)
    let server = try site.server { _ in probed() }
    let outcome = site.doctor(server.address)
    #expect(outcome.code == .done)
    #expect(outcome.output.contains("WARN  tls: "))
    #expect(outcome.output.contains("9 days left"))
  }

  @Test func `The check of a domain by doctor names a server that is not there, once`() throws {
    let outcome = skan("doctor", "--domain", "127.0.0.1:1")
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.hasPrefix("FAIL  domain: "))
    #expect(outcome.output.split(separator: "\n").count == 2)
    #expect(skan("doctor", "--domain", "host.invalid").output.contains("Check the host's name"))
  }

  @Test(arguments: ["https://shop.example", "shop.example/path", "shop example", "shop.example:port"])
  func `The check of a domain by doctor rejects what is no host`(text: String) {
    let outcome = skan("doctor", "--domain", text)
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("is not HOST or HOST:PORT"))
  }
}
