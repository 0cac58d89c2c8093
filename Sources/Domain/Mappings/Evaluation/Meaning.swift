public import Postbacks
public import Values

/// What a value that came in a postback means for the user.
public enum Meaning: Hashable, Sendable {
  /// One of these; more than one where several rules share the value.
  case rules([Interpretation])
  /// The value 0 that registering an install sets, where no rule of the mapping has it.
  case zero
  /// No value came, though one could have: Apple withheld it, or the app set none.
  case null
  /// A postback that has no value: the ad did not win.
  case noneExpected
  /// A value no rule has: something else than this mapping set it.
  case unmapped
}

/// What one rule means for a user that it applied to.
public struct Interpretation: Hashable, Sendable {
  public let rule: RuleReference
  public let label: String?
  public let events: [EventCondition]
  /// The revenue that all events together must have; `nil` where the rule does not ask for it.
  public let total: RevenueCondition?
  /// Revenue of the user; `nil` when the rule has no revenue, which is not the same as nothing.
  public let revenue: [RevenueEstimate]
  /// When the user was active last.
  public let activeHours: HourRange?
  public let conversionTypes: ConversionTypes
}

public struct RevenueEstimate: Hashable, Sendable {
  public let currency: CurrencyCode
  /// At least; `nil` without a limit.
  public let low: Amount?
  /// What is counted for one conversion; the low end where the range has no upper end and none was stated.
  public let representative: Amount
  /// At most; `nil` without a limit.
  public let high: Amount?

  public init(currency: CurrencyCode, low: Amount?, representative: Amount, high: Amount?) {
    self.currency = currency
    self.low = low
    self.representative = representative
    self.high = high
  }
}

extension Mapping {
  /// What a postback's value means.
  ///
  /// - Parameters:
  ///   - didWin: Whether the ad won; only then a postback has a value.
  ///   - type: The type of the conversion; with `nil`, what the value means for every type.
  public func decode(
    _ value: ConversionValue, window: ConversionWindow, didWin: Bool = true, type: ConversionType? = nil
  ) -> Meaning {
    guard didWin else { return .noneExpected }
    return switch value {
    case .fine(let value): window == .first ? decode(value, type: type) : .unmapped
    case .coarse(let value): decode(value, window: window, type: type)
    case .absent: .null
    case .rejected: .unmapped
    }
  }

  /// What a fine value means; with a type of `nil`, for conversions of every type.
  public func decode(_ value: FineValue, type: ConversionType? = nil) -> Meaning {
    let value = repeatsLowValues ? FineValue(Int64(value.number % Self.halfOfValues)) ?? value : value
    let rules = fine.indices.filter {
      fine[$0].value == value && fine[$0].conditions.conversionTypes.contains(type)
    }
    guard !rules.isEmpty else { return value == .zero ? .zero : .unmapped }
    return .rules(rules.map { Interpretation(.fine($0), fine[$0].label, fine[$0].conditions) })
  }

  /// The values that are left where one of the six bits is taken for something else.
  private static let halfOfValues: UInt8 = 32

  /// Whether values from 32 up mean what the values 32 below them mean: AppsFlyer decodes too, and the mapping leaves it
  /// the highest bit, in which it keeps whether another source attributes the user.
  ///
  /// Source: AppsFlyer, "Single Source of Truth (SSOT) guide for iOS attribution".
  public var repeatsLowValues: Bool {
    partners.contains(.appsflyer) && !fine.isEmpty
      && fine.allSatisfy { $0.value.number < Self.halfOfValues }
  }

  /// What a coarse value of a window means; with a type of `nil`, for conversions of every type.
  public func decode(_ value: CoarseValue, window: ConversionWindow, type: ConversionType? = nil) -> Meaning {
    let rules = coarse[window]?.rules ?? []
    var meanings = rules.indices.filter {
      rules[$0].value == value && rules[$0].conditions.conversionTypes.contains(type)
    }.map { Interpretation(.coarse(window, $0), rules[$0].label, rules[$0].conditions) }
    if window == .first {
      // Fine rules set coarse values if no coarse rule of the window is for their type.
      let types = type.map { [$0] } ?? ConversionType.allCases
      let others = ConversionTypes(
        types.filter { each in !rules.contains { $0.conditions.conversionTypes.contains(each) } })
      meanings += fine.indices.filter {
        fine[$0].coarse == value && fine[$0].conditions.conversionTypes.contains(type)
          && (others?.intersects(fine[$0].conditions.conversionTypes) ?? false)
      }.map { Interpretation(.fine($0), fine[$0].label, fine[$0].conditions) }
    }
    return meanings.isEmpty ? .unmapped : .rules(meanings)
  }
}

extension Interpretation {
  fileprivate init(_ rule: RuleReference, _ label: String?, _ conditions: Conditions) {
    self.init(
      rule: rule, label: label, events: conditions.events, total: conditions.revenue,
      revenue: conditions.estimates,
      activeHours: conditions.activeHours, conversionTypes: conditions.conversionTypes)
  }
}

extension Conditions {
  /// Revenue of the users that meet the conditions, by currency.
  ///
  /// A range of the total counts alone, because it holds the revenue of the events.
  var estimates: [RevenueEstimate] {
    if let revenue { return [RevenueEstimate(revenue)] }
    var sums: [RevenueEstimate] = []
    for part in events.compactMap(\.revenue).map(RevenueEstimate.init) {
      if let index = sums.firstIndex(where: { $0.currency == part.currency }) {
        sums[index] = sums[index].adding(part)
      } else {
        sums.append(part)
      }
    }
    return sums
  }
}

extension RevenueEstimate {
  fileprivate init(_ condition: RevenueCondition) {
    self.init(
      currency: condition.currency, low: condition.low,
      representative: condition.representative ?? condition.low ?? min(condition.high ?? .zero, .zero),
      high: condition.high)
  }

  fileprivate func adding(_ other: RevenueEstimate) -> RevenueEstimate {
    func sum(_ a: Amount?, _ b: Amount?) -> Amount? {
      guard let a, let b else { return nil }
      return a.adding(b).sum
    }
    return RevenueEstimate(
      currency: currency, low: sum(low, other.low),
      representative: representative.adding(other.representative).sum, high: sum(high, other.high))
  }
}
