import Markup
import Pages
import Tables

/// The share of withheld values in a row of the report of campaigns, with its interval.
struct Withheld {
  private let share: Double
  private let bounds: (low: Double, high: Double)

  /// - Returns: `nil` where the row has no winning postback.
  init?(_ row: NamedCells) {
    let nulls = row.count("values-null")
    guard let share = row["null-share"].number else { return nil }
    // The report has the share; what it is a share of follows from the two, or from the counts where none is withheld.
    let whole =
      nulls > 0 && share > 0
      ? Int64((Double(nulls) / share).rounded())
      : row.count("postbacks") - row.count("assists")
    guard let bounds = Marks.interval(nulls, of: max(nulls, whole)) else { return nil }
    (self.share, self.bounds) = (share, bounds)
  }

  /// The bounds in per cent.
  var range: HTML { Marks.shares(bounds.low, bounds.high) }

  /// The hatched bar with the interval.
  var bar: HTML { Marks.withheldBar(share, low: bounds.low, high: bounds.high) }

  /// The cell of a table: the share, its interval, and the bar.
  static func cell(_ row: NamedCells, _ texts: Texts) -> HTML {
    guard let withheld = Withheld(row) else { return Marks.none(texts) }
    return "\(Marks.share(withheld.share))<span class=\"sub\">\(withheld.range)</span>\(withheld.bar)"
  }
}
