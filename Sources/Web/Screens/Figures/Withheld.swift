import Campaigns
import Estimates
import Ledger
import Markup
import Pages
import Tables
import Values

/// The share of withheld values in a row of the report of campaigns, with its interval.
struct Withheld {
  private let share: Double
  private let bounds: Interval

  /// - Returns: `nil` where the row has no winning postback.
  init?(_ row: CampaignTable.Line) {
    guard let share = row.nullShare?.number else { return nil }
    self.share = share
    bounds = Interval(shareOf: Double(row.counts.valueNull), in: Double(row.counts.winners))
  }

  private var range: HTML { Marks.shares(bounds.low, bounds.high) }

  private var bar: HTML { Marks.withheldBar(share, low: bounds.low, high: bounds.high) }

  /// The share as a large figure that leads to the postbacks without a value; `change` is a line about other days.
  ///
  /// - Parameter link: Where these are; `nil` where no address has them.
  func figure(link: PageAddress?, change: HTML = "", _ texts: Texts) -> HTML {
    Panel.figure(
      link.map { "<a href=\"\($0.text)\">\(texts.overviewWithheld)</a>" } ?? texts.overviewWithheld,
      Marks.share(share),
      texts.markInterval(range: range), more: "\(change)<dd class=\"wh\">\(bar)</dd>")
  }

  /// The cell of a table: the share, its interval, and the bar.
  ///
  /// - Parameters:
  ///   - link: Where the postbacks without a value are; `nil` where no address has them.
  ///   - hasBar: Whether the bar is below; a table of a hundred lines has no room for it.
  static func cell(
    _ row: CampaignTable.Line, _ texts: Texts, link: PageAddress? = nil, hasBar: Bool = true
  ) -> HTML {
    guard let withheld = Withheld(row) else { return Marks.none(texts) }
    let share = Marks.share(withheld.share)
    let target = withheld.share > 0 ? link : nil
    let figure: HTML = target.map { "<a href=\"\($0.text)\">\(share)</a>" } ?? share
    return
      "\(figure)\(Marks.shares(withheld.bounds.low, withheld.bounds.high, isBelow: true))\(hasBar ? withheld.bar : "")"
  }
}
