import Foundation
import HTTPServer
import System
import TestSupport
import Testing

@Suite struct `A reply` {
  @Test func `A reply can be sent from any other thread`() throws {
    let waiting = Waiting()
    let server = try TestServer(handler: { _, reply in waiting.hold(reply) })
    let client = try server.client()
    for _ in 0..<50 {
      try client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
      waiting.wait(for: 1)
      try Worker { waiting.finish { $0.send(Response(status: 202)) } }.join()
      #expect(try client.answer().status == 202)
    }
  }

  @Test func `A reply that is dropped sends 500`() throws {
    let server = try TestServer(handler: { _, _ in })
    let client = try server.client()
    #expect(try client.request("GET", "/").status == 500)
    #expect(try client.request("GET", "/").status == 500)
  }

  @Test func `A reply that is dropped on another thread sends 500`() throws {
    let waiting = Waiting()
    let server = try TestServer(handler: { _, reply in waiting.hold(reply) })
    let client = try server.client()
    try client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
    waiting.wait(for: 1)
    waiting.finish { _ in }
    #expect(try client.answer().status == 500)
  }

  @Test func `A reply to a client that disconnected is harmless`() throws {
    let waiting = Waiting()
    let server = try TestServer(handler: { _, reply in waiting.hold(reply) })
    for _ in 0..<20 {
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
    }
    waiting.wait(for: 20)
    waiting.finish { $0.send(Response(status: 200)) }
    let client = try server.client()
    try client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
    waiting.wait(for: 1)
    waiting.finish { $0.send(Response(status: 200)) }
    #expect(try client.answer().status == 200)
    #expect(server.server.stop(withinSeconds: 10))
  }

  @Test func `A reply reaches each of a hundred clients at once`() async throws {
    let waiting = Waiting()
    let prepared = PreparedResponse(Response(status: 200))
    let server = try TestServer(handler: { request, reply in
      // Half of them are answered on the spot, to mix both ways.
      if request.body.first.map({ $0 % 2 == 0 }) == true { reply.send(prepared) } else { waiting.hold(reply) }
    })
    let isDone = Guarded(false)
    let answerer = try Worker {
      while !isDone.withLock({ $0 }) {
        waiting.finish { $0.send(Response(status: 200)) }
        usleep(500)
      }
    }
    let failures = Guarded(0)
    let workers = try (0..<100).map { index in
      try Worker {
        do {
          let client = try HTTPClient(port: server.port)
          for round in 0..<20 {
            let answer = try client.request("POST", "/", body: [UInt8(index), UInt8(round)])
            if answer.status != 200 { failures.withLock { $0 += 1 } }
          }
        } catch {
          failures.withLock { $0 += 1 }
        }
      }
    }
    for worker in workers { worker.join() }
    isDone.withLock { $0 = true }
    answerer.join()
    #expect(failures.withLock { $0 } == 0)
    #expect(server.server.counters.handledRequests == 2000)
    #expect(server.server.stop(withinSeconds: 10))
  }
}
