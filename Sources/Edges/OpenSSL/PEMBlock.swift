import Values

/// A block of PEM text: base64 between a BEGIN and an END line.
///
/// Source: RFC 7468.
public struct PEMBlock: Equatable, Sendable {
  /// What the block holds, such as `PUBLIC KEY`.
  public let label: String
  /// The bytes that the base64 stood for.
  public let bytes: [UInt8]

  public init(label: String, bytes: [UInt8]) {
    self.label = label
    self.bytes = bytes
  }

  /// Every well-formed block of a text, in order; anything between blocks is a comment.
  public static func blocks(in text: String) -> [PEMBlock] {
    var found: [PEMBlock] = []
    var open: (label: String, base64: [UInt8])?
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----BEGIN "), line.hasSuffix("-----") {
        open = (String(line.dropFirst(11).dropLast(5)), [])
      } else if line.hasPrefix("-----END "), let block = open {
        if let bytes = Base64.decode(block.base64) {
          found.append(PEMBlock(label: block.label, bytes: bytes))
        }
        open = nil
      } else {
        open?.base64 += line.utf8.filter { $0 != UInt8(ascii: " ") }
      }
    }
    return found
  }

  /// The block as PEM text, with lines of 64 letters.
  public var text: String {
    let letters = Base64.encode(bytes)
    let lines = stride(from: 0, to: letters.count, by: 64).map {
      String(decoding: letters[$0..<min($0 + 64, letters.count)], as: UTF8.self)
    }
    return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----"]).joined(separator: "\n") + "\n"
  }
}
