import Postbacks

// The small integers that stand for words in the postback table. They are part of the file format: a code is
// never given another meaning. The views of the schema translate them back.

extension Environment {
  var code: Int64 {
    switch self {
    case .production: 0
    case .development: 1
    case .test: 2
    case .claimed: 3
    case .withdrawn: 4
    }
  }

  init?(code: Int64) {
    guard let environment = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = environment
  }
}

extension ProtocolVersion {
  var code: Int64 {
    switch self {
    case .v1_0: 10
    case .v2_0: 20
    case .v2_1: 21
    case .v2_2: 22
    case .v3_0: 30
    case .v4_0: 40
    case .adAttributionKit: 100
    }
  }
}

extension Outcome {
  var code: Int64 {
    switch self {
    case .install: 0
    case .redownload: 1
    case .reengagement: 2
    case .assist: 3
    case .other: 4
    }
  }
}

extension AdInteraction {
  var code: Int64 { self == .view ? 0 : 1 }
}

extension ConversionValue {
  /// 0 through 63 as they are, 64 to 66 for low, medium and high, -1 for a rejected value, NULL for none.
  var code: Int64? {
    switch self {
    case .fine(let value): Int64(value.number)
    case .coarse(.low): 64
    case .coarse(.medium): 65
    case .coarse(.high): 66
    case .rejected: -1
    case .absent: nil
    }
  }
}

/// Finds the case of an enum that a stored code stands for; `nil` for a code this program does not know.
func decoded<Word: CaseIterable>(_ code: Int64?, by codeOf: (Word) -> Int64) -> Word? {
  guard let code else { return nil }
  return Word.allCases.first { codeOf($0) == code }
}

extension ConversionValue {
  /// Reads a stored code; `nil` for a code this program does not know.
  init?(code: Int64?) {
    switch code {
    case nil: self = .absent
    case -1: self = .rejected
    case 64: self = .coarse(.low)
    case 65: self = .coarse(.medium)
    case 66: self = .coarse(.high)
    case let code?:
      guard let value = FineValue(code) else { return nil }
      self = .fine(value)
    }
  }
}

extension ConversionValue {
  /// The value's place among the values of an hour: 0 through 66 like the code, 67 for a rejected value, 68 for none.
  var slot: Int64 { Self.slot(ofCode: code) ?? 68 }

  /// The place of a stored code; `nil` for a code this program does not know.
  static func slot(ofCode code: Int64?) -> Int64? {
    switch code {
    case nil: 68
    case -1: 67
    case let code?: (0...66).contains(code) ? code : nil
    }
  }

  /// Reads a place among the values of an hour; `nil` for one this program does not know.
  init?(slot: Int64) {
    switch slot {
    case 67: self = .rejected
    case 68: self = .absent
    case 0...66: self.init(code: slot)
    default: return nil
    }
  }
}
