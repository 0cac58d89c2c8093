import EstimateReports
import Estimates
import Markup
import Pages
import Tables
import Values

/// How a row of estimated money is shown: each figure with its interval, and the verdict on its return.
struct MoneyCells {
  typealias Row = EstimateReport.Row

  /// The currency that the head of the page states; amounts in others have theirs beside them.
  private let currency: CurrencyCode?
  /// The return that pays back.
  private let target: ReturnTarget
  private let texts: Texts

  init(currency: CurrencyCode?, target: ReturnTarget = .one, _ texts: Texts) {
    (self.currency, self.target, self.texts) = (currency, target, texts)
  }

  private func amount(_ amount: Amount, of row: Row) -> HTML {
    let unit: HTML = row.currency == currency ? "" : row.currency.map { " <small>\($0.text)</small>" } ?? ""
    return "\(Marks.money(amount, in: row.currency?.text))\(unit)"
  }

  func spend(_ row: Row) -> HTML { row.spend.map { amount($0, of: row) } ?? Marks.none(texts) }

  /// The estimated revenue with its interval below.
  func revenue(_ row: Row) -> HTML {
    guard let mid = row.estimatedRevenue else {
      return row.decodedRevenue == nil ? Marks.none(texts) : texts.estimatesAllWithheld
    }
    let range =
      row.estimatedRevenueInterval?.ends.map {
        Marks.range(
          Marks.money($0.low, in: row.currency?.text), Marks.money($0.high, in: row.currency?.text),
          isBelow: true)
      } ?? ""
    return "\(amount(mid, of: row))\(range)"
  }

  /// The return with its interval, in figures and drawn.
  func returns(_ row: Row) -> HTML {
    guard let mid = row.returns?.number else { return Marks.none(texts) }
    guard let ends = row.returnsInterval?.ends else { return Marks.number(mid, 2) }
    let (low, high) = (ends.low.units, ends.high.units)
    let whisker = Marks.whisker(
      low: low, mid: mid, high: high, most: max(high, target.ratio) * 1.1, isEstimate: true,
      one: target.ratio)
    return
      "<b>\(Marks.number(mid, 2))</b> \(Marks.range(Marks.number(low, 2), Marks.number(high, 2), isBelow: true))\(whisker)"
  }

  /// Whether the campaign pays back, and about when that will be known.
  func verdict(_ row: Row) -> HTML {
    switch row.verdict {
    case .no: return "<span class=\"badge bad\">\(texts.estimatesVerdictBelow)</span>"
    case .yes: return "<span class=\"badge good\">\(texts.estimatesVerdictAbove)</span>"
    case .undecided:
      let days: HTML =
        row.daysToDecide.map { "<span class=\"sub\">\(texts.estimatesDaysToDecide(count: $0))</span>" } ?? ""
      return "<span class=\"badge\">\(texts.estimatesUndecided)</span>\(days)"
    case nil: return Marks.none(texts)
    }
  }
}
