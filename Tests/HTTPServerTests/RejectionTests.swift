import Foundation
import System
import TestSupport
import Testing

@testable import HTTPServer

/// Waits for what the server's threads are about to do.
private func waitUntil(_ isReached: () -> Bool) throws {
  let isThere = (0..<2000).contains { _ in
    if isReached() { return true }
    usleep(5000)
    return false
  }
  try #require(isThere)
}

@Suite struct `A rejection by the server` {
  private func server(bodySeconds: Int = 30, idleSeconds: Int = 30) throws -> TestServer {
    try TestServer(change: { options in
      options.admission = { request in
        .admitted(limit: request.method == .post && request.path == "/small" ? 10 : 100_000)
      }
      options.bodySeconds = bodySeconds
      options.idleSeconds = idleSeconds
    })
  }

  @Test(arguments: [(0, 200), (9, 200), (10, 200), (11, 413), (100_000, 413), (5_000_000, 413)])
  func `A body of a declared length is rejected by the limit of its path`(length: Int, status: Int) throws {
    let answer = try server().client().request(
      "POST", "/small", body: [UInt8](repeating: 0x61, count: length))
    #expect(answer.status == status)
    if status == 413 {
      #expect(answer.text == #"{"status":413,"path":"/small"}"#)
      #expect(answer.header("connection") == "close")
      #expect(answer.header("content-type") == "application/problem+json")
    }
  }

  @Test func `A body of a declared length is rejected before it is sent`() throws {
    let client = try server().client()
    try client.send("POST /small HTTP/1.1\r\nHost: t\r\nContent-Length: 11\r\n\r\n")
    #expect(try client.answer().status == 413)
    #expect(try client.isClosed())
  }

  @Test func `A declared length beyond 64 bits is answered 413 too`() throws {
    let client = try server().client()
    try client.send("POST /small HTTP/1.1\r\nHost: t\r\nContent-Length: 18446744073709551000\r\n\r\n")
    #expect(try client.answer().status == 413)
  }

  @Test func `A client that expects 100 Continue gets the rejection instead`() throws {
    let client = try server().client()
    try client.send("POST /small HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n")
    #expect(try client.answer().status == 413)
    #expect(try client.isClosed())
  }

