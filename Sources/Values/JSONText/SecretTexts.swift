import Values

/// Texts that nothing people read may show, such as secrets that another side can send back.
package struct SecretTexts: Hashable, Sendable {
  private static let mask = "***"
  /// A shorter part of a secret can also be an ordinary word.
  private static let shortestPart = 6

  /// The longest first.
  private var texts: [String] = []

  package init() {}

  /// Adds a text, as it is and as it is in addresses and in JSON.
  package mutating func add(_ text: String) {
    let forms = [text, percentEncoded(text), String(JSONOutput.string(text).text().dropFirst().dropLast())]
    texts = Set(texts + forms.filter { !$0.isEmpty }).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// A text with a mask in the place of each.
  package func redacted(_ text: String) -> String {
    texts.reduce(text) { $0.replacing($1, with: Self.mask) }
  }

  /// The beginning of what another side sent, on one line; empty where it has a part of one, as in an encoding
  /// that ``redacted(_:)`` does not know.
  package func shown(_ bytes: some Collection<UInt8>, atMost letters: Int) -> String {
    // They go before the text is cut, which could leave a part of one; what arrived can have been cut before.
    let text = withoutBrokenEnd(redacted(String(decoding: bytes, as: UTF8.self)))
    guard !isRepeated(in: text) else { return "" }
    return String(
      printable(text.split(whereSeparator: \.isWhitespace).joined(separator: " ")).prefix(letters))
  }

  /// The text without the beginning of a secret at its end.
  private func withoutBrokenEnd(_ text: String) -> String {
    for secret in texts {
      var part = secret.dropLast()
      while part.count >= Self.shortestPart {
        if text.hasSuffix(part) { return text.dropLast(part.count) + Self.mask }
        part = part.dropLast()
      }
    }
    return text
  }

  private func isRepeated(in text: String) -> Bool {
    texts.contains { secret in
      secret.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.contains {
        $0.count >= Self.shortestPart && text.contains($0)
      }
    }
  }
}
