import EstimateReports
import Markup
import Pages
import Tables
import Values

/// The columns of figures by horizon in a table of estimates, each with one scale for all rows that are shown.
struct HorizonColumns {
  typealias Row = EstimateReport.Row
  private typealias Ends = (low: Amount, high: Amount)

  private let answer: ReportAnswer<EstimateReport>
  /// All rows found.
  private let rows: [Row]
  private let shown: [Row]
  private let target: ReturnTarget
  private let texts: Texts
  /// The currencies of the rows: the head has a single one, else the rows have them.
  private let currencies: Set<CurrencyCode>

  init(
    _ answer: ReportAnswer<EstimateReport>, _ rows: [Row], _ shown: [Row], target: ReturnTarget,
    _ texts: Texts
  ) {
    (self.answer, self.rows, self.shown, self.target, self.texts) = (answer, rows, shown, target, texts)
    currencies = Set(rows.compactMap(\.currency))
  }

  private var unit: HTML { currencies.count == 1 ? ", \(currencies.first?.text ?? "")" : "" }

  private func unit(of row: Row) -> HTML {
    currencies.count > 1 ? row.currency.map { " <small>\($0.text)</small>" } ?? "" : ""
  }

  var decoded: [ReportColumn<Row>] {
    let family = EstimateReport.revenue.decoded
    return answer.keys(of: family).map { horizon in
      ReportColumn(
        family[horizon], "\(texts.estimatesDecoded(horizon: "\(horizon.columnText)"))\(unit)",
        shows: [family[horizon], EstimateReport.currency]
      ) { row in
        guard row.horizon == horizon, let amount = row.decodedRevenue else { return Marks.none(texts) }
        return "\(Marks.money(amount, in: row.currency?.text))\(unit(of: row))"
      }
    }
  }

  var estimated: [ReportColumn<Row>] {
    let family = EstimateReport.revenue.estimated
    return answer.keys(of: family).map { horizon in
      money(
        family[horizon], "\(texts.estimatesEstimated(horizon: "\(horizon.columnText)"))\(unit)", horizon,
        \.estimatedRevenue, \.estimatedRevenueInterval?.ends
      ) { row in
        // One that is left out has neither.
        row.decodedRevenue == nil ? Marks.none(texts) : texts.estimatesAllWithheld
      }
    }
  }

  var shared: [ReportColumn<Row>] {
    let family = EstimateReport.sharedRevenue
    return answer.keys(of: family).map { horizon in
      money(
        family[horizon], "\(texts.estimatesShared), \(horizon.columnText)\(unit)", horizon, \.sharedRevenue,
        \.sharedRevenueRange?.ends
      ) { _ in Marks.none(texts) }
    }
  }

  /// The returns, each with a mark at the target.
  var returns: [ReportColumn<Row>] {
    let family = EstimateReport.returns
    return answer.keys(of: family).compactMap { horizon in
      guard rows.contains(where: { $0.horizon == horizon && $0.returns != nil }) else { return nil }
      let most = most(horizon, holding: target.ratio) { $0.returnsInterval?.ends }
      return ReportColumn(
        family[horizon], texts.estimatesReturn(horizon: "\(horizon.columnText)"), style: "iv"
      ) { row in
        guard row.horizon == horizon, let mid = row.returns?.cell.amount else { return Marks.none(texts) }
        return cell(mid, row.returnsInterval?.ends, most: most, one: target.ratio) {
          Marks.number($0.units, 2)
        }
      }
    }
  }

  /// An amount by horizon with its interval.
  ///
  /// - Parameter none: What a row of the horizon without the amount has.
  private func money(
    _ column: Column<Row>, _ title: HTML, _ horizon: EstimateHorizon, _ mid: @escaping (Row) -> Amount?,
    _ ends: @escaping (Row) -> Ends?, none: @escaping (Row) -> HTML
  ) -> ReportColumn<Row> {
    let most = most(horizon, ends)
    return ReportColumn(column, title, shows: [column, EstimateReport.currency], style: "iv") { row in
      // A row is of one horizon.
      guard row.horizon == horizon else { return Marks.none(texts) }
      guard let mid = mid(row) else { return none(row) }
      return cell(mid, ends(row), most: most, unit: unit(of: row)) { Marks.money($0, in: row.currency?.text) }
    }
  }

  /// A figure with its interval, on the scale of its column.
  private func cell(
    _ mid: Amount, _ ends: Ends?, most: Double, one: Double? = nil, unit: HTML = "",
    _ number: (Amount) -> HTML
  ) -> HTML {
    guard let (low, high) = ends else { return "\(number(mid))\(unit)" }
    let whisker = Marks.whisker(
      low: low.units, mid: mid.units, high: high.units, most: most, isEstimate: true, one: one)
    return "\(number(mid))\(unit)\(Marks.range(number(low), number(high), isBelow: true))\(whisker)"
  }

  /// The end of the scale of a column, so that its whiskers can be compared.
  ///
  /// Where a few rows are far above all others, such as the returns of campaigns with next to no spend, it ends where nine
  /// of ten rows and what they are compared with have room; the whiskers of the others go to its end, their words do not.
  private func most(
    _ horizon: EstimateHorizon, holding least: Double = 1, _ ends: (Row) -> Ends?
  ) -> Double {
    let highs = shown.compactMap { $0.horizon == horizon ? ends($0)?.high.units : nil }.sorted()
    guard let most = highs.last else { return least * 1.1 }
    let usual = highs[min(highs.count - 1, highs.count * 9 / 10)]
    return max(most <= 3 * usual ? most : usual, least) * 1.1
  }
}
