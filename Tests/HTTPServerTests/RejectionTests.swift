import Foundation
import HTTPServer
import System
import TestSupport
import Testing

@Suite struct `A rejection by the server` {
  private func server(bodySeconds: Int = 30, idleSeconds: Int = 30) throws -> TestServer {
    try TestServer(change: { options in
      options.bodyLimit = { method, path in method == .post && path == "/small" ? 10 : 100_000 }
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
}
