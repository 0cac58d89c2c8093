import HTTPClient
import HTTPServer
import System
import Testing
import Values

struct `A client that fetches` {
  private struct Whole {
    let answer: FetchedAnswer
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self).lowercased() }
  }

  private func whole(
    _ fetcher: borrowing HTTPFetcher, _ url: String, posting: [UInt8]? = nil, most: Int = 1000
  ) throws -> Whole {
    var body: [UInt8] = []
    let answer = try fetcher.fetch(url, posting: posting, headers: [], most: most) { bytes in
      body += bytes
      return true
    }
    return Whole(answer: try #require(answer), body: body)
  }

  @Test func `A client that fetches gets whole bodies of GET and POST, one after the other`() throws {
    let long = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    let server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      let body = request.path == "/long" ? long : Array("\(request.method) ".utf8) + request.body
      reply.send(Response(status: 200, headers: [.init("Retry-After", "9")], body: body))
    }
    let base = "http://127.0.0.1:\(server.address.port)"
    let fetcher = try HTTPFetcher()
    let first = try whole(fetcher, "\(base)/")
    #expect(first.answer.status == 200 && first.answer.retryAfterSeconds == 9 && first.answer.redirect == nil)
    #expect(first.text == "get ")
    #expect(try whole(fetcher, "\(base)/", posting: Array("a=1".utf8)).text == "post a=1")
    #expect(try whole(fetcher, "\(base)/long", most: 1 << 20).body == long)
    #expect(try whole(fetcher, "\(base)/").text == "get ")
    do {
      _ = try whole(fetcher, "\(base)/long", most: 299_999)
      Issue.record("the answer is longer")
    } catch let error as PostError {
      #expect(error.code == .tooLong)
    }
  }

  @Test func `A client that fetches ends where it is asked to, while the other side waits`() throws {
    let server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      reply.send(Response(status: 200, body: Array("x".utf8)))
    }
    let fetcher = try HTTPFetcher()
    var calls = 0
    let answer = try fetcher.fetch(
      "http://127.0.0.1:\(server.address.port)/", posting: nil, headers: [], most: 1000
    ) { _ in
      calls += 1
      return false
    }
    #expect(answer == nil && calls == 1)
    #expect(try whole(fetcher, "http://127.0.0.1:\(server.address.port)/").text == "x")
  }

  @Test func `A client that fetches follows no redirect and names where it leads`() throws {
    let server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      reply.send(Response(status: 302, headers: [.init("Location", "https://else.example/a?b=c")]))
    }
    let answer = try whole(try HTTPFetcher(), "http://127.0.0.1:\(server.address.port)/").answer
    #expect(answer.status == 302 && answer.redirect == "https://else.example/a?b=c")
  }
}
