import Markup
import Pages
import Tables

/// Decoded revenue in a row of the report of campaigns: mid, low to high, and the whisker.
enum RevenueCell {
  static func markup(_ row: NamedCells, _ currency: String, _ texts: Texts, most: Double? = nil) -> HTML {
    guard let mid = row["revenue-mid-\(currency)"].micros else { return Marks.none(texts) }
    let low = row["revenue-low-\(currency)"].micros ?? 0
    guard let high = row["revenue-high-\(currency)"].micros else {
      return "\(Marks.money(mid))<span class=\"sub\">\(texts.markAtLeast(amount: Marks.money(low)))</span>"
    }
    let whisker = Marks.whisker(
      low: Double(low), mid: Double(mid), high: Double(high), most: most ?? Double(max(high, 1)) * 1.05)
    return
      "\(Marks.money(mid))<span class=\"sub\">\(Marks.range(Marks.money(low), Marks.money(high)))</span>\(whisker)"
  }

  /// The end of the scale on which the cells of a column are drawn, so that their whiskers can be compared.
  static func scale(_ rows: [NamedCells], _ currency: String) -> Double {
    let most =
      rows.map { row in
        max(row["revenue-high-\(currency)"].micros ?? 0, row["revenue-mid-\(currency)"].micros ?? 0)
      }.max() ?? 0
    return Double(max(most, 1)) * 1.05
  }
}
