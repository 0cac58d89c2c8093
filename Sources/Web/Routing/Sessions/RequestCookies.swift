package import HTTPServer

/// The cookies of a request, and the lines that set them.
///
/// Source: RFC 6265bis, sections 4.1 and 5.4.
package struct RequestCookies: Sendable {
  private let lines: [String]

  /// Takes the header lines.
  package init(_ lines: [String]) { self.lines = lines }

  /// The value of a cookie; of two with one name the first one counts.
  ///
  /// A few are asked for, and a stranger can send thousands: so they are searched and not taken apart.
  package subscript(name: String) -> String? {
    let start = Array("\(name)=".utf8)
    for line in lines {
      var rest = line.utf8[...]
      while !rest.isEmpty {
        let pair = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest[pair.endIndex...].dropFirst()
        let cookie = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if cookie.starts(with: start), cookie.count > start.count {
          return String(decoding: cookie.dropFirst(start.count), as: UTF8.self)
        }
      }
    }
    return nil
  }

  /// The name of the session's cookie; over TLS with the prefix that binds it to this host and to TLS.
  package static func sessionName(isSecure: Bool) -> String {
    isSecure ? "__Host-skan-session" : "skan-session"
  }

  /// The header line that sets a cookie which scripts cannot read and other sites cannot send.
  ///
  /// - Parameters:
  ///   - value: The value; letters, digits and hyphens.
  ///   - seconds: How long the browser keeps it; `nil` until it ends, 0 to delete it.
  ///   - isSecure: Whether it is for TLS only.
  package static func setting(
    _ name: String, to value: String, seconds: Int? = nil, isSecure: Bool
  ) -> Response.Header {
    .init(
      "Set-Cookie",
      "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
        + (seconds.map { "; Max-Age=\($0)" } ?? ""))
  }
}
