/// Something that a user does in the app.
public struct AppEvent: Hashable, Sendable {
  /// The event's name, compared with the names in the mapping letter by letter.
  public let name: String
  /// When, in milliseconds since 1970 by the device's clock.
  public let time: Int64
  /// Revenue in millionths of the currency; negative for a refund, `nil` when it has nothing to do with money.
  public let micros: Int64?
  /// The currency of the revenue, by the three capital letters of ISO 4217.
  public let currency: String?
  /// The conversion tag of the re-engagement that it belongs to; `nil` for the most recent conversion.
  ///
  /// Source: Apple, "Identifying conversion values with conversion tags".
  public let conversionTag: String?

  /// Joins the parts of an event; revenue counts only with both an amount and a currency.
  public init(
    name: String, time: Int64, micros: Int64? = nil, currency: String? = nil, conversionTag: String? = nil
  ) {
    self.name = name
    self.time = time
    self.micros = micros
    self.currency = currency
    self.conversionTag = conversionTag
  }
}
