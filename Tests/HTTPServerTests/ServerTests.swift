import Foundation
import HTTPServer
import System
import TestSupport
import Testing

@Suite struct `A server` {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("*", "127.0.0.1"), ("*", "::1"),
    ("::1", "::1"), ("0.0.0.0", "127.0.0.1"),
  ])
  func `A server listens on any of these addresses`(host: String, from: String) throws {
    let server = try TestServer(
      host: host,
      handler: { request, reply in
        let isThat = request.client == IPAddress(from)
        reply.send(Response(status: 200, contentType: "text/plain", text: isThat ? from : "another"))
      })
    #expect(server.port != 0)
    #expect(
      try HTTPClient(port: server.port, host: from, keeping: server.server).request("GET", "/").text == from)
  }

  @Test func `A server reports that the port is in use`() throws {
    let first = try TestServer()
    let error = #expect(throws: ListenError.self) {
      _ = try Server(ServerOptions(address: first.server.address), handler: echo)
    }
    #expect(error?.code == .addressInUse)
    #expect(error?.description == "cannot listen on \(first.server.address): Address already in use")
    #expect(error?.remedy?.contains("another port") == true)
  }

  @Test(arguments: ["192.0.2.1", "no-such-host.invalid"])
  func `A server reports that the host is not this machine`(host: String) {
    let error = #expect(throws: ListenError.self) { _ = try TestServer(host: host) }
    #expect(error?.code == .unknownHost)
  }

  @Test func `A server finishes its current answers before it stops`() throws {
    let waiting = Waiting()
    let server = try TestServer(handler: { _, reply in waiting.hold(reply) })
    let clients = try (0..<5).map { _ in try server.client() }
    for client in clients { try client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n") }
    waiting.wait(for: 5)
    let isComplete = Guarded(false)
    let stopper = try Worker {
      let result = server.server.stop(withinSeconds: 10)
      isComplete.withLock { $0 = result }
    }
    // Once new connections are closed unanswered, it is stopping; then the waiting ones are answered.
    server.waitForStopping()
    waiting.finish { $0.send(Response(status: 200)) }
    for client in clients {
      let answer = try client.answer()
      #expect(answer.status == 200)
      #expect(answer.header("connection")?.lowercased() == "close")
      #expect(try client.isClosed())
    }
    stopper.join()
    #expect(isComplete.withLock { $0 })
  }

  @Test func `A server waits for a body that is on its way when it stops`() throws {
    let server = try TestServer()
    let client = try server.client()
    try client.send("POST /late HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nab")
    while server.server.counters.openRequests == 0 { usleep(1000) }
    let stopper = try Worker { server.server.stop(withinSeconds: 10) }
    server.waitForStopping()
    try client.send("cd")
    #expect(try client.answer().text == "POST /late abcd")
    stopper.join()
  }

  @Test func `A server gives up on a reply that never comes`() throws {
    let waiting = Waiting()
    let server = try TestServer(handler: { _, reply in waiting.hold(reply) })
    let client = try server.client()
    try client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
    waiting.wait(for: 1)
    #expect(!server.server.stop(withinSeconds: 0.05))
    // The reply is still good: its memory is kept.
    waiting.finish { $0.send(Response(status: 200)) }
    #expect(try client.answer().status == 200)
  }

  @Test func `A server rejects what arrives too late for its handler`() throws {
    let waiting = Waiting()
    let server = try TestServer(handler: { _, reply in waiting.hold(reply) })
    let late = try server.client()
    try late.send("POST /late HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nab")
    let client = try server.client()
    try client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
    waiting.wait(for: 1)
    while server.server.counters.openRequests < 2 { usleep(1000) }
    #expect(!server.server.stop(withinSeconds: 0.05))
    try late.send("cd")
    let answer = try late.answer()
    #expect(answer.status == 503)
    #expect(answer.text == #"{"status":503,"path":"/late"}"#)
    #expect(answer.header("connection")?.lowercased() == "close")
    #expect(try late.isClosed())
    #expect(try server.client().isClosed())
    waiting.finish { $0.send(Response(status: 200)) }
    #expect(try client.answer().status == 200)
  }

  @Test func `A server stops twice without harm and closes idle connections`() throws {
    let server = try TestServer()
    let client = try server.client()
    #expect(try client.request("GET", "/").status == 200)
    #expect(server.server.stop(withinSeconds: 1))
    #expect(server.server.stop(withinSeconds: 1))
    #expect(try client.isClosed())
    #expect(server.server.counters.openConnections == 0)
  }

  @Test func `A server makes connections beyond its limit wait`() throws {
    let server = try TestServer(change: { options in
      options.threads = 1
      options.connections = 2
    })
    var kept = try (0..<2).map { _ in try server.client() }
    for client in kept { #expect(try client.request("GET", "/").status == 200) }
    let third = try server.client()
    try third.send("GET /third HTTP/1.1\r\nHost: t\r\n\r\n")
    #expect(try kept[0].request("GET", "/").status == 200)
    kept.removeLast()
    #expect(try third.answer().text == "GET /third ")
  }
}
