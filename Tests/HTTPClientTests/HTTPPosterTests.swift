import Glibc
import HTTPClient
import HTTPServer
import System
import TestSupport
import Testing
import Values

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

  /// Those that are open now.
  var connections: Int { server.counters.openConnections }
}

/// A peer that answers one request with bytes of any kind, one piece after the other, and then closes.
final class Peer: Sendable {
  let port: UInt16
  private let worker: Worker
  private let written: Guarded<Int>

  init(_ pieces: [[UInt8]]) throws {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(listening, pointer, length)
        _ = listen(listening, 8)
        _ = getsockname(listening, pointer, &length)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    let written = Guarded(0)
    self.written = written
    worker = try Worker {
      let connection = accept(listening, nil, nil)
      var request = [UInt8](repeating: 0, count: 65_536)
      _ = recv(connection, &request, request.count, 0)
      for piece in pieces {
        guard send(connection, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { break }
        written.withLock { $0 += piece.count }
      }
      close(connection)
      close(listening)
    }
  }

  /// Bytes that it could send; waits until it is done.
  var sent: Int {
    worker.join()
    return written.withLock { $0 }
  }
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
  func `A client that posts sends the body and the headers and returns the status without redirects`(
    status: Int
  ) throws {
    let notebook = try Notebook { _ in status }
    let body = Array(repeating: UInt8(ascii: "x"), count: 5000)
    let poster = try HTTPPoster()
    for _ in 0..<2 {
      let answer = try poster.post(
        body, to: "http://127.0.0.1:\(notebook.port)/hook",
        headers: [(name: "Skan-Delivery", value: "7")])
      #expect(answer == status)
    }
    #expect(notebook.connections == 1)
    let asked = notebook.asked.withLock { $0 }
    #expect(asked.map(\.path) == ["/hook", "/hook"])
    #expect(asked.allSatisfy { $0.body == body && $0.delivery == "7" })
  }

  @Test func `A client that posts reads no more of a long answer than it needs`() throws {
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    let peer = try Peer([Array("HTTP/1.1 200 OK\r\n\r\n".utf8)] + [[UInt8]](repeating: piece, count: 256))
    #expect(try HTTPPoster().post([1], to: "http://127.0.0.1:\(peer.port)/", headers: []) == 200)
    // The sockets buffer a few MiB.
    #expect(peer.sent < 64 << 20)
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "plain words",
    "\u{0}\u{1}",
    "HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
  ])
  func `A client that posts accepts no incomplete answer`(text: String) throws {
    let peer = try Peer([Array(text.utf8)])
    #expect(code("http://127.0.0.1:\(peer.port)/") == .broken)
    _ = peer.sent
  }

  @Test func `A client that posts sends an empty body`() throws {
    let notebook = try Notebook { _ in 200 }
    #expect(try HTTPPoster().post([], to: "http://127.0.0.1:\(notebook.port)/", headers: []) == 200)
    #expect(notebook.asked.withLock { $0.first?.body } == [])
  }

  @Test func `A client that posts does not wait for a slow server longer than its time limit`() throws {
    let notebook = try Notebook { _ in 0 }
    #expect(code("http://127.0.0.1:\(notebook.port)/", seconds: 1) == .timedOut)
  }

  @Test(arguments: [
    ("http://127.0.0.1:1/", PostError.Code.notConnected), ("ftp://127.0.0.1/", .badAddress),
    ("file:///etc/passwd", .badAddress), ("http://", .badAddress), ("", .badAddress),
    ("http://host.invalid/", .unknownHost), ("http://127.0.0.1/\u{0}x", .badAddress),
    ("http://127.0.0.1/\r\nX: y", .badAddress),
  ])
  func `A client that posts reports what is wrong`(url: String, expected: PostError.Code) {
    #expect(code(url) == expected)
  }

  @Test(arguments: ["a\r\nX: y", "a\nb", "a\u{0}b"])
  func `A client that posts rejects values that would add a header`(value: String) {
    #expect(code("http://127.0.0.1:1/", headers: [(name: "X", value: value)]) == .badAddress)
  }

  @Test func `A client that posts many at a time has each answer under its number, over few connections`()
    throws
  {
    let notebook = try Notebook { path in path == "/declined" ? 422 : 200 }
    var poster = try ParallelPoster(connections: 8)
    var answers: [Int: Int] = [:]
    for round in 0..<5 {
      for number in 0..<20 {
        let path = number % 7 == 3 ? "declined" : "taken"
        try poster.start(
          Array("\(number)".utf8), at: "http://127.0.0.1:\(notebook.port)/\(path)",
          headers: [(name: "Skan-Delivery", value: "\(number)")], as: round * 20 + number)
      }
      #expect(poster.count == 20)
      while poster.count > 0 {
        for (number, answer) in poster.ended(withinMilliseconds: 5000) {
          answers[number] = try answer.get().status
        }
        #expect((1...8).contains(notebook.connections))
      }
    }
    #expect(answers.count == 100)
    #expect(answers.allSatisfy { $0.value == ($0.key % 20 % 7 == 3 ? 422 : 200) })
    let asked = notebook.asked.withLock { $0 }
    #expect(asked.count == 100)
    #expect(asked.allSatisfy { $0.delivery == String(decoding: $0.body, as: UTF8.self) })
  }

  @Test
  func `A client that posts many at a time waits for none of them, and forgets those that are abandoned`()
    throws
  {
    let slow = try Notebook { _ in 0 }
    let (nobody, taking) = ("http://127.0.0.1:1/", try Notebook { _ in 200 })
    var poster = try ParallelPoster(connections: 4)
    try poster.start([1], at: "http://127.0.0.1:\(slow.port)/", headers: [], as: 1)
    try poster.start([1], at: nobody, headers: [], as: 2)
    let began = ContinuousClock.now
    let first = poster.ended(withinMilliseconds: 1000)
    #expect(first.map(\.number) == [2])
    #expect(throws: PostError.self) { try first.first?.answer.get() }
    #expect(poster.ended(withinMilliseconds: 50).isEmpty)
    #expect(ContinuousClock.now - began < .seconds(2))
    poster.abandon()
    #expect(poster.count == 0)
    #expect(throws: PostError.self) { try poster.start([1], at: "http://h/\r\n", headers: [], as: 3) }
    try poster.start([], at: "http://127.0.0.1:\(taking.port)/", headers: [], as: 4)
    let last = poster.ended(withinMilliseconds: 5000)
    #expect(last.map(\.number) == [4])
    #expect(try last.first?.answer.get().status == 200)
    #expect(taking.asked.withLock { $0.first?.body } == [])
  }

  @Test func `A client that posts ignores proxies of the environment`() throws {
    let notebook = try Notebook { _ in 200 }
    setenv("http_proxy", "http://127.0.0.1:1", 1)
    setenv("all_proxy", "http://127.0.0.1:1", 1)
    defer {
      unsetenv("http_proxy")
      unsetenv("all_proxy")
    }
    #expect(code("http://127.0.0.1:\(notebook.port)/") == nil)
  }

  @Test func `A client that posts rejects an untrusted certificate`() throws {
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
