import Campaigns
import EstimateReports
import Ledger
import Markup
import Pages
import Routing
import Tables
import Values

/// What one campaign cost and earned, by itself and by day.
struct CampaignMoney {
  let headline: Headline
  let byDay: [MoneyByDay]
  /// What it is called; `nil` where nothing of it is estimated.
  let place: CampaignPlace?
  /// How many last digits distinguish campaigns.
  let digits: Int

  init(_ screen: CampaignScreen, _ campaign: String, _ days: Range<Day>, _ context: ScreenContext) throws {
    let least = EstimateReport().digits
    let digits = min(4, max(least, screen.digits ?? campaign.count))
    self.digits = digits
    func rows(
      _ days: Range<Day>, by dimensions: [EstimateDimension], amongAll: Bool = false
    ) throws -> [EstimateReport.Row] {
      var report = try context.estimates(days, screen.scope, screen.money, by: dimensions)
      (report.digits, report.part.campaign) = (digits, amongAll ? nil : campaign)
      let found = try report.answer(from: context.source).rows.filter { $0.digits == campaign }
      // An address without an app or network can be of several campaigns with these digits.
      return found.filter { $0.app == found.first?.app && $0.network == found.first?.network }
    }
    // Estimates rest on all networks, so those who may see some of them have none.
    // The pages that lead here have estimated all campaigns of two digits.
    let now =
      context.viewer.limit.networks.isEmpty
      ? try rows(days, by: [.campaign], amongAll: digits == least) : []
    place = now.first?.place
    headline = Headline(now, before: now.isEmpty ? [] : try rows(days.before, by: [.campaign]))
    let daily = now.isEmpty ? [] : try rows(days, by: [.campaign, .day])
    byDay = headline.lines.map { MoneyByDay($0, daily, days.all, today: context.now.day) }
  }

  func cards(_ context: ScreenContext) -> HTML {
    HeadlineCards(
      headline: headline, context: context, byDay: byDay.count == 1 ? byDay[0] : nil,
      isOpen: byDay.contains { $0.firstOpen != nil }
    ).markup
  }
}
