/// A name that is compared and hashed by its bytes.
///
/// Hashing the text itself would hash its normal form, and a sender can make any number of names that share one.
struct ByteName: Hashable {
  /// Objects of up to this many members look for duplicates by comparing each pair, which needs no memory.
  static let fewMembers = 16

  let text: String

  static func == (a: Self, b: Self) -> Bool { haveSameBytes(a.text, b.text) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
