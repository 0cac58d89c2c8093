import Foundation
import HTTPServer
import System
import TestSupport
import Testing
import Values

@Suite struct `An exchange with the server` {
  @Test func `An exchange with the server keeps the connection for the next request`() throws {
    let server = try TestServer()
    let client = try server.client()
    for round in 0..<3 {
      let answer = try client.request("POST", "/a", body: Array("body \(round)".utf8))
      #expect(answer.status == 200)
      #expect(answer.text == "POST /a body \(round)")
    }
    #expect(server.server.counters.openConnections == 1)
    #expect(server.server.counters.handledRequests == 3)
  }

  @Test func `An exchange with the server answers pipelined requests in order`() throws {
    let server = try TestServer()
    let client = try server.client()
    try client.send(
      (0..<20).map { "POST /\($0) HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nx\($0 % 10)" }.joined())
    for index in 0..<20 { #expect(try client.answer().text == "POST /\(index) x\(index % 10)") }
  }

  @Test func `An exchange with the server joins a chunked body`() throws {
    let client = try TestServer().client()
    try client.send("POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    try client.send("4;note=x\r\ndefg\r\n0\r\n\r\n")
    #expect(try client.answer().text == "POST /c abcdefg")
  }

  @Test(
    arguments: ["3\r\nabc\r\n0\r\n\r\n", "3\nabc\n0\n\n", "3;a\nabc\n0\r\n\r\n"], [false, true])
  func `An exchange with the server reads nothing behind a body in chunks`(
    chunks: String, isPrepared: Bool
  ) throws {
    let prepared = PreparedResponse(Response(status: 200))
    let server = try TestServer(handler: { request, reply in
      if isPrepared { reply.send(prepared) } else { echo(request, reply) }
    })
    let client = try server.client()
    let head = "POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
    try client.send(head + chunks + "GET /b HTTP/1.1\r\nHost: t\r\n\r\n")
    #expect(try client.answer().header("connection") == "close")
    #expect(try client.isClosed())
    #expect(server.server.counters.handledRequests <= 1)
  }

  @Test func `An exchange with the server reports the length to HEAD and sends no body`() throws {
    let client = try TestServer().client()
    let head = try client.request("HEAD", "/h")
    #expect(head.status == 200)
    #expect(head.header("content-length") == String("HEAD /h ".utf8.count))
    // A body after the head would be taken for the start of the next answer.
    #expect(try client.request("GET", "/h").text == "GET /h ")
  }

  @Test func `An exchange with the server reads a body of many pieces whole`() throws {
    let server = try TestServer(change: { $0.admission = { _ in .admitted(limit: 3_000_000) } })
    var random = SplitMix64(seed: 1)
    let body = random.bytes(2_500_000)
    let answer = try server.client().request("PUT", "/big", body: body)
    #expect(answer.body == Array("PUT /big ".utf8) + body)
  }

  @Test func `An exchange with the server answers 100 Continue to a client that waits for it`() throws {
    let client = try TestServer().client()
    try client.send("POST /w HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(try client.answer().status == 100)
    try client.send("ok")
    #expect(try client.answer().text == "POST /w ok")
  }

  @Test
  func `An exchange with the server shows path, query, headers and the client's address to the handler`()
    throws
  {
    let server = try TestServer(handler: { request, reply in
      let seen: [String] = [
        request.path, request.query("from") ?? "-", request.query("q") ?? "-", request.query("flag") ?? "-",
        request.query("none") ?? "-", request.queryItems.map(\.name).joined(separator: "+"),
        request.header("AUTHORIZATION") ?? "-", request.header("If-None-Match") ?? "-",
        request.client == IPAddress("127.0.0.1") ? "127.0.0.1" : "another",
      ]
      reply.send(Response(status: 200, contentType: "text/plain", text: seen.joined(separator: "|")))
    })
    let answer = try server.client().request(
      "GET", "/v1/a%20b?from=2026-01-01&q=a%26b+c&flag", headers: [("authorization", "Bearer x")])
    #expect(answer.text == "/v1/a b|2026-01-01|a&b c||-|from+q+flag|Bearer x|-|127.0.0.1")
  }

  @Test func `An exchange with the server sends headers and omits one that would split the head`() throws {
    let server = try TestServer(handler: { _, reply in
      reply.send(
        Response(status: 405, headers: [.init("Allow", "POST"), .init("X-Bad", "a\r\nX-Evil: 1")]))
    })
    let answer = try server.client().request("GET", "/")
    #expect(answer.status == 405)
    #expect(answer.header("allow") == "POST")
    #expect(answer.header("x-evil") == nil)
    #expect(answer.header("date") != nil)
  }

  @Test func `An exchange with the server sends a prepared response again and again`() throws {
    let prepared = PreparedResponse(Response(status: 200, headers: [.init("Content-Type", "text/plain")]))
    let server = try TestServer(handler: { _, reply in reply.send(prepared) })
    let client = try server.client()
    for _ in 0..<10 {
      let answer = try client.request("POST", "/", body: [1])
      #expect(answer.status == 200)
      #expect(answer.header("content-length") == "0")
    }
  }

  @Test(arguments: [
    "NONSENSE\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n",
  ])
  func `An exchange with the server rejects what is not HTTP`(text: String) throws {
    let client = try TestServer().client()
    try client.send(text)
    let rest = String(decoding: try client.rest(), as: UTF8.self)
    #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 400") || rest.hasPrefix("HTTP/1.0 400"))
  }

  @Test func `An exchange with the server answers 431 to a head that is too long`() throws {
    let client = try TestServer().client()
    #expect(
      try client.request("GET", "/", headers: [("X", String(repeating: "x", count: 40_000))]).status == 431)
  }
}
