import EstimateReports
import Estimates
import Ledger
import Markup
import Pages
import Tables
import Values

/// What needs a look, as a few sentences: campaigns that surely cost more than they earn, alerts, and spend of no campaign.
struct AttentionList {
  private static let mostSentences = 5

  private let sentences: [(style: HTML, text: HTML)]
  private let texts: Texts

  /// - Parameters:
  ///   - answer: Estimates by campaign, those with most spend first.
  ///   - headline: Their totals beside those of the days before.
  ///   - isOpen: Whether postbacks of some of the days are still to come.
  ///   - kept: Parameters that links to other figures take along.
  init(
    _ answer: ReportAnswer<EstimateReport>, _ headline: Headline, isOpen: Bool, keeping kept: Set<String>,
    _ context: ScreenContext
  ) {
    texts = context.texts
    let alerts = context.alerts.sorted { Self.order($0.severity) < Self.order($1.severity) }
      .map { alert -> (HTML, HTML) in
        (
          alert.severity == "critical" ? "bad" : "",
          "\(context.texts.say(alert.sentence)) <a href=\"\(HealthScreen.path)\">\(context.texts.healthTitle)</a>"
        )
      }
    let money = [
      Self.losses(answer.rows, keeping: kept, context),
      isOpen ? nil : Self.fall(headline, keeping: kept, context),
    ].compactMap(\.self)
    let unmatched = Self.unmatched(answer, context)
    let room = Self.mostSentences - money.count - unmatched.count
    sentences = Array((money + alerts.prefix(max(1, room)) + unmatched).prefix(Self.mostSentences))
  }

  var panel: HTML {
    let items = sentences.map { style, text -> HTML in
      "<li\(style.text.isEmpty ? "" : " class=\"\(style)\"" as HTML)><p>\(text)</p></li>"
    }
    let list: HTML =
      items.isEmpty
      ? "<p class=\"below soft\">\(texts.overviewNoAlerts)</p>"
      : "<ul class=\"sentences\">\(items.joined())</ul>"
    return Panel.section("alerts", texts.overviewAlerts, flush: true, list)
  }

  private static func order(_ severity: String) -> Int { severity == "critical" ? 0 : 1 }

  /// The campaigns whose whole interval is below the target, and what they cost more than they earned.
  private static func losses(
    _ rows: [EstimateReport.Row], keeping kept: Set<String>, _ context: ScreenContext
  ) -> (HTML, HTML)? {
    let texts = context.texts
    guard let losses = SureLosses(rows), let first = losses.rows.first else { return nil }
    func money(_ amount: Amount) -> HTML {
      "<b>\(Marks.money(amount, in: first.currency?.text))</b> \(first.currency?.text ?? "")"
    }
    let page = CampaignName.address(first.place, from: context.address, digits: EstimateReport().digits)
    let name: HTML = "<a href=\"\(page.text)\">\(CampaignName.words(first.place, texts))</a>"
    let one = texts.attentionLoses(
      campaign: name, spend: money(first.comparedSpend), revenue: money(first.comparedRevenue ?? .zero))
    guard losses.rows.count > 1 else { return ("bad", one) }
    let target = context.address.moved(to: CampaignsScreen.path, keeping: kept).with("verdict", "no")
    let more: HTML =
      "<a href=\"\(target.text)\">\(texts.attentionMore(count: losses.rows.count - 1))</a>"
    return ("bad", "\(one) \(texts.attentionTogether(campaigns: more, amount: money(losses.amount)))")
  }

  /// A fall of estimated revenue that is more than chance.
  private static func fall(
    _ headline: Headline, keeping kept: Set<String>, _ context: ScreenContext
  ) -> (HTML, HTML)? {
    let moves = headline.lines.compactMap { line in line.revenueMove.map { (line, $0) } }
    guard let (_, move) = moves.first(where: { $0.1.isSure && $0.1.share < 0 }) else { return nil }
    let target = context.address.moved(to: CausesScreen.path, keeping: kept)
    return (
      "",
      "\(context.texts.attentionFell(share: Marks.share(move.share.magnitude))) <a href=\"\(target.text)\">\(context.texts.causesTitle)</a>"
    )
  }

  /// Spend that belongs to no campaign.
  private static func unmatched(
    _ answer: ReportAnswer<EstimateReport>, _ context: ScreenContext
  ) -> [(HTML, HTML)] {
    let amounts = answer.rows(of: EstimateReport.unmatchedSpend).filter { $0.value > .zero }
    guard !amounts.isEmpty else { return [] }
    let words = amounts.map { currency, amount -> HTML in
      "<b>\(Marks.money(amount, in: currency.text))</b> \(currency.text)"
    }
    let link: HTML =
      context.mayEdit
      ? " <a href=\"\(DataPlace.path(of: "names"))\">\(context.texts.attentionName)</a>" : ""
    return [("", "\(context.texts.attentionUnmatched(amount: context.texts.list(words)))\(link)")]
  }
}
