/// A host and a TCP port, as people write them: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`, `*:80`.
public struct HostPort: Equatable, Sendable, CustomStringConvertible {
  /// A name, an IPv4 address, an IPv6 address without brackets, or `*` for every address of the machine.
  public let host: String
  /// The TCP port, 0 to 65535; 0 asks the system for a free one.
  public let port: UInt16

  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST:PORT`; an IPv6 address needs brackets.
  ///
  /// Returns nil where the text is anything else.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { return nil }
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }), !host.contains("["),
      !host.contains("]"), !host.contains("/")
    else { return nil }
    self.init(host: String(host), port: port)
  }

  /// The host and the port, an IPv6 address in brackets.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
