import HTTPServer
import System
import TestSupport
import Values

/// A server for one test, on a free port of the loopback interface.
struct TestServer {
  let server: Server
  var port: UInt16 { server.address.port }

  /// Starts a server whose handler is `handler`, or one that answers with the request.
  init(
    host: String = "127.0.0.1", change: (inout ServerOptions) -> Void = { _ in },
    handler: @escaping Handler = echo
  ) throws {
    var options = ServerOptions(address: HostPort(host: host, port: 0))
    options.rejection = { rejection, request in
      Response(
        status: rejection.status, contentType: "application/problem+json",
        text: #"{"status":\#(rejection.status),"path":"\#(request.path)"}"#)
    }
    change(&options)
    server = try Server(options, handler: handler)
  }

  func client(from source: String? = nil) throws -> HTTPClient {
    try HTTPClient(port: port, from: source, keeping: server)
  }

  /// Waits until the server turns new connections away.
  func waitForStopping() {
    while let client = try? HTTPClient(port: port, seconds: 1), (try? client.isClosed()) != true {}
  }
}

/// Answers with the method, the path and the body of the request.
let echo: Handler = { request, reply in
  let text = "\(request.method.rawValue) \(request.path) "
  reply.send(
    Response(
      status: 200, headers: [.init("Content-Type", "text/plain")], body: Array(text.utf8) + request.body))
}

/// Replies that wait for a test to answer them, on whatever thread that runs.
final class Waiting: Sendable {
  /// A cell for one reply, because arrays cannot hold noncopyable values.
  private final class Cell: Sendable {
    private let reply: Guarded<Reply?>
    init(_ reply: consuming Reply) { self.reply = Guarded(consume reply) }
    func take() -> Reply? { reply.withLock { reply in reply.take() } }
  }

  private let held = Guarded([Cell]())

  /// Keeps a reply.
  func hold(_ reply: consuming Reply) {
    let cell = Cell(consume reply)
    held.withLock { held in held.append(cell) }
    held.wakeAll()
  }

  /// Waits until that many replies are held.
  func wait(for count: Int) {
    let _: Void = held.wait { held in held.count >= count ? () : nil }
  }

  /// Answers, or drops, all that are held.
  func finish(_ end: (consuming Reply) -> Void) {
    let cells = held.withLock { held in
      defer { held = [] }
      return held
    }
    for cell in cells {
      if let reply = cell.take() { end(reply) }
    }
  }
}
