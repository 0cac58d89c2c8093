public import Foundation
public import SkanMapping

extension AppEvent {
  /// Joins the parts of an event with a date and a price, as StoreKit has them.
  ///
  /// - Parameters:
  ///   - date: When, by the device's clock.
  ///   - amount: Revenue in units of the currency, which is rounded to millionths, halves away from zero; negative for a
  ///     refund, `nil` when the event has nothing to do with money.
  /// - Throws: ``AppAmountError`` for an amount that is no number, or above 9,223,372,036,854 units.
  public init(
    name: String, date: Date, amount: Decimal? = nil, currency: String? = nil, conversionTag: String? = nil
  ) throws(AppAmountError) {
    var micros: Int64?
    if let amount {
      micros = millionths(amount)
      if micros == nil { throw AppAmountError(amount: amount) }
    }
    self.init(
      name: name, time: date.appMilliseconds, micros: micros, currency: currency, conversionTag: conversionTag
    )
  }
}

/// An amount that no event can have.
public struct AppAmountError: Error, Hashable, CustomStringConvertible {
  public let amount: Decimal

  public var description: String {
    "the amount \(amount) is no number of millionths; give one from -9223372036854 to 9223372036854"
  }
}

extension AppUpdate {
  /// The begin of the conversion.
  public var conversionDate: Date { Date(timeIntervalSince1970: Double(conversionStart) / 1000) }
}

extension AppMapping {
  /// When devices start to follow it.
  public var effectiveDate: Date { Date(timeIntervalSince1970: Double(effectiveFrom) / 1000) }
}

extension Date {
  /// Milliseconds since 1970, within what a clock can show.
  var appMilliseconds: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
    // Years 0 and 9999 are within; also what is no number has to be some time.
    return milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, -1e14), 1e15))
  }
}

/// The nearest millionths, read from digits because doubles are not exact; `nil` where none fits.
private func millionths(_ amount: Decimal) -> Int64? {
  var text = Substring(amount.description)
  let isNegative = text.first == "-"
  if isNegative { text.removeFirst() }
  let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
  guard let whole = parts.first, parts.count <= 2, parts.joined().allSatisfy({ (48...57).contains($0) })
  else {
    return nil
  }
  var fraction = parts.count == 2 ? parts[1] : []
  fraction += Array(repeating: 48, count: max(0, 7 - fraction.count))
  guard let cut = Int64(String(decoding: whole + fraction.prefix(6), as: UTF8.self)) else { return nil }
  let (rounded, isOver) = cut.addingReportingOverflow(fraction[6] >= 53 ? 1 : 0)
  return isOver ? nil : isNegative ? -rounded : rounded
}
