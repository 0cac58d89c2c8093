public import Platform
public import Postbacks

/// A mapping made from another system's format, and what could not be taken over as it was.
public struct ImportedMapping: Hashable, Sendable {
  /// The mapping.
  public let mapping: Mapping
  /// What was lost or assumed, in the order in which it was met.
  public let remarks: [ImportRemark]
}

/// What was lost or assumed where a mapping went from one format to another.
public struct ImportRemark: Hashable, Sendable {
  /// The sorts of remark; the raw value is the stable code.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case upperEndImplied = "upper-end-implied"
    case endsAssumed = "ends-assumed"
    case lockIgnored = "lock-ignored"
    case ruleDropped = "rule-dropped"
    case currencyAssumed = "currency-assumed"
    case noWorth = "no-worth"
    case alternativeCurrency = "alternative-currency"
    case windowInherited = "window-inherited"
    case coarseOrder = "coarse-order-changed"

    /// Whether something is lost, rather than assumed.
    public var isLoss: Bool {
      self == .lockIgnored || self == .ruleDropped || self == .alternativeCurrency || self == .coarseOrder
    }
  }

  /// The sort.
  public let code: Code
  /// What it means here, as a sentence.
  public let sentence: String
}

/// Why a file is not of a format.
public enum ImportDefect: String, Error, Hashable, Sendable, CaseIterable {
  case notThisFormat = "not-this-format"
  case noRule = "no-rule"
}

/// What formats leave to their surroundings.
public struct ImportContext: Hashable, Sendable {
  /// What to call the mapping.
  public let name: String
  /// The app.
  public let app: AppID
  /// The currency of amounts that name none.
  public let currency: CurrencyCode
  /// When devices start to follow the mapping.
  public let effectiveFrom: Instant
  /// Whose timers the values are set under.
  public let device: Mapping.Device

  /// Joins what a format leaves open.
  public init(
    name: String, app: AppID, currency: CurrencyCode, effectiveFrom: Instant, device: Mapping.Device = .skan4
  ) {
    self.name = name
    self.app = app
    self.currency = currency
    self.effectiveFrom = effectiveFrom
    self.device = device
  }
}
