import CMicroHTTPD
import Glibc
import Values

struct ListeningSocket: ~Copyable {
  let descriptor: Int32
  /// The port it listens on, which the system chose where 0 was asked for.
  let port: UInt16

  /// Binds and listens.
  ///
  /// `localhost` means 127.0.0.1, because a name may resolve differently from day to day. `*` means IPv6 and
  /// IPv4, or IPv4 only where the machine has no IPv6.
  ///
  /// - Throws: ``ListenError`` with the reason of the last address tried.
  init(_ wanted: HostPort) throws(ListenError) {
    let hosts =
      switch wanted.host {
      case "*": ["::", "0.0.0.0"]
      case "localhost": ["127.0.0.1"]
      default: [wanted.host]
      }
    var failure = ListenError(code: .unknownHost, address: wanted, reason: "the host has no address")
    for host in hosts {
      do {
        self = try Self(host: host, wanted: wanted)
        return
      } catch {
        failure = error
        // A taken port is the answer; trying IPv4 alone would hide half of the machine.
        if error.code == .addressInUse { break }
      }
    }
    throw failure
  }

  private init(host: String, wanted: HostPort) throws(ListenError) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(skan_stream_socket)
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, String(wanted.port), &hints, &found)
    guard code == 0, let first = unsafe found else {
      throw ListenError(
        code: .unknownHost, address: wanted, reason: unsafe String(cString: gai_strerror(code)))
    }
    defer { unsafe freeaddrinfo(first) }

    let kind = unsafe first.pointee.ai_socktype | Int32(skan_background_socket)
    let descriptor = unsafe socket(first.pointee.ai_family, kind, first.pointee.ai_protocol)
    guard descriptor >= 0 else { throw .last(at: wanted) }
    var yes: Int32 = 1
    var no: Int32 = 0
    // A restarted server must not wait until the last one's connections are forgotten.
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    if wanted.host == "*", unsafe first.pointee.ai_family == AF_INET6 {
      unsafe setsockopt(
        descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
    }
    guard unsafe bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
      listen(descriptor, 1024) == 0
    else {
      let error = ListenError.last(at: wanted)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    port = Self.port(of: descriptor) ?? wanted.port
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var name = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = unsafe withUnsafeMutablePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe getsockname(descriptor, name, &size)
      }
    }
    guard code == 0 else { return nil }
    // The port is the third and fourth byte of both kinds of address, in network order.
    return unsafe withUnsafeBytes(of: &name) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  consuming func release() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  deinit { close(descriptor) }
}

extension ListenError {
  /// Makes an error of the system's last one.
  fileprivate static func last(at address: HostPort) -> Self {
    let code = errno
    let kind: Code =
      switch code {
      case EADDRINUSE: .addressInUse
      case EACCES, EPERM: .notPermitted
      case EADDRNOTAVAIL: .unknownHost
      default: .system
      }
    return Self(code: kind, address: address, reason: unsafe String(cString: strerror(code)))
  }
}
