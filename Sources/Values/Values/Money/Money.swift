public struct Money: Hashable, Sendable {
  public let amount: Amount
  public let currency: CurrencyCode

  public init(_ amount: Amount, _ currency: CurrencyCode) {
    self.amount = amount
    self.currency = currency
  }

  /// Wraps millionths of the currency's unit.
  public init(micros: Int64, currency: CurrencyCode) {
    self.init(Amount(micros: micros), currency)
  }

  /// Millionths of the currency's unit.
  public var micros: Int64 { amount.micros }
}

extension Money: CustomStringConvertible {
  /// The amount and its currency: `12.5 USD`.
  public var description: String { "\(amount) \(currency)" }
}
