/// A form that words take by the number before them.
package enum PluralCategory: UInt8, CaseIterable, Sendable {
  // The letters of compiled messages.
  case zero = 0x7A
  case one = 0x31
  case two = 0x32
  case few = 0x66
  case many = 0x6D
  case other = 0x6F

  /// The category's name in CLDR.
  package var name: String {
    switch self {
    case .zero: "zero"
    case .one: "one"
    case .two: "two"
    case .few: "few"
    case .many: "many"
    case .other: "other"
    }
  }
}

extension Language {
  /// The form for a whole number.
  ///
  /// Source: Unicode CLDR, "Language Plural Rules", for integers.
  package func category(of number: Int) -> PluralCategory {
    let count = number.magnitude
    switch self {
    case .japanese, .chinese: return .other
    case .english, .german, .accented, .mirrored: return count == 1 ? .one : .other
    case .spanish: return count == 1 ? .one : count > 0 && count % 1_000_000 == 0 ? .many : .other
    case .arabic:
      switch count {
      case 0: return .zero
      case 1: return .one
      case 2: return .two
      case _ where (3...10).contains(count % 100): return .few
      case _ where (11...99).contains(count % 100): return .many
      default: return .other
      }
    }
  }
}
