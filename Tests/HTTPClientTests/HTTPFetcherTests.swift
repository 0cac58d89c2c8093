import HTTPClient
import HTTPServer
import System
import Testing
import Values

struct `A client that fetches` {
  @Test func `A client that fetches gets whole bodies of GET and POST, one after the other`() throws {
    let long = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    let server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      let body = request.path == "/long" ? long : Array("\(request.method) ".utf8) + request.body
      reply.send(Response(status: 200, headers: [.init("Retry-After", "9")], body: body))
    }
    let base = "http://127.0.0.1:\(server.address.port)"
    let fetcher = try HTTPFetcher()
    let first = try fetcher.fetch("\(base)/", posting: nil, headers: [], most: 1000)
    #expect(first.status == 200 && first.retryAfterSeconds == 9 && first.redirect == nil)
    #expect(String(decoding: first.body, as: UTF8.self).lowercased() == "get ")
    let posted = try fetcher.fetch("\(base)/", posting: Array("a=1".utf8), headers: [], most: 1000)
    #expect(String(decoding: posted.body, as: UTF8.self).lowercased() == "post a=1")
    #expect(try fetcher.fetch("\(base)/long", posting: nil, headers: [], most: 1 << 20).body == long)
    let again = try fetcher.fetch("\(base)/", posting: nil, headers: [], most: 1000)
    #expect(String(decoding: again.body, as: UTF8.self).lowercased() == "get ")
    do throws(PostError) {
      _ = try fetcher.fetch("\(base)/long", posting: nil, headers: [], most: 299_999)
      Issue.record("the answer is longer")
    } catch {
      #expect(error.code == .tooLong)
    }
  }

  @Test func `A client that fetches follows no redirect and names where it leads`() throws {
    let server = try Server(ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))) { request, reply in
      reply.send(Response(status: 302, headers: [.init("Location", "https://else.example/a?b=c")]))
    }
    let answer = try HTTPFetcher().fetch(
      "http://127.0.0.1:\(server.address.port)/", posting: nil, headers: [], most: 1000)
    #expect(answer.status == 302 && answer.redirect == "https://else.example/a?b=c")
  }
}
