/// A call that the app has to make at once, so that Apple's postbacks carry the values of the mapping.
public struct AppUpdate: Hashable, Sendable {
  /// Whose timers the mapping of the conversion is under, which decides the framework to call.
  public let device: AppMapping.Device
  public let conversionType: AppConversionType
  /// The tag of the re-engagement that is updated; `nil` for an install, or a re-engagement without a tag.
  public let conversionTag: String?
  /// The window that the call falls into, 1 through 3.
  public let window: Int
  /// The fine value, 0 through 63; `nil` when the mapping sets none, as always in windows 2 and 3.
  public let fine: Int?
  /// The coarse value; `nil` when the mapping sets none, as always under SKAdNetwork 3.
  public let coarse: AppCoarseValue?
  /// Whether the call locks the window, so that its postback is prepared at once.
  public let lock: Bool
  /// Seconds from the begin of the conversion to the event that caused the call.
  public let secondsSinceConversion: Int64
  /// The begin of the conversion, in milliseconds since 1970.
  public let conversionStart: Int64
}

/// The types of conversion; the raw value is the word in the app document.
public enum AppConversionType: String, Hashable, Sendable, CaseIterable {
  /// The first launch after an install.
  case install
  /// The user came back through an ad; AdAttributionKit alone has these.
  case reengagement = "re-engagement"
}

/// The coarse values; the raw value is the word in the app document.
public enum AppCoarseValue: String, Hashable, Sendable, CaseIterable {
  case low, medium, high

  /// The step, from 0 for low.
  var rank: Int8 {
    switch self {
    case .low: 0
    case .medium: 1
    case .high: 2
    }
  }

  /// The value of a step; `nil` where there is none.
  init?(rank: Int8) {
    guard Self.allCases.indices.contains(Int(rank)) else { return nil }
    self = Self.allCases[Int(rank)]
  }
}
