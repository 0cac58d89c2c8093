import JSONText
import Values

/// The parameters of a query or a form.
///
/// Source: WHATWG URL, "application/x-www-form-urlencoded parsing". Unlike there, a broken escape or text that is not
/// UTF-8 is no form, because two readers could read it differently.
struct Parameters {
  /// Each with its name, decoded, in order.
  let members: [Sent]

  /// Reads a form; `nil` where the bytes are none.
  init?(_ bytes: [UInt8]) {
    var members: [Sent] = []
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = Self.decoded(halves[0]), let value = Self.decoded(halves[1]),
        !name.isEmpty
      else { return nil }
      members.append(Sent(name, .string(value)))
    }
    guard !members.isEmpty else { return nil }
    self.members = members
  }

  /// The parameters as a query, everything encoded that is no letter, digit or one of `-._~`.
  static func text(_ parameters: [(name: String, value: String)]) -> [UInt8] {
    Array(
      parameters.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }.joined(separator: "&").utf8)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.contains { $0 < 0x20 || $0 == 0x7F } ? nil : percentDecoded(bytes)
  }
}
