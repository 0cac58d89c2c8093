import Campaigns
import EstimateReports
import Markup
import Pages
import Tables
import Values

/// The chart of estimated revenue with its interval and of spend by install day, with what happened below.
struct MoneyChart {
  let money: MoneyByDay
  let scope: Scope
  /// The only campaign whose own alerts count; `nil` for all.
  var campaign: String?

  /// How far above the largest amount the scale goes at most, for the interval of a day with few installs.
  private static let mostAbove = 1.6

  func panel(_ id: String, _ context: ScreenContext, link: HTML = "") throws -> HTML {
    let texts = context.texts
    let currency = money.currency ?? ""
    let (spend, revenue) = (money.spend, money.revenue)
    let largest = (spend + revenue).compactMap(\.self).max() ?? 0
    let (low, high) = money.hasIntervals ? (money.low, money.high) : ([], [])
    let most = min(high.compactMap(\.self).max() ?? 0, largest * Self.mostAbove)
    let scale = max(most, largest)
    var chart = SeriesChart(money.days.map { Marks.shortDay($0) }, most: scale)
    chart.style = { Marks.local($0) }
    if let open = money.firstOpen { chart.open(from: open) }
    if !high.isEmpty { chart.area(low, high.map { $0.map { min($0, scale) } }, style: "band b2") }
    let firstOpen = money.firstOpen ?? money.days.count
    chart.line(revenue.enumerated().map { $0.offset < firstOpen ? $0.element : nil }, style: "k2")
    // The line goes on from the last day that is known.
    chart.line(revenue.enumerated().map { $0.offset >= firstOpen - 1 ? $0.element : nil }, style: "k2 d3")
    if money.hasSpend { chart.line(spend, style: "k6 d2") }
    let marks = try DayMarks(money.days, scope, campaign: campaign, context)
    chart.marks(marks.places)
    var legend: [(LegendSample, HTML)] = [
      high.isEmpty
        ? (.line("k2"), texts.columnEstimatedRevenue) : (.band("b2", line: "k2"), texts.moneyRevenueBand)
    ]
    if money.hasSpend { legend.append((.line("k6 d2"), texts.columnSpend)) }
    if money.firstOpen != nil { legend.append((.bar("hf"), texts.moneyOpen)) }
    return Panel.section(
      id,
      money.hasSpend
        ? texts.moneyChart(currency: "\(currency)") : texts.moneyChartRevenue(currency: "\(currency)"),
      note: elsewhere(texts), link: link,
      Panel.chart(
        id, legend: legend + marks.legend, chart.markup(label: texts.moneyChartLabel),
        slider: texts.arrivalsInstallDay, count: money.days.count, table: table(texts), below: marks.list,
        texts))
  }

  /// Without it the days would add up to less than the spend that is shown above them.
  private func elsewhere(_ texts: Texts) -> HTML {
    guard let amount = money.spendElsewhere, amount > .zero else { return "" }
    return texts.moneyElsewhere(
      amount: "\(Marks.money(amount, in: money.currency)) \(money.currency ?? "")")
  }

  private func table(_ texts: Texts) -> HTML {
    let rows = money.days.map { money[$0] }
    func amount(_ amount: Amount?) -> HTML {
      amount.map { Marks.money($0, in: money.currency) } ?? Marks.none(texts)
    }
    var columns: [DataTable.Column] = [
      .init(texts.arrivalsInstallDay, isNumber: false, money.days.map { Marks.day($0) }),
      .init(texts.columnEstimatedRevenue, rows.map { amount($0?.estimatedRevenue) }),
    ]
    if money.hasIntervals {
      columns.append(
        .init(
          texts.causesInterval,
          rows.map { row in
            row?.estimatedRevenueInterval?.ends.map { Marks.range(amount($0.low), amount($0.high)) }
              ?? Marks.none(texts)
          }))
    }
    if money.hasSpend { columns.append(.init(texts.columnSpend, rows.map { amount($0?.spend) })) }
    columns += [
      .init(
        texts.columnInstalls,
        rows.map { $0.map { Marks.expected($0.installs) } ?? Marks.none(texts) }),
      .init(
        texts.overviewArrived,
        rows.map { $0?.arrived?.number.map { Marks.share($0) } ?? Marks.none(texts) }),
    ]
    return Panel.table(texts.moneyChartLabel, columns, texts)
  }
}
