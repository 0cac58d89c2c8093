import HTTPServer
import Markup
import OpenSSL
import Routing
import Values

/// A file of the pages inside the program: a stylesheet, a script or a picture.
package struct EmbeddedAsset: Sendable {
  /// The name with a part of the content's digest, so that it changes with the content.
  let name: String
  let contentType: String
  private let bytes: [UInt8]

  package static let appScript = script("app", PackageResources.app_js)
  package static let chartScript = script("chart", PackageResources.chart_js)
  package static let editorScript = script("editor", PackageResources.editor_js)
  package static let liveScript = script("live", PackageResources.live_js)
  package static let mapScript = script("map", PackageResources.map_js)
  static let iconImage = EmbeddedAsset("icon", "svg", "image/svg+xml", PackageResources.icon_svg)
  static let style = EmbeddedAsset("style", "css", "text/css; charset=utf-8", Stylesheet.bytes)

  static let all = [appScript, chartScript, editorScript, iconImage, liveScript, mapScript, style]

  private init(_ name: String, _ ending: String, _ contentType: String, _ bytes: [UInt8]) {
    self.name = "\(name).\(hexText(Array(SHA256Digest(of: bytes).bytes.prefix(6)))).\(ending)"
    (self.contentType, self.bytes) = (contentType, bytes)
  }

  private static func script(_ name: String, _ bytes: [UInt8]) -> Self {
    EmbeddedAsset(name, "js", "text/javascript; charset=utf-8", bytes)
  }

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
      ], body: bytes)
    return (PreparedResponse(plain), PreparedResponse(plain.packed))
  }
}
