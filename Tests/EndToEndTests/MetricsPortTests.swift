import Foundation
import TestSupport
import Testing

final class `The metrics of a daemon` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func daemon(_ arguments: [String]) throws -> Daemon {
    try Daemon(folder.file("skan.db"), arguments)
  }

  private func statuses(_ client: () throws -> HTTPClient) throws -> [Int] {
    try ["/metrics", "/readyz", "/healthz"].map { try client().request("GET", $0).status }
  }

  @Test func `The metrics of a daemon are on the port of devices by default`() throws {
    let daemon = try daemon([])
    #expect(try statuses(daemon.client) == [200, 200, 200])
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `The metrics of a daemon are on an address of their own, which serves nothing else`() throws {
    let daemon = try daemon(["--metrics", "127.0.0.1:0"])
    let line = try #require(daemon.waitForLog("metrics-listening"))
    let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
    #expect(try statuses(daemon.client) == [404, 404, 200])
    #expect(try statuses { try HTTPClient(port: port) } == [200, 200, 200])
    #expect(try HTTPClient(port: port).request("GET", "/v1/mappings").status == 404)
    #expect(try HTTPClient(port: port).request("POST", skanPath, body: Array("{}".utf8)).status == 404)
    #expect(try HTTPClient(port: port).request("POST", "/metrics").status == 405)
    let text = String(
      decoding: try HTTPClient(port: port).request("GET", "/metrics").body, as: UTF8.self)
    #expect(text.contains("skan_build_info"))
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `The metrics of a daemon can be disabled`() throws {
    let daemon = try daemon(["--metrics", "none"])
    #expect(try statuses(daemon.client) == [404, 404, 200])
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `The metrics of a daemon get a warning if every client can reach them`() throws {
    let open = try Subprocess(
      "skan", ["serve", "-d", folder.file("open.db"), "--listen", "*:0"])
    #expect(open.waitForErrorLine(containing: "metrics-exposed") != nil)
    open.send(SIGTERM)
    #expect(open.finish().exitCode == 0)
    let closed = try Subprocess(
      "skan", ["serve", "-d", folder.file("closed.db"), "--listen", "*:0", "--metrics", "none"])
    _ = closed.waitForLine(containing: "listening on")
    closed.send(SIGTERM)
    #expect(!closed.finish().errors.contains("metrics-exposed"))
  }
}
