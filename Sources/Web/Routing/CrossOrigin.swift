package import HTTPServer

/// Which other sites' pages a browser lets read answers.
///
/// Only origins that are listed letter by letter, and never with cookies: a token is in a header that the page sets.
/// Source: WHATWG Fetch, "CORS protocol".
package struct CrossOrigin: Sendable {
  private let origins: Set<String>

  package init(_ origins: Set<String>) { self.origins = origins }

  /// Whether answers differ by who asks.
  package var isOn: Bool { !origins.isEmpty }

  package func headers(for origin: String?) -> [Response.Header] {
    guard let origin, origins.contains(origin) else { return [] }
    return [
      .init("Access-Control-Allow-Origin", origin),
      .init("Access-Control-Expose-Headers", "ETag, Link, Retry-After"),
    ]
  }

  package func preflight(for origin: String?, method: String?) -> [Response.Header] {
    guard let origin, method != nil, origins.contains(origin) else { return [] }
    return [
      .init("Access-Control-Allow-Origin", origin),
      .init("Access-Control-Allow-Methods", "GET, HEAD"),
      .init("Access-Control-Allow-Headers", "Authorization, If-None-Match"),
      .init("Access-Control-Max-Age", "600"),
    ]
  }
}
