import JSONText
package import Ledger
package import Verification

/// Explains stored postbacks and judges bodies that people paste, by the keys that the service trusts.
package struct PostbackExplainer: Sendable {
  private let keyring: Keyring

  package init(trusting keyring: Keyring) { self.keyring = keyring }

  package func explanation(
    of identifier: String, from reader: LedgerReader
  ) throws(LedgerError) -> Explanation {
    try Explanation(of: identifier, from: reader, keyring: keyring)
  }

  /// Judges the postbacks of a text: one JSON object, an array of them, or one on each line.
  ///
  /// - Returns: The first of them, and how many there are.
  package func judge(_ text: String, atMost limit: Int) -> (facts: [ExplainedBody], count: Int) {
    let bytes = Array(text.utf8)
    let bodies = Self.bodies(bytes)
    return (bodies.prefix(limit).map { ExplainedBody($0, keyring: keyring) }, bodies.count)
  }

  private static func bodies(_ bytes: [UInt8]) -> [[UInt8]] {
    if let ranges = try? JSONReader.elementRanges(ofArray: bytes) { return ranges.map { Array(bytes[$0]) } }
    let isOne = (try? JSONReader.read(bytes)) != nil
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.filter { line in
      line.contains { $0 != 0x20 && $0 != 0x09 }
    }
    // A broken document of several lines is judged as one, so that the reason is about the document.
    let isEachALine = !isOne && lines.count > 1 && lines.allSatisfy { $0.first { $0 != 0x20 } == 0x7B }
    return isEachALine ? lines.map { Array($0) } : lines.isEmpty ? [] : [bytes]
  }
}
