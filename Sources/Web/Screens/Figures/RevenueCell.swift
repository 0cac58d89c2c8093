import Markup
import Pages
import Tables
import Values

/// Decoded revenue in a row of the report of campaigns: mid, low to high, and the whisker.
enum RevenueCell {
  /// A figure with every currency that the row has; nothing where it has none.
  static func figure(_ row: NamedCells, _ table: Table, title: HTML, _ texts: Texts) -> HTML {
    let amounts = table.keys(after: "revenue-mid-").compactMap { currency -> HTML? in
      guard let mid = row["revenue-mid-\(currency)"].amount else { return nil }
      let low = row["revenue-low-\(currency)"].amount ?? .zero
      let high = row["revenue-high-\(currency)"].amount
      let range =
        high.map {
          texts.overviewLowHigh(low: Marks.money(low, in: currency), high: Marks.money($0, in: currency))
        }
        ?? texts.overviewLowOnly(low: Marks.money(low, in: currency))
      // A range without an upper end is drawn up to twice its middle.
      let whisker = Marks.whisker(
        low: low.units, mid: mid.units, high: (high ?? mid).units, most: (high?.units ?? 2 * mid.units) * 1.05
      )
      return """
        <dd class="v">\(Marks.money(mid, in: currency)) <small>\(currency)</small></dd><dd class="s">\(range)</dd>\
        <dd class="iv">\(whisker)</dd>
        """
    }
    return amounts.isEmpty ? "" : "<div class=\"fig\"><dt>\(title)</dt>\(amounts.joined())</div>"
  }

  static func markup(_ row: NamedCells, _ currencies: [String], _ texts: Texts) -> HTML {
    let own = currencies.filter { row["revenue-mid-\($0)"] != .none }
    guard !own.isEmpty else { return Marks.none(texts) }
    return own.map { currency -> HTML in
      "<div>\(markup(row, currency, unit: " <small>\(currency)</small>", texts))</div>"
    }.joined()
  }

  static func markup(_ row: NamedCells, _ currency: String, unit: HTML = "", _ texts: Texts) -> HTML {
    guard let amounts = amounts(row, currency, unit: unit, texts),
      let mid = row["revenue-mid-\(currency)"].amount
    else {
      return Marks.none(texts)
    }
    guard let high = row["revenue-high-\(currency)"].amount else { return amounts }
    let low = row["revenue-low-\(currency)"].amount ?? .zero
    let whisker = Marks.whisker(
      low: low.units, mid: mid.units, high: high.units, most: max(high.units, 1e-6) * 1.05)
    return "\(amounts)\(whisker)"
  }

  /// The mid with low to high beside it; `nil` where the row has no amount.
  ///
  /// - Parameter unit: What follows the mid, where nothing else names the currency.
  static func amounts(_ row: NamedCells, _ currency: String, unit: HTML = "", _ texts: Texts) -> HTML? {
    guard let mid = row["revenue-mid-\(currency)"].amount else { return nil }
    let low = Marks.money(row["revenue-low-\(currency)"].amount ?? .zero, in: currency)
    guard let high = row["revenue-high-\(currency)"].amount else {
      return
        "\(Marks.money(mid, in: currency))\(unit)<span class=\"sub\">\(texts.markAtLeast(amount: low))</span>"
    }
    return
      "\(Marks.money(mid, in: currency))\(unit)\(Marks.range(low, Marks.money(high, in: currency), isBelow: true))"
  }
}
