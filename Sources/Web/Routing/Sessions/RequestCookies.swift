package import HTTPServer

/// The cookies of a request, and the lines that set them.
///
/// Source: RFC 6265bis, sections 4.1 and 5.4.
package struct RequestCookies: Sendable {
  private let values: [String: String]

  /// Reads the header lines; of two cookies with one name the first one counts.
  package init(_ lines: [String]) {
    var values: [String: String] = [:]
    for line in lines {
      for pair in line.split(separator: ";") {
        let parts = pair.drop { $0 == " " || $0 == "\t" }.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, values[String(parts[0])] == nil else { continue }
        values[String(parts[0])] = String(parts[1])
      }
    }
    self.values = values
  }

  package subscript(name: String) -> String? { values[name] }

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
