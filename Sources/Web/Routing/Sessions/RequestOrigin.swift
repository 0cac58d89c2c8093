package import HTTPServer

/// Where a request comes from, as the browser reports it.
package enum RequestOrigin {
  /// Whether a request that changes something comes from a page of this site.
  ///
  /// Every browser sends Origin with a POST; one without is no browser's form. A page of another site can neither leave
  /// it out nor change it. Source: WHATWG Fetch, "Origin header"; W3C, "Fetch Metadata Request Headers".
  ///
  /// Where the request came by TLS, a page without TLS is another site, which anyone on the way can write. Where that is
  /// not known, a proxy may have ended TLS.
  package static func isSameSite(_ request: borrowing Request, isSecure: Bool) -> Bool {
    isSameSite(
      origin: request.header("Origin"), fetchSite: request.header("Sec-Fetch-Site"),
      host: request.header("Host"), isSecure: isSecure)
  }

  package static func isSameSite(origin: String?, fetchSite: String?, host: String?, isSecure: Bool) -> Bool {
    if let fetchSite, fetchSite != "same-origin" { return false }
    guard let origin, let host, !host.isEmpty else { return false }
    return origin == "https://\(host)" || (!isSecure && origin == "http://\(host)")
  }

  /// Whether the request names this machine, as far as that can be known without a list of names.
  ///
  /// A page of another site can have its own name lead to 127.0.0.1 and then ask as if it were this one ("DNS rebinding").
  /// Its requests still name that site as their host.
  package static func namesLoopback(_ request: borrowing Request) -> Bool {
    namesLoopback(host: request.header("Host"))
  }

  /// The same for the header alone.
  package static func namesLoopback(host: String?) -> Bool {
    guard let host else { return false }
    let name =
      host.hasPrefix("[")
      ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
    return name == "localhost" || name == "::1"
      || name.split(separator: ".").first == "127"
        && name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  }

  /// Whether another site's page led here, so that the browser has kept a strict cookie back.
  package static func isFromOtherSite(_ request: borrowing Request) -> Bool {
    request.header("Sec-Fetch-Site") == "cross-site"
  }
}
