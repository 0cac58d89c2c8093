import Mappings
import Postbacks
import Values

/// The worth of a value by a mapping in one currency, in millionths.
struct Worth: Equatable, Sendable {
  var low: Int64 = 0
  var representative: Int64 = 0
  var high: Int64 = 0
  /// Whether the value has no upper limit; ``high`` is then the representative.
  var isOpen = false

  /// Reads a meaning.
  ///
  /// Where several rules share a value the representative is the middle of theirs, rounded down, and the ends are the
  /// lowest and the highest. A value that does not show the currency counts nothing. An end that is missing is
  /// replaced by the representative.
  init(_ meaning: Meaning, _ currency: CurrencyCode) {
    guard case .rules(let interpretations) = meaning, !interpretations.isEmpty else { return }
    let estimates = interpretations.map { $0.revenue.first { $0.currency == currency } }
    let representatives = estimates.map { $0?.representative.micros ?? 0 }
    let sum = representatives.reduce(Int128(0)) { $0 + Int128($1) }
    let count = Int128(representatives.count)
    representative = Int64(clamping: (sum - (sum % count + count) % count) / count)
    low = zip(estimates, representatives).map { $0?.low?.micros ?? $1 }.min() ?? 0
    high = zip(estimates, representatives).map { $0?.high?.micros ?? $1 }.max() ?? 0
    isOpen = estimates.contains { $0 != nil && $0?.high == nil }
  }

  private init() {}

  static let nothing = Worth()
}

/// The worth of every value of a mapping, for conversions of one type.
struct WorthTable: Sendable {
  private let fine: [Worth]
  private let coarse: [[Worth]]

  init(_ mapping: Mapping, _ currency: CurrencyCode, _ type: ConversionType) {
    fine = (0..<64).map { number in
      FineValue(number).map { Worth(mapping.decode($0, type: type), currency) } ?? .nothing
    }
    coarse = ConversionWindow.allCases.map { window in
      CoarseValue.allCases.map { Worth(mapping.decode($0, window: window, type: type), currency) }
    }
  }

  /// What a window's values are worth: the fine value where there is one, else the coarse one, else nothing.
  @inline(__always)
  subscript(window: ConversionWindow, fine fine: Int8, coarse coarse: Int8) -> Worth {
    if fine >= 0 { return self.fine[Int(fine)] }
    return coarse >= 0 ? self.coarse[window.rawValue][Int(coarse)] : .nothing
  }
}
