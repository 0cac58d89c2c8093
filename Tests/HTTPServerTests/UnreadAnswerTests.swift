import Glibc
import System
import TestSupport
import Testing

@testable import HTTPServer

/// More than the buffers of two sockets take.
private let large = [UInt8](repeating: 0x61, count: 24 << 20)

@Suite struct `An unread answer` {
  private func server() throws -> TestServer {
    try TestServer(change: { options in
      options.answerBytes = 80 << 20
      options.sender = { .holder("\($0.client)") }
      options.admission = { _ in .admitted(limit: 100_000) }
    }) { request, reply in reply.send(Response(status: 200, body: request.path == "/large" ? large : [])) }
  }

  private func waitUntil(_ isReached: () -> Bool) throws {
    let isThere = (0..<2000).contains { _ in
      if isReached() { return true }
      usleep(5000)
      return false
    }
    try #require(isThere)
  }

  private func ask(_ server: TestServer, from source: String) throws -> HTTPClient {
    let client = try server.client(from: source)
    try client.send("GET /large HTTP/1.1\r\nHost: t\r\n\r\n")
    return client
  }

  @Test func `An unread answer takes the share of its client, and leaves others theirs`() throws {
    let server = try server()
    var unread = [try ask(server, from: "127.0.0.2")]
    try waitUntil { server.server.heldAnswerBytes == large.count }
    #expect(try ask(server, from: "127.0.0.2").answer().status == 429)
    // Without a large answer or body nothing is turned away, and what has no body takes no room.
    #expect(try server.client(from: "127.0.0.2").request("GET", "/small").status == 200)
    #expect(try server.client(from: "127.0.0.2").request("HEAD", "/large").status == 200)
    let post = try server.client(from: "127.0.0.2").request("POST", "/small", body: Array(large.prefix(9000)))
    #expect(post.status == 200)
    #expect(try ask(server, from: "127.0.0.3").answer().body == large)
    unread.append(try ask(server, from: "127.0.0.4"))
    try waitUntil { server.server.heldAnswerBytes == 2 * large.count }
    // Where no room is left, the oldest of these two is ended.
    #expect(try ask(server, from: "127.0.0.5").answer().body == large)
    try waitUntil { server.server.counters.openConnections == 1 }
    #expect(server.server.heldAnswerBytes == large.count)
    unread = []
    try waitUntil { server.server.heldAnswerBytes == 0 }
    #expect(try ask(server, from: "127.0.0.2").answer().body.count == large.count)
  }

  @Test func `An answer is counted once, also where the server answers by itself instead`() throws {
    let counted = Guarded([Int]())
    let server = try TestServer(change: { options in
      options.answerBytes = 40 << 20
      options.sender = { .holder("\($0.client)") }
      options.rejection = { rejection, _ in
        counted.withLock { $0.append(rejection.status) }
        return Response(status: rejection.status)
      }
    }) { request, reply in
      reply.send(Response(status: 200, body: request.path == "/large" ? large : [])) {
        counted.withLock { $0.append(200) }
      }
    }
    let unread = try ask(server, from: "127.0.0.2")
    try waitUntil { server.server.heldAnswerBytes == large.count }
    #expect(try ask(server, from: "127.0.0.2").answer().status == 429)
    #expect(try ask(server, from: "127.0.0.3").answer().status == 200)
    #expect(try server.client(from: "127.0.0.3").request("GET", "/small").status == 200)
    #expect(counted.withLock { $0 } == [200, 429, 200, 200])
    _ = unread
  }

  @Test func `An unread answer keeps its client from sending large bodies`() throws {
    let server = try TestServer(change: { options in
      options.answerBytes = 40 << 20
      options.sender = { .holder("\($0.client)") }
      options.admission = { _ in .admitted(limit: 100_000) }
    }) { request, reply in reply.send(Response(status: 200, body: request.path == "/large" ? large : [])) }
    let unread = try ask(server, from: "127.0.0.2")
    try waitUntil { server.server.heldAnswerBytes == large.count }
    let body = Array(large.prefix(9000))
    func status(_ source: String, _ bytes: Int) throws -> Int {
      try server.client(from: source).request("POST", "/", body: Array(body.prefix(bytes))).status
    }
    #expect(try status("127.0.0.2", 9000) == 429)
    #expect(try status("127.0.0.2", 900) == 200)
    #expect(try status("127.0.0.3", 9000) == 200)
    _ = unread
  }

  @Test func `An unread answer has half a minute, and a second more for each 32 KiB`() {
    let open = OpenConnection(-1, of: .unspecified, isProxy: true, identity: nil)
    #expect(!open.isReadingLate(at: .max - 1))
    open.awaitReading(of: 320 << 10, from: 1000)
    #expect(!open.isReadingLate(at: 1040))
    #expect(open.isReadingLate(at: 1041))
    open.awaitHead()
    #expect(!open.isReadingLate(at: 1041))
  }

  @Test(arguments: [65_535, 65_536, 65_537, 131_072, 1_000_003])
  func `An answer of any length is read whole, and the connection goes on`(length: Int) throws {
    let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = try TestServer(handler: { _, reply in reply.send(Response(status: 200, body: body)) })
    let client = try server.client()
    for _ in 0..<2 { #expect(try client.request("GET", "/").body == body) }
    #expect(try client.request("HEAD", "/").header("content-length") == "\(length)")
    #expect(try client.request("GET", "/").body == body)
  }
}
