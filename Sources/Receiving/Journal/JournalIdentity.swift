internal import OpenSSL
internal import PostgreSQL

/// What distinguishes a journal from every other one: a UUID of version 4 that it gets when it is set up.
package struct JournalIdentity: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes one that no other journal has.
  ///
  /// - Throws: ``JournalError/noRandomness(reason:)``.
  package static func random() throws(JournalError) -> JournalIdentity {
    let bytes: [UInt8]
    do throws(OpenSSLError) { bytes = try randomBytes(16) } catch {
      throw .noRandomness(reason: error.description)
    }
    let halves = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { ($0 << 8) | UInt64($1) } }
    // Version and variant: RFC 9562, section 5.4.
    return JournalIdentity(
      high: (halves[0] & ~0xf000) | 0x4000, low: (halves[1] & ~(0b11 << 62)) | (0b10 << 62))
  }

  /// Reads the form with four hyphens; `nil` for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
      parts.joined().allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let high = UInt64(parts[..<3].joined(), radix: 16), let low = UInt64(parts[3...].joined(), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The 16 bytes, the most significant first.
  package var bytes: [UInt8] {
    [high, low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
  }

  var value: PostgreSQLValue { .uuid(high: high, low: low) }
}

extension JournalIdentity: CustomStringConvertible {
  /// Lower-case hexadecimal with four hyphens.
  package var description: String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
