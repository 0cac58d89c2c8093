import Campaigns
import Markup
import Pages
import Values

/// Decoded revenue in a row of the report of campaigns: mid, low to high, and the whisker.
enum RevenueCell {
  /// All currencies of a row.
  static func markup(_ row: CampaignTable.Line, _ texts: Texts) -> HTML {
    let own = row.currencies.filter { row.revenue($0) != nil }
    guard !own.isEmpty else { return Marks.none(texts) }
    return own.map { currency -> HTML in
      "<div>\(markup(row, currency, unit: " <small>\(currency.text)</small>", texts))</div>"
    }.joined()
  }

  static func markup(
    _ row: CampaignTable.Line, _ currency: CurrencyCode, unit: HTML = "", _ texts: Texts
  ) -> HTML {
    guard let revenue = row.revenue(currency), let amounts = amounts(row, currency, unit: unit, texts) else {
      return Marks.none(texts)
    }
    guard let high = revenue.limitedHigh else { return amounts }
    let whisker = Marks.whisker(
      low: revenue.low.units, mid: revenue.representative.units, high: high.units,
      most: max(high.units, 1e-6) * 1.05)
    return "\(amounts)\(whisker)"
  }

  /// The mid with low to high beside it; `nil` where the row has no amount.
  ///
  /// - Parameter unit: What follows the mid, where nothing else names the currency.
  static func amounts(
    _ row: CampaignTable.Line, _ currency: CurrencyCode, unit: HTML = "", _ texts: Texts
  ) -> HTML? {
    guard let revenue = row.revenue(currency) else { return nil }
    func money(_ amount: Amount) -> HTML { Marks.money(amount, in: currency.text) }
    let (mid, low) = (money(revenue.representative), money(revenue.low))
    guard let high = revenue.limitedHigh else {
      return "\(mid)\(unit)<span class=\"sub\">\(texts.markAtLeast(amount: low))</span>"
    }
    return "\(mid)\(unit)\(Marks.range(low, money(high), isBelow: true))"
  }
}
