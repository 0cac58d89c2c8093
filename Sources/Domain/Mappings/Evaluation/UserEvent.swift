public import Values

public struct UserEvent: Hashable, Sendable {
  /// Seconds since the first launch.
  public let secondsSinceInstall: Int64
  public let name: String
  /// Revenue; negative for a refund, `nil` when it has nothing to do with money.
  public let revenue: Money?
  /// The conversion tag that the app updates with; `nil` for the most recent conversion.
  ///
  /// Source: Apple, "Identifying conversion values with conversion tags".
  public let conversionTag: String?

  public init(secondsSinceInstall: Int64, name: String, revenue: Money? = nil, conversionTag: String? = nil) {
    self.conversionTag = conversionTag
    self.secondsSinceInstall = secondsSinceInstall
    self.name = name
    self.revenue = revenue
  }
}

/// Running totals of one user; currencies are never added to each other.
struct Totals: Hashable, Sendable {
  struct Event: Hashable, Sendable {
    var count = 0
    var revenue: [CurrencyCode: Amount] = [:]
  }

  var events: [String: Event] = [:]
  var revenue: [CurrencyCode: Amount] = [:]
  /// Whether a sum did not fit and was held at the end of the range.
  var didSaturate = false

  /// Adds an event; what is not among `names` is only added to the total of all events.
  mutating func add(_ event: UserEvent, names: Set<String>) {
    if let money = event.revenue { didSaturate = Self.add(money, to: &revenue) || didSaturate }
    guard names.contains(event.name) else { return }
    var total = events[event.name] ?? Event()
    total.count += 1
    if let money = event.revenue { didSaturate = Self.add(money, to: &total.revenue) || didSaturate }
    events[event.name] = total
  }

  private static func add(_ money: Money, to sums: inout [CurrencyCode: Amount]) -> Bool {
    let (sum, didSaturate) = sums[money.currency, default: .zero].adding(money.amount)
    sums[money.currency] = sum
    return didSaturate
  }
}
