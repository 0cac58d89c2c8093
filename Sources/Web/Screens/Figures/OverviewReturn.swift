import Markup
import Pages
import Tables
import Values

/// What was paid in some days and the return on it: in one currency where rates lead to one, else in words why there is none.
struct OverviewReturn {
  /// A report with its total, and the currencies of what was paid and earned.
  private struct Sums {
    let total: NamedCells
    let paid: [String]
    let earned: [String]

    /// - Returns: `nil` where nothing was paid.
    init?(_ report: Table) {
      guard let total = report.namedTotal else { return nil }
      func currencies(_ family: String) -> [String] {
        report.keys(after: family).filter { !$0.contains("-") && total[family + $0].amount ?? .zero > .zero }
      }
      (self.total, paid, earned) = (total, currencies("spend-"), currencies("revenue-mid-"))
      guard !paid.isEmpty else { return nil }
    }

    var currencies: [String] { Set(paid + earned).sorted() }

    /// The only currency of all amounts; `nil` where there are several.
    var only: String? { currencies.count == 1 ? currencies.first : nil }
  }

  private let own: Sums
  private let converted: Sums?

  /// - Parameters:
  ///   - report: The report of campaigns in the currencies of the amounts, or in the one of choice.
  ///   - convert: Makes the same report in a currency; it is asked where amounts are in several.
  /// - Returns: `nil` where nothing was paid.
  init?(_ report: Table, in convert: (CurrencyCode) throws -> Table) rethrows {
    guard let own = Sums(report) else { return nil }
    self.own = own
    var converted: Sums?
    // A currency that something was paid in has its amounts as they are.
    for currency in own.only == nil ? own.paid : [] {
      guard converted == nil, let code = CurrencyCode(currency) else { continue }
      converted = Sums(try convert(code)).flatMap { $0.only == nil ? nil : $0 }
    }
    self.converted = converted
  }

  /// The figure, or the amounts that were paid and why they have no return.
  func figure(title: HTML, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let paid = own.paid.map { currency in
      "<dd class=\"s\">\(texts.overviewSpend(amount: Marks.money(own.total["spend-\(currency)"].amount ?? .zero, in: currency), currency: "\(currency)"))</dd>"
        as HTML
    }
    var lines: [HTML] = []
    let sums = converted ?? own
    let back = sums.only.flatMap { sums.total["roas-mid-\($0)"].number }
    if let back {
      lines.append(
        "<dd class=\"v\">\(Marks.number(back, 2))</dd><dd class=\"s\">\(texts.overviewAllWindows)</dd>")
    }
    lines += paid
    if let currency = sums.only, let each = sums.total["ecpi-\(currency)"].amount {
      lines.append(
        "<dd class=\"s\">\(texts.overviewCostEach(cost: "\(Marks.money(each, in: currency)) \(currency)"))</dd>"
      )
    }
    if back == nil {
      lines.append("<dd class=\"s\">\(obstacle(sums, context))</dd>")
    } else if converted != nil {
      lines.append("<dd class=\"s\">\(texts.overviewConverted(currency: "\(sums.only ?? "")"))</dd>")
    }
    return "<div class=\"fig\"><dt>\(title)</dt>\(lines.joined())</div>"
  }

  private func obstacle(_ sums: Sums, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard !sums.earned.isEmpty else { return texts.overviewNoReturnRevenue }
    let reason = texts.overviewNoReturnRates(currencies: texts.list(sums.currencies.map { "\($0)" }))
    // Importing is for editors.
    guard context.mayEdit else { return reason }
    return "\(reason) <a href=\"\(DataPlace.path(of: "rates"))\">\(texts.overviewToRates)</a>"
  }
}
