public import Postbacks
public import Values

/// Rules in compact form: one for each combination of an event, a range of active hours and a range of revenue.
public struct Grid: Equatable, Sendable {
  /// What a grid runs through; the raw value is the word in the file.
  public enum Dimension: String, Hashable, Sendable, CaseIterable {
    case events
    case activeHours = "active-hours"
    case revenue
  }

  /// Which end of each revenue range belongs to it; the raw value is the word in the file.
  public enum ClosedEnd: String, Hashable, Sendable, CaseIterable {
    case lower, upper
  }

  /// Which sum the revenue ranges are for; the raw value is the word in the file.
  public enum RevenueOf: String, Hashable, Sendable, CaseIterable {
    case event
    case total
  }

  /// What a conversion in a revenue range counts.
  public enum Worth: Equatable, Sendable {
    case low, middle, high
    case amounts([Amount])
  }

  public let firstValue: FineValue
  /// The events; with none the rules ask for no event.
  public let events: [EventCondition]
  /// The hours between which the ranges of active hours lie, rising; empty or at least two.
  public let activeHours: [Int]
  /// The amounts between which the revenue ranges lie, rising; empty or at least two, of which the last may be `nil`
  /// for a range without an upper end.
  public let revenue: [Amount?]
  /// Which end of each revenue range belongs to it.
  public let closed: ClosedEnd
  public let revenueOf: RevenueOf
  /// What a conversion in a revenue range counts.
  public let worth: Worth
  /// The dimensions, the one that changes from value to value last.
  public let order: [Dimension]
  public let currency: CurrencyCode
  public let conversionTypes: ConversionTypes
  /// What people call the rules.
  public let label: String?
  /// Whether each of the rules locks the window.
  public let lock: Bool
  /// The priority of each of the rules; of equal priorities the highest value applies.
  public let priority: Int
}
