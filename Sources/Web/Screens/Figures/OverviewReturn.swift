import Campaigns
import Markup
import Pages
import Values

/// What was paid in some days and the return on it: in one currency where rates lead to one, else in words why there is none.
struct OverviewReturn {
  /// The total of a report, and the currencies of what was paid and earned.
  private struct Sums {
    let total: CampaignTable.Line
    let paid: [CurrencyCode]
    let earned: [CurrencyCode]

    /// - Returns: `nil` where nothing was paid.
    init?(_ total: CampaignTable.Line?) {
      guard let total else { return nil }
      self.total = total
      paid = total.paidCurrencies.filter { total.efficiency($0)?.spend ?? .zero > .zero }
      earned = total.currencies.filter { total.revenue($0)?.representative ?? .zero > .zero }
      guard !paid.isEmpty else { return nil }
    }

    var currencies: [CurrencyCode] { Set(paid + earned).sorted() }

    /// The only currency of all amounts; `nil` where there are several.
    var only: CurrencyCode? { currencies.count == 1 ? currencies.first : nil }
  }

  private let own: Sums
  private let converted: Sums?

  /// - Parameters:
  ///   - total: The total of the report of campaigns in the currencies of the amounts, or in the one of choice.
  ///   - convert: Makes that of the same report in a currency; it is asked where amounts are in several.
  /// - Returns: `nil` where nothing was paid.
  init?(
    _ total: CampaignTable.Line?, in convert: (CurrencyCode) throws -> CampaignTable.Line?
  ) rethrows {
    guard let own = Sums(total) else { return nil }
    self.own = own
    var converted: Sums?
    // A currency that something was paid in has its amounts as they are.
    for currency in own.only == nil ? own.paid : [] where converted == nil {
      converted = Sums(try convert(currency)).flatMap { $0.only == nil ? nil : $0 }
    }
    self.converted = converted
  }

  /// The figure, or the amounts that were paid and why they have no return.
  func figure(title: HTML, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let paid = own.paid.map { currency in
      "<dd class=\"s\">\(texts.overviewSpend(amount: Marks.money(own.total.efficiency(currency)?.spend ?? .zero, in: currency.text), currency: "\(currency.text)"))</dd>"
        as HTML
    }
    var lines: [HTML] = []
    let sums = converted ?? own
    let result = sums.only.flatMap(sums.total.efficiency)
    let back = result?.representative?.units
    if let back {
      lines.append(
        "<dd class=\"v\">\(Marks.number(back, 2))</dd><dd class=\"s\">\(texts.overviewAllWindows)</dd>")
    }
    lines += paid
    if let currency = sums.only?.text, let each = result?.costPerInstall {
      lines.append(
        "<dd class=\"s\">\(texts.overviewCostEach(cost: "\(Marks.money(each, in: currency)) \(currency)"))</dd>"
      )
    }
    if back == nil {
      lines.append("<dd class=\"s\">\(obstacle(sums, context))</dd>")
    } else if converted != nil {
      lines.append("<dd class=\"s\">\(texts.overviewConverted(currency: "\(sums.only?.text ?? "")"))</dd>")
    }
    return "<div class=\"fig\"><dt>\(title)</dt>\(lines.joined())</div>"
  }

  private func obstacle(_ sums: Sums, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard !sums.earned.isEmpty else { return texts.overviewNoReturnRevenue }
    let reason = texts.overviewNoReturnRates(currencies: texts.list(sums.currencies.map { "\($0.text)" }))
    // Importing is for editors.
    guard context.mayEdit else { return reason }
    return "\(reason) <a href=\"\(DataPlace.path(of: "rates"))\">\(texts.overviewToRates)</a>"
  }
}
