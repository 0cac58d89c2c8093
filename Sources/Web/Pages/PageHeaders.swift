import HTTPServer

/// The header lines of every page.
package enum PageHeaders {
  /// What a page may load and do: only what this site serves, no inline script or style, no frame round it.
  ///
  /// Source: W3C, Content Security Policy Level 3.
  package static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  static let all: [Response.Header] = [
    .init("Content-Type", "text/html; charset=utf-8"), .init("Cache-Control", "no-store"),
    .init("Content-Security-Policy", policy), .init("X-Frame-Options", "DENY"),
    // With no-referrer a browser would send its own forms with `Origin: null`; other sites learn nothing this way either.
    .init("Referrer-Policy", "same-origin"), .init("Cross-Origin-Opener-Policy", "same-origin"),
    .init("Cross-Origin-Resource-Policy", "same-origin"),
    .init("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    .init("Vary", "Cookie, Accept-Language, Accept-Encoding"),
  ]

  /// Header lines of a page whose address is a secret: no other site gets it, and no search engine keeps the page.
  static func ofLinks(_ headers: [Response.Header]) -> [Response.Header] {
    headers.filter { $0.name != "Referrer-Policy" && $0.name != "Cache-Control" } + [
      .init("Referrer-Policy", "no-referrer"), .init("X-Robots-Tag", "noindex, nofollow"),
      .init("Cache-Control", "no-store"),
    ]
  }

  /// Over TLS a browser shall come by TLS for a year, also where a user types the address without it.
  ///
  /// Other names below this one are left alone. Source: RFC 6797, section 6.1.
  static let overTLS: [Response.Header] = [.init("Strict-Transport-Security", "max-age=31536000")]
}
