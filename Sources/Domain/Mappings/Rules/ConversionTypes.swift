public import Postbacks

/// The types of conversion that a rule is for; never empty.
public struct ConversionTypes: Hashable, Sendable {
  /// Every type, as an update without `conversionTypes` changes every postback.
  ///
  /// Source: Apple, "conversionTypes" of `PostbackUpdate`.
  public static let all = ConversionTypes(isForInstalls: true, isForReengagements: true)

  private let isForInstalls: Bool
  private let isForReengagements: Bool

  private init(isForInstalls: Bool, isForReengagements: Bool) {
    self.isForInstalls = isForInstalls
    self.isForReengagements = isForReengagements
  }

  /// Joins types; `nil` without any.
  public init?(_ types: [ConversionType]) {
    guard !types.isEmpty else { return nil }
    self.init(
      isForInstalls: types.contains(.install), isForReengagements: types.contains(.reengagement))
  }

  /// The types, installs first.
  public var list: [ConversionType] { ConversionType.allCases.filter(contains) }

  /// Whether a conversion is of one of the types; `nil` stands for a conversion of an unknown type, which can be.
  public func contains(_ type: ConversionType?) -> Bool {
    switch type {
    case .install: isForInstalls
    case .reengagement: isForReengagements
    case nil: true
    }
  }

  func intersects(_ other: ConversionTypes) -> Bool { list.contains(where: other.contains) }
}

extension Mapping.Device {
  /// The types of conversion that the device has; SKAdNetwork knows installs alone.
  public var conversionTypes: [ConversionType] { self == .aak ? ConversionType.allCases : [.install] }
}

extension Mapping {
  /// Whether values depend on the type of the conversion.
  public var isByConversionType: Bool {
    fine.contains { $0.conditions.conversionTypes != .all }
      || coarse.values.contains { $0.rules.contains { $0.conditions.conversionTypes != .all } }
  }
}

extension Conditions {
  var forAllTypes: Conditions {
    Conditions(events: events, revenue: revenue, activeHours: activeHours)
  }
}

extension FineRule {
  var forAllTypes: FineRule {
    FineRule(
      value: value, conditions: conditions.forAllTypes, label: label, coarse: coarse, lock: lock,
      priority: priority)
  }
}

extension CoarseRule {
  var forAllTypes: CoarseRule {
    CoarseRule(value: value, conditions: conditions.forAllTypes, label: label, lock: lock)
  }
}
