import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite struct `A limit of the server` {
  @Test func `A limit of bytes of a target is answered 414 beyond it`() throws {
    let server = try TestServer(change: { $0.targetBytes = 100 })
    func status(_ bytes: Int) throws -> Int {
      try server.client().request("GET", "/" + String(repeating: "a", count: bytes - 1)).status
    }
    #expect(try [status(100), status(101), status(9000)] == [200, 414, 414])
  }

  @Test(arguments: [1, 3])
  func `A limit of connections for each address closes those beyond it`(limit: Int) throws {
    let server = try TestServer(
      host: "*",
      change: { options in
        options.connectionsPerAddress = limit
        options.threads = 2
      })
    var kept = try (0..<limit).map { _ in try server.client() }
    for client in kept { #expect(try client.request("GET", "/").status == 200) }
    #expect(try server.client().isClosed())
    #expect(try HTTPClient(port: server.port, host: "::1").request("GET", "/").status == 200)
    // A place is free again when one of them goes, as soon as the server has seen it.
    kept.removeLast()
    let isAnswered = (0..<100).contains { _ in
      usleep(10_000)
      return (try? server.client().request("GET", "/").status) == 200
    }
    #expect(isAnswered)
  }

  @Test func `A limit of connections for each address is off at 0`() throws {
    let server = try TestServer(change: { $0.connectionsPerAddress = 0 })
    let clients = try (0..<300).map { _ in try server.client() }
    for client in clients { #expect(try client.request("GET", "/").status == 200) }
  }

  @Test func `A limit of all connections keeps an eighth for subscribers that have none open`() throws {
    let server = try TestServer(
      host: "*",
      change: { options in
        (options.connections, options.connectionsPerAddress, options.threads) = (32, 20, 1)
      })
    var kept: [HTTPClient] = []
    func isServed(from source: String) throws -> Bool {
      let client = try server.client(from: source)
      guard (try? client.request("GET", "/").status) == 200 else { return false }
      kept.append(client)
      return true
    }
    for _ in 0..<20 { #expect(try isServed(from: "127.0.0.2")) }
    #expect(try !isServed(from: "127.0.0.2"))
    for _ in 0..<8 { #expect(try isServed(from: "127.0.0.3")) }
    // 28 of 32 are open: a client with one gets no more of them, a client without gets one.
    #expect(try !isServed(from: "127.0.0.3"))
    for number in 4..<8 { #expect(try isServed(from: "127.0.0.\(number)")) }
    #expect(kept.count == 32)
  }

  @Test func `A limit of all connections keeps an eighth for the addresses of those who hold a token`() throws
  {
    let server = try TestServer(
      host: "*",
      change: { options in
        (options.connections, options.connectionsPerAddress, options.threads) = (32, 24, 1)
        options.keepsConnectionsForHolders = true
        options.sender = { request in
          request.header("Name").map { .holder($0) } ?? .stranger(request.client.subscriber)
        }
      },
      handler: { request, reply in
        _ = request.sender
        echo(request, reply)
      })
    var kept: [HTTPClient] = []
    func isServed(from source: String) throws -> Bool {
      let client = try server.client(from: source)
      guard (try? client.request("GET", "/").status) == 200 else { return false }
      kept.append(client)
      return true
    }
    do {
      let holder = try server.client(from: "127.0.0.9")
      #expect(try holder.request("GET", "/", headers: [("Name", "ben")]).status == 200)
    }
    let isClosed = (0..<500).contains { _ in
      usleep(10_000)
      return server.server.counters.openConnections == 0
    }
    #expect(isClosed)
    for _ in 0..<24 { #expect(try isServed(from: "127.0.0.2")) }
    for number in 3..<7 { #expect(try isServed(from: "127.0.0.\(number)")) }
    #expect(try !isServed(from: "127.0.0.7"))
    for _ in 0..<4 { #expect(try isServed(from: "127.0.0.9")) }
    #expect(kept.count == 32)
  }

  @Test func `A time limit for heads and bodies shrinks while few connections are free`() throws {
    let server = try TestServer(
      change: { options in
        (options.connections, options.connectionsPerAddress, options.threads) = (16, 0, 1)
        (options.headSeconds, options.bodySeconds, options.idleSeconds) = (600, 600, 600)
      })
    let slow = try (0..<16).map { number in
      let client = try server.client()
      try client.send(
        "POST / HTTP/1.1\r\n" + (number % 2 == 0 ? "" : "Host: t\r\nContent-Length: 9\r\n\r\n1"))
      return client
    }
    // The next one waits for a place, and not for ten minutes.
    #expect(try server.client().request("GET", "/").status == 200)
    _ = slow
  }

  @Test(arguments: ["", "GET /first HTTP/1.1\r\nHost: t\r\n\r\n"])
  func `A time limit for a head ends a client that sends slowly`(start: String) throws {
    let server = try TestServer(change: { $0.headSeconds = 1 })
    let client = try server.client()
    try client.send(start)
    if !start.isEmpty { #expect(try client.answer().status == 200) }
    let begin = Date.now
    var isOpen = true
    while isOpen, Date.now.timeIntervalSince(begin) < 10 {
      isOpen = (try? client.send("X")) != nil
      usleep(50_000)
    }
    #expect(!isOpen)
    #expect(Date.now.timeIntervalSince(begin) > 0.9)
    #expect(server.server.counters.handledRequests == (start.isEmpty ? 0 : 1))
  }

  @Test func `A time limit for a head does not affect bodies, handlers and quick clients`() throws {
    let waiting = Waiting()
    let server = try TestServer(
      change: { $0.headSeconds = 1 },
      handler: { request, reply in request.path == "/wait" ? waiting.hold(reply) : echo(request, reply) })
    let (slowBody, slowHandler, quick) = try (server.client(), server.client(), server.client())
    try slowBody.send("POST /slow HTTP/1.1\r\nHost: t\r\nContent-Length: 30\r\n\r\n")
    try slowHandler.send("GET /wait HTTP/1.1\r\nHost: t\r\n\r\n")
    for _ in 0..<30 {
      try slowBody.send("x")
      #expect(try quick.request("GET", "/").status == 200)
      usleep(100_000)
    }
    #expect(try slowBody.answer().status == 200)
    waiting.finish { $0.send(Response(status: 200)) }
    #expect(try slowHandler.answer().status == 200)
  }

  @Test func `A time limit for a head is off at 0`() throws {
    let client = try TestServer(change: { $0.headSeconds = 0 }).client()
    for letter in "GET / HTTP/1.1\r\nHost: t\r\n" {
      try client.send(String(letter))
      usleep(100_000)
    }
    try client.send("\r\n")
    #expect(try client.answer().status == 200)
  }
}
