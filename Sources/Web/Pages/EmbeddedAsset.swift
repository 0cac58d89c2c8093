import HTTPServer
import Routing

/// A file of the pages inside the program: a stylesheet, a script or a picture.
package struct EmbeddedAsset: Sendable {
  /// The name with a part of the content's digest, so that it changes with the content.
  let name: String
  let contentType: String
  let text: StaticString

  /// The address on this site.
  package var path: String { "/assets/\(name)" }

  /// The answer with it, as it is and packed, made once.
  func prepared() -> (plain: PreparedResponse, packed: PreparedResponse) {
    let plain = Response(
      status: 200,
      headers: [
        .init("Content-Type", contentType), .init("Cache-Control", "public, max-age=31536000, immutable"),
        .init("Vary", "Accept-Encoding"), .init("X-Content-Type-Options", "nosniff"),
        .init("Cross-Origin-Resource-Policy", "same-origin"),
      ], body: Array(text.description.utf8))
    return (PreparedResponse(plain), PreparedResponse(plain.packed))
  }
}