  @Test(arguments: [(1, 200), (2, 200), (3, 413), (2000, 413)])
  func `A chunked body is rejected when the limit is passed`(chunks: Int, status: Int) throws {
    let client = try server().client()
    try client.send("POST /small HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<chunks { try? client.send("5\r\nabcde\r\n") }
    try? client.send("0\r\n\r\n")
    #expect(try client.answer().status == status)
  }

  @Test func `An unknown transfer coding is answered 501`() throws {
    let client = try server().client()
    try client.send("POST /small HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip\r\n\r\nxxx")
    #expect(try client.answer().status == 501)
  }

  @Test func `A body that arrives slowly is answered 408`() throws {
    let server = try server(bodySeconds: 1)
    let client = try server.client()
    try client.send("POST /slow HTTP/1.1\r\nHost: t\r\nContent-Length: 1000\r\n\r\n")
    for _ in 0..<40 {
      guard (try? client.send("x")) != nil else { break }
      usleep(50_000)
    }
    let answer = try client.answer()
    #expect(answer.status == 408)
    #expect(answer.text == #"{"status":408,"path":"/slow"}"#)
    #expect(try client.isClosed())
  }

  @Test(arguments: ["", "x"])
  func `A body that stalls is answered 408`(start: String) throws {
    let server = try server(bodySeconds: 1)
    let client = try server.client()
    try client.send("POST /slow HTTP/1.1\r\nHost: t\r\nContent-Length: 1000\r\n\r\n" + start)
    let answer = try client.answer()
    #expect(answer.status == 408)
    #expect(answer.text == #"{"status":408,"path":"/slow"}"#)
    #expect(try client.isClosed())
    #expect(server.server.counters.rejectedRequests == 1)
  }

  @Test func `A silent connection is closed without an answer`() throws {
    let client = try server(idleSeconds: 1).client()
    #expect(try client.request("GET", "/").status == 200)
    #expect(try client.rest().isEmpty)
  }

  @Test func `A rejection by the server leaves the longer timeout to the next request of the connection`()
    throws
  {
    let client = try server(bodySeconds: 1, idleSeconds: 30).client()
    #expect(try client.request("POST", "/", body: [1, 2]).status == 200)
    usleep(2_500_000)
    #expect(try client.request("POST", "/", body: [1, 2]).status == 200)
  }

  @Test(arguments: [(10, true), (60_000, true), (70_000, false), (8_000_000, false)])
  func `A request that the head decides is answered without its body`(length: Int, keeps: Bool) throws {
    let server = try TestServer(
      change: { $0.admission = { _ in .answered(Response(status: 401)) } },
      handler: { request, reply in reply.send(Response(status: request.method == .get ? 200 : 500)) })
    let client = try server.client()
    try client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: \(length)\r\n\r\n")
    // A short body is awaited, so that the connection can go on; a long one is not.
    if keeps { try client.send(String(repeating: "x", count: length)) }
    #expect(try client.answer().status == 401)
    if keeps {
      #expect(try client.request("GET", "/").status == 200)
    } else {
      #expect(try client.isClosed())
    }
  }

  @Test
  func
    `A request that the head decides is answered so where its short body stalls, and nothing else is counted`()
    throws
  {
    let server = try TestServer(change: { options in
      options.admission = { _ in .answered(Response(status: 401)) }
      options.bodySeconds = 1
    })
    let client = try server.client()
    try client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nx")
    #expect(try client.answer().status == 401)
    #expect(try client.isClosed())
    #expect(server.server.counters.rejectedRequests == 0)
  }

  @Test(arguments: [true, false])
  func `A sender's large bodies beyond its share are answered 429, and small ones go on`(inChunks: Bool)
    throws
  {
    let server = try TestServer(change: { options in
      options.admission = { _ in .admitted(limit: 30_000) }
      options.bodyBytes = 8 * 45_000
    })
    func unfinished() throws -> HTTPClient {
      let client = try server.client()
      try client.send(
        "POST / HTTP/1.1\r\nHost: t\r\n"
          + (inChunks
            ? "Transfer-Encoding: chunked\r\n\r\n7530\r\n" : "Content-Length: 30000\r\n\r\n")
          + String(repeating: "x", count: 29_999))
      return client
    }
    let first = try unfinished()
    try waitUntil { server.server.heldBodyBytes >= 20_000 }
    #expect(try unfinished().answer().status == 429)
    #expect(try server.client().request("POST", "/", body: [UInt8](repeating: 1, count: 4096)).status == 200)
    try first.send(inChunks ? "x\r\n0\r\n\r\n" : "x")
    #expect(try first.answer().status == 200)
    try waitUntil { server.server.heldBodyBytes == 0 }
    #expect(
      try server.client().request("POST", "/", body: [UInt8](repeating: 1, count: 20_000)).status == 200)
  }

  @Test(arguments: [256, 460, 500, 3000])
  func `A target with too many parameters is answered 414`(count: Int) throws {
    let client = try server().client()
    let query = Array(repeating: "a=1", count: count + 1).joined(separator: "&")
    try client.send("GET /small?\(query) HTTP/1.1\r\nHost: t\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == 414)
    #expect(answer.text == #"{"status":414,"path":"/small"}"#)
    #expect(try client.isClosed())
  }

  @Test func `A target with 256 parameters is answered by the handler`() throws {
    let query = Array(repeating: "a=1", count: 256).joined(separator: "&")
    #expect(try server().client().request("GET", "/?\(query)").status == 200)
  }

  @Test(arguments: [16, 64, 128, 250], [1, 14_000, 20_000, 24_000, 26_000, 28_000, 30_000, 31_500])
  func `A head gets an answer whatever its parameters and headers take of memory`(
    parameters: Int, bytes: Int
  ) throws {
    let server = try server()
    let query = Array(repeating: "a=1", count: parameters).joined(separator: "&")
    let filling = String(repeating: "x", count: bytes)
    for head in [
      "/?\(query)&b=\(filling) HTTP/1.1\r\nHost: t", "/?\(query) HTTP/1.1\r\nHost: t\r\nX: \(filling)",
    ] {
      let client = try HTTPClient(port: server.port, seconds: 5, keeping: server.server)
      try client.send("GET \(head)\r\n\r\n")
      #expect([200, 414, 431].contains(try client.answer().status))
    }
  }
}
