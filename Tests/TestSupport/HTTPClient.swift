import Glibc

/// A failure of the test's own client.
public struct HTTPClientError: Error, CustomStringConvertible {
  /// What went wrong.
  public let description: String

  /// Describes a failure.
  public init(description: String) { self.description = description }
}

/// What a server answered.
public struct HTTPAnswer: Sendable {
  /// The status code.
  public let status: Int
  /// The header lines in order, names in lower case.
  public let headers: [(name: String, value: String)]
  /// The body's bytes.
  public let body: [UInt8]

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Returns the first value of a header.
  public func header(_ name: String) -> String? {
    headers.first { $0.name == name.lowercased() }?.value
  }
}

/// One blocking connection to a server on this machine, kept alive until the value goes.
public final class HTTPClient {
  private let descriptor: Int32
  private let kept: AnyObject?
  private var buffer: [UInt8] = []

  /// Connects.
  ///
  /// - Parameters:
  ///   - port: The server's port.
  ///   - host: A numeric address, IPv4 or IPv6.
  ///   - source: The address of this machine to connect from, such as `127.0.0.2`; the system's choice where it is nil.
  ///   - seconds: How long a read may wait.
  ///   - kept: What has to live as long as the connection, such as a server of the same process.
  /// - Throws: ``HTTPClientError`` when no server accepts.
  public init(
    port: UInt16, host: String = "127.0.0.1", from source: String? = nil, seconds: Int = 20,
    keeping kept: AnyObject? = nil
  ) throws {
    self.kept = kept
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
      throw HTTPClientError(description: "no address for \(host)")
    }
    defer { freeaddrinfo(first) }
    // Tests run side by side, and a program that another test starts must not inherit this connection.
    descriptor = socket(
      first.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    if let source {
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      own.sin_addr.s_addr = inet_addr(source)
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let code = withUnsafePointer(to: &own) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
      }
      guard code == 0 else {
        let reason = String(cString: strerror(errno))
        close(descriptor)
        throw HTTPClientError(description: "cannot connect from \(source): \(reason)")
      }
    }
    guard connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw HTTPClientError(description: "cannot connect to \(host):\(port): \(reason)")
    }
  }

  deinit { close(descriptor) }

  /// Sends bytes as they are.
  public func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        throw HTTPClientError(description: "cannot send: \(String(cString: strerror(errno)))")
      }
      sent += count
    }
  }

  /// Sends text as it is.
  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends a request and reads its answer.
  public func request(
    _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil
  ) throws -> HTTPAnswer {
    let host = headers.first { $0.0 == "Host" }?.1 ?? "test"
    var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
    for (name, value) in headers where name != "Host" { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    try send(Array((head + "\r\n").utf8) + (body ?? []))
    return try answer(hasBody: method != "HEAD")
  }

  /// Reads one answer.
  ///
  /// - Parameter hasBody: False where a HEAD request is answered, whose length is that of a body that is not sent.
  /// - Returns: The answer.
  /// - Throws: ``HTTPClientError`` when the connection closes first.
  public func answer(hasBody: Bool = true) throws -> HTTPAnswer {
    var end: Int?
    while end == nil {
      end = buffer.indices.first { buffer[$0...].starts(with: [13, 10, 13, 10]) }
      if end == nil, try !fill() { throw HTTPClientError(description: "closed before an answer") }
    }
    guard let end else { throw HTTPClientError(description: "no answer") }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
    buffer.removeFirst(end + 4)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1, let status = Int(words[1]) else {
      throw HTTPClientError(description: "no status line")
    }
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (
        name: parts[0].lowercased(),
        value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
      )
    }
    let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    let count = hasBody ? length : 0
    while buffer.count < count {
      if try !fill() { throw HTTPClientError(description: "closed within a body") }
    }
    defer { buffer.removeFirst(count) }
    return HTTPAnswer(status: status, headers: headers, body: Array(buffer.prefix(count)))
  }

  /// Reads until the server closes and returns what came.
  public func rest() throws -> [UInt8] {
    while try fill() {}
    defer { buffer = [] }
    return buffer
  }

  /// Whether the server has closed its side and nothing is left to read; waits for either.
  public func isClosed() throws -> Bool { try buffer.isEmpty && !fill() }

  private func fill() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == ECONNRESET { return false }
    guard count >= 0 else {
      throw HTTPClientError(description: "cannot read: \(String(cString: strerror(errno)))")
    }
    buffer += chunk.prefix(count)
    return count > 0
  }
}
