// The C header also includes the constants of sockets, which Glibc alone does not always show.
import CMicroHTTPD
import Glibc
public import Values

/// One question to a server on this machine: does it answer, and what.
public enum HTTPProbe {
  /// Sends `GET` to a server and returns the body of its answer 200; nil without such an answer within seconds.
  ///
  /// Over TLS any certificate will do, because it may be for a name that this machine does not go by.
  public static func get(_ path: String, at address: HostPort, overTLS: Bool = false) -> String? {
    let host = ["*": "127.0.0.1", "localhost": "127.0.0.1"][address.host] ?? address.host
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(skan_stream_socket)
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(address.port), &hints, &found) == 0, let first = unsafe found else {
      return nil
    }
    defer { unsafe freeaddrinfo(first) }
    let kind = unsafe first.pointee.ai_socktype | Int32(skan_close_on_exec)
    let descriptor = unsafe socket(first.pointee.ai_family, kind, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    guard unsafe connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 else { return nil }
    let request = Array("GET \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n".utf8)
    if overTLS { return TLSProbe.ask(request, on: descriptor).flatMap(body) }
    guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      return nil
    }
    return body(of: answer(descriptor))
  }

  private static func answer(_ descriptor: Int32) -> String {
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while answer.count < 65_536 {
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      answer += chunk.prefix(count)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  private static func body(of answer: String) -> String? {
    guard answer.hasPrefix("HTTP/1.1 200"), let end = answer.firstRange(of: "\r\n\r\n") else { return nil }
    return String(answer[end.upperBound...])
  }
}
