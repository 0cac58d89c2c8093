import Arguments
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

  static func amount(_ amount: Amount, in currency: CurrencyCode?) -> HTML {
    Marks.money(amount, in: currency?.text)
  }

  private func amount(_ amount: Amount, of row: Row) -> HTML {
    let unit: HTML = row.currency == currency ? "" : row.currency.map { " <small>\($0.text)</small>" } ?? ""
    return "\(Self.amount(amount, in: row.currency))\(unit)"
  }

  func spend(_ row: Row) -> HTML { row.spend.map { amount($0, of: row) } ?? Marks.none(texts) }

  func decoded(_ row: Row) -> HTML { row.decodedRevenue.map { amount($0, of: row) } ?? Marks.none(texts) }

  /// The estimated revenue with its interval below.
  func revenue(_ row: Row) -> HTML {
    guard let mid = row.estimatedRevenue else {
      // A row that is left out has neither.
      return row.decodedRevenue == nil ? Marks.none(texts) : texts.estimatesAllWithheld
    }
    return "\(amount(mid, of: row))\(range(row.estimatedRevenueInterval?.ends, of: row))"
  }

  /// The revenue if postbacks that do not show a country or publisher are shared out, with its range below.
  func shared(_ row: Row) -> HTML {
    guard let mid = row.sharedRevenue else { return Marks.none(texts) }
    return "\(amount(mid, of: row))\(range(row.sharedRevenueRange?.ends, of: row))"
  }

  private func range(_ ends: (low: Amount, high: Amount)?, of row: Row) -> HTML {
    ends.map {
      Marks.range(
        Self.amount($0.low, in: row.currency), Self.amount($0.high, in: row.currency), isBelow: true)
    } ?? ""
  }

  /// The return with its interval, in figures and drawn.
  func returns(_ row: Row) -> HTML {
    guard let mid = row.returns?.number else { return Marks.none(texts) }
    guard let ends = row.returnsInterval?.ends else { return "<b>\(Marks.number(mid, 2))</b>" }
    let (low, high) = (ends.low.units, ends.high.units)
    let part: HTML =
      row.flags.contains(.oneSided) ? "<span class=\"sub\">\(texts.estimatesFlagOneSided)</span>" : ""
    return """
      <b>\(Marks.number(mid, 2))</b> <span class="soft xs">\(Marks.range(Marks.number(low, 2), Marks.number(high, 2)))</span>\
      \(bar(low: low, mid: mid, high: high))\(part)
      """
  }

  /// A return and its interval, with a mark at the return that pays back.
  ///
  /// Twice as much is as far from 1, the middle, as half as much is, and every return has a place.
  func bar(low: Double, mid: Double, high: Double) -> HTML {
    func place(_ value: Double) -> Double { 100 * max(0, value) / (1 + max(0, value)) }
    return Marks.whisker(
      low: place(low), mid: place(mid), high: place(high), most: 100, isEstimate: true,
      one: place(target.ratio))
  }

  /// Days until a verdict that are stated; later ones are too far to plan for.
  private static let mostDays = 90

  /// Whether the campaign pays back, and about when that will be known.
  func verdict(_ row: Row) -> HTML {
    switch VerdictChoice(row) {
    case .no: return "<span class=\"badge bad\">\(texts.campaignsPaysNo)</span>"
    case .yes: return "<span class=\"badge good\">\(texts.campaignsPaysYes)</span>"
    case .noSpend: return "<span class=\"soft\">\(texts.campaignsPaysNoSpend)</span>"
    case .undecided where row.verdict == nil:
      return "<span class=\"soft\">\(texts.campaignsCannotTell)</span>"
    case .undecided:
      let days = row.daysToDecide
      let when =
        days.map { $0 <= Self.mostDays } ?? false
        ? texts.estimatesDaysToDecide(count: days ?? 0) : texts.campaignsPaysLate
      return "<span class=\"badge\">\(texts.campaignsPaysNotYet)</span><span class=\"sub\">\(when)</span>"
    }
  }

  func costPerInstall(_ row: Row) -> HTML {
    row.costPerInstall.map { amount($0, of: row) } ?? Marks.none(texts)
  }
}

/// The rows that a page of campaigns can be narrowed down to, by what is known of their return.
enum VerdictChoice: String, CaseIterable, ParameterValue {
  case no, yes, undecided
  case noSpend = "no-spend"

  init(_ row: EstimateReport.Row) {
    self =
      switch row.verdict {
      case .no: .no
      case .yes: .yes
      case .undecided: .undecided
      case nil: row.spend ?? .zero > .zero ? .undecided : .noSpend
      }
  }
}
