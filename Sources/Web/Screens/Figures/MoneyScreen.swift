import Arguments
import Campaigns
import EstimateReports
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Values

/// A page of estimated money, which the head of every such page describes in the same line.
protocol MoneyScreen: ScreenContent {
  var scope: Scope { get }
  var money: MoneyChoice { get }
}

extension ScreenContext {
  /// What estimated money of a page is of: as its address asks, else as the service does.
  func money(_ choice: MoneyChoice, _ scope: Scope) throws -> ReportingMoney {
    var money = try ReportingMoney(ofService: reader, for: scope.apps, now: now)
    if let currency = choice.currency { money.currency = currency }
    if let horizon = choice.horizon { money.days = horizon }
    return money
  }

  /// The one question about money that all pages ask: the estimate of the installs of some days.
  func estimates(
    _ days: Range<Day>, _ scope: Scope, _ choice: MoneyChoice, by: [EstimateDimension] = [.campaign]
  ) throws -> EstimateReport {
    EstimateReport(days, scope, by: by, in: try money(choice, scope))
  }
}

extension MoneyScreen {
  /// The line of the head: the currency and the days of all money of the page; nothing where there is none.
  func moneyLine(_ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let shown = try context.money(money, scope)
    guard let currency = shown.currency.map({ code -> HTML in "\(code.text)" }) else { return "" }
    let line: HTML
    if let days = shown.days {
      line = texts.frameMoneyDays(currency: currency, count: days)
    } else {
      let hours = try ReportingMoney.hours(of: scope.apps, context.reader, now: context.now)
      line =
        if hours.count == 1, let hours = hours.first ?? nil {
          texts.frameMoneyHours(currency: currency, count: hours)
        } else if hours.count > 1 {
          texts.frameMoneySeveralHours(currency: currency)
        } else {
          texts.frameMoneyValues(currency: currency)
        }
    }
    let link: HTML? =
      if money.isMade {
        "<a href=\"\(context.address.without(MoneyChoice.names.union(["page"])).text)\">\(texts.frameMoneyAsEveryone)</a>"
      } else if context.mayEdit, context.viewer.limit.isNone {
        "<a href=\"\(PageAddress(DataIndexScreen.path).at(part: MoneyForm.part).text)\">\(texts.frameMoneyChange)</a>"
      } else {
        nil
      }
    let separated: HTML = link.map { " \($0)" } ?? ""
    return "\(line)\(separated)"
  }
}

extension DaySpan {
  /// The days of installs that a page of money shows: those that were chosen, or so many that end where most postbacks have
  /// arrived, because returns of later days can only rise.
  func installDays(at now: Instant) -> Range<Day> {
    guard from == nil, through == nil else { return days(at: now) }
    return EstimateReport.installDays(last?.days ?? EstimateReport.usualDays, at: now)
  }
}
