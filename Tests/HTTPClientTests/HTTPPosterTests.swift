import Glibc
import HTTPClient
import HTTPServer
import Platform
import TestSupport
import Testing

/// What a server was asked.
struct Asked: Sendable {
  let path: String
  let body: [UInt8]
  let delivery: String?
}

/// A server that answers with a status and notes what it was asked.
final class Notebook: Sendable {
  let server: Server
  let asked: Guarded<[Asked]>

  init(identity: TLSIdentity? = nil, _ status: @escaping @Sendable (String) -> Int) throws {
    let asked = Guarded<[Asked]>([])
    self.asked = asked
    var options = ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))
    options.identity = identity
    server = try Server(options) { request, reply in
      let note = Asked(
        path: request.path, body: request.body, delivery: request.header("Skan-Delivery"))
      asked.withLock { $0.append(note) }
      let code = status(request.path)
      if code == 0 {
        rest(microseconds: 2_500_000)
      }
      reply.send(
        Response(
          status: code == 0 ? 200 : code, headers: [.init("Location", "/elsewhere")],
          body: Array("never shown".utf8)))
    }
  }

  var port: UInt16 { server.address.port }
}

struct `A client that posts` {
  private func code(_ url: String, seconds: Int = 5, headers: [(name: String, value: String)] = [])
    -> PostError.Code?
  {
    do throws(PostError) {
      _ = try HTTPPoster(seconds: seconds).post([1], to: url, headers: headers)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(arguments: [200, 204, 302, 404, 503])
  func `sends the body and the headers and gives the status, without following it`(status: Int) throws {
    let notebook = try Notebook { _ in status }
    let body = Array(repeating: UInt8(ascii: "x"), count: 5000)
    let poster = try HTTPPoster()
    for _ in 0..<2 {
      let answer = try poster.post(
        body, to: "http://127.0.0.1:\(notebook.port)/hook",
        headers: [(name: "Skan-Delivery", value: "7")])
      #expect(answer == status)
    }
    let asked = notebook.asked.withLock { $0 }
    #expect(asked.map(\.path) == ["/hook", "/hook"])
    #expect(asked.allSatisfy { $0.body == body && $0.delivery == "7" })
  }

  @Test func `sends an empty body`() throws {
    let notebook = try Notebook { _ in 200 }
    #expect(try HTTPPoster().post([], to: "http://127.0.0.1:\(notebook.port)/", headers: []) == 200)
    #expect(notebook.asked.withLock { $0.first?.body } == [])
  }

  @Test func `does not wait for a slow server longer than it may`() throws {
    let notebook = try Notebook { _ in 0 }
    #expect(code("http://127.0.0.1:\(notebook.port)/", seconds: 1) == .timedOut)
  }

  @Test(arguments: [
    ("http://127.0.0.1:1/", PostError.Code.notConnected), ("ftp://127.0.0.1/", .badAddress),
    ("file:///etc/passwd", .badAddress), ("http://", .badAddress), ("", .badAddress),
    ("http://host.invalid/", .unknownHost), ("http://127.0.0.1/\u{0}x", .badAddress),
    ("http://127.0.0.1/\r\nX: y", .badAddress),
  ])
  func `tells what is wrong`(url: String, expected: PostError.Code) {
    #expect(code(url) == expected)
  }

  @Test(arguments: ["a\r\nX: y", "a\nb", "a\u{0}b"])
  func `lets nobody add a header through a value`(value: String) {
    #expect(code("http://127.0.0.1:1/", headers: [(name: "X", value: value)]) == .badAddress)
  }

  @Test func `leaves proxies of the environment out of account`() throws {
    let notebook = try Notebook { _ in 200 }
    setenv("http_proxy", "http://127.0.0.1:1", 1)
    setenv("all_proxy", "http://127.0.0.1:1", 1)
    defer {
      unsetenv("http_proxy")
      unsetenv("all_proxy")
    }
    #expect(code("http://127.0.0.1:\(notebook.port)/") == nil)
  }

  @Test func `trusts no certificate that nobody vouches for`() throws {
    let folder = try TemporaryFolder()
    let certificate = try TestCertificate("own", in: folder, days: 30)
    let identity = try TLSIdentity(
      certificateFile: certificate.file, keyFile: certificate.keyFile, now: systemClock())
    let notebook = try Notebook(identity: identity) { _ in 200 }
    #expect(code("https://127.0.0.1:\(notebook.port)/") == .notTrusted)
    #expect(code("https://localhost:\(notebook.port)/") == .notTrusted)
    #expect(notebook.asked.withLock { $0.count } == 0)
  }
}
