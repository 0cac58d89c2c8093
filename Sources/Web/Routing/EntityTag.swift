import OpenSSL

/// A strong entity tag: answers with the same tag are the same byte for byte.
///
/// Source: RFC 9110, section 8.8.3.
package struct EntityTag: Hashable {
  package let text: String

  /// Makes the tag of an answer.
  ///
  /// - Parameters:
  ///   - link: The answer's links.
  ///   - isPacked: Whether the body is sent packed, which makes it another representation.
  package init(of body: [UInt8], link: String?, isPacked: Bool) {
    let digest = SHA256Digest(of: body + Array((link ?? "").utf8))
    text = "\"\(digest.hex.prefix(32))\(isPacked ? "-gzip" : "")\""
  }

  /// Whether the client has it already, by the lines of If-None-Match.
  ///
  /// A weak tag stands for a strong one here. Source: RFC 9110, section 13.1.2.
  package func isAmong(_ lines: [String]) -> Bool {
    lines.contains { line in
      line.split(separator: ",").contains { entry in
        let tag = entry.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined()
        return tag == "*" || tag == text || tag == "W/" + text
      }
    }
  }
}
