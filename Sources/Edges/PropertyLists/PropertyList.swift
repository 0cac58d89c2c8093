/// A value of a property list, as Apple's tools write them.
package indirect enum PropertyList: Equatable, Sendable {
  case dictionary([String: PropertyList])
  case array([PropertyList])
  case string(String)
  /// `true` or `false`: a Boolean, which is no number.
  case flag(Bool)
  case integer(Int64)
  case real(Double)
  /// A date, bytes, or anything else that no setting of attribution has.
  case other

  package var kind: String {
    switch self {
    case .dictionary: "a dictionary"
    case .array: "an array"
    case .string: "a string"
    case .flag: "a Boolean"
    case .integer, .real: "a number"
    case .other: "a date or data"
    }
  }
}
