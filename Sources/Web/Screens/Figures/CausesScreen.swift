import Arguments
import Campaigns
import EstimateReports
import Estimates
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// Why revenue moved from the days before: sentences first, then the causes as bars and as a table, then campaigns.
struct CausesScreen: ReportScreen, MoneyScreen {
  var span = DaySpan()
  var scope = Scope()
  var money = MoneyChoice()
  var format: Format?
  var table: SavedTable?

  /// The table that a file has.
  enum SavedTable: String, CaseIterable, ParameterValue {
    case causes
    case campaigns = "moved-campaigns"
  }

  static let path = "/causes"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.daily, 3)
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + Parameter.all(of: \.money) + [
      .init("format", \.format, "File to save instead of a page."),
      .init("table", \.table, "Table that the file has."),
    ]
  static let fileName = "causes"
  private static let shownCampaigns = 10

  static func title(_ texts: Texts) -> HTML { texts.causesTitle }

  func shownSpan(at now: Instant) -> DaySpan { DaySpan(span.installDays(at: now)) }

  func report(_ days: Range<Day>, _ context: ScreenContext) throws -> CausesReport {
    var report = CausesReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    report.scope = scope
    let money = try context.money(money, scope)
    (report.currency, report.days) = (money.currency, money.days)
    return report
  }

  func file(_ format: Format, _ report: CausesReport, _ context: ScreenContext) throws -> PageAnswer {
    let name = table == .campaigns ? CausesReport.campaigns.name : nil
    return .file(
      name ?? Self.fileName, format, try report.text(format, from: context.source, table: name))
  }

  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<CausesReport>, _ context: ScreenContext
  ) throws {
    let texts = context.texts
    form.currency(money.currency, rates: try context.reader.rates(), usual: texts.filterAsEveryone, texts)
    form.horizon(
      money.horizon, known: try context.reader.valueWorth(), of: scope.apps, usual: texts.filterAsEveryone,
      texts)
  }

  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML {
    texts.causesScope(days: days.markup, before: days.before.markup)
  }

  func empty(_ answer: ReportAnswer<CausesReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    return "\(Panel.empty(texts.causesNoneTitle, texts.causesNoneReason))\(Panel.notes(answer.notes, texts))"
  }

  func panels(
    _ answer: ReportAnswer<CausesReport>, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    let periods = answer.rows(of: CausesReport.periods)
    let parts = periods.filter { own in answer.rows.contains { $0.measure == own.measure } }
      .map { part(of: $0, among: periods, answer, days, context) }
    let asOf: HTML =
      periods.lazy.compactMap(\.isWithoutNewerThan).first.map { EstimateBasis.asOf($0, context.texts) } ?? ""
    return "\(asOf)\(parts.joined())\(Panel.notes(answer.notes, context.texts))"
  }

  // MARK: Parts of the page

  /// The causes in one currency, and up to one time since the install where a currency has several.
  private func part(
    of periods: CausesReport.Sums, among all: [CausesReport.Sums], _ answer: ReportAnswer<CausesReport>,
    _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    let (texts, measure) = (context.texts, periods.measure)
    let currency = measure.currency.text
    let own = answer.rows.filter { $0.measure == measure }
    let others = all.filter { $0.measure.currency == measure.currency }
    let place = others.firstIndex { $0.measure == measure } ?? 0
    let id = place == 0 ? currency : "\(currency)-\(place + 1)"
    let horizon: HTML =
      others.count > 1 ? "<h2>\(HeadlineCards.word(measure.horizon, texts))</h2>" : ""
    return """
      <section class="lead" aria-label="\(texts.causesTitle), \(id)">\(horizon)<p>\(sentences(own, currency, texts))</p></section>\
      <div class="half">\(chart(own, periods, id, days, texts))\(table(own, currency, id, texts))</div>\
      \(campaigns(of: measure, id, answer, context))
      """
  }

  private static func word(_ cause: RevenueMove.Cause?, _ texts: Texts) -> HTML {
    switch cause {
    case .volume: texts.causesVolume
    case .mix: texts.causesMix
    case .exchangeRates: texts.causesExchangeRates
    case .worth: texts.causesWorth
    case .mappingOrWorth: texts.causesMappingOrWorth
    case nil: texts.causesTogether
    }
  }

  /// What moved a campaign, cause by cause, and all together.
  static func causes(of row: CausesReport.CampaignRow, _ texts: Texts) -> [(word: HTML, amount: Amount)] {
    guard let change = row.change else { return [] }
    return RevenueMove.Cause.allCases.compactMap { cause in
      row.change(by: cause).map { (word(cause, texts), $0) }
    } + [(word(nil, texts), change)]
  }

  /// The whole change, then each cause that is sure, the largest first, then those that are not.
  private func sentences(_ rows: [CausesReport.Row], _ currency: String, _ texts: Texts) -> HTML {
    var parts: [HTML] = []
    if let all = rows.first(where: \.isWhole) {
      let amount: HTML = "<b>\(Marks.money(all.amount.magnitude, in: currency)) \(currency)</b>"
      let share: HTML =
        (all.relativeChange?.number).map { Marks.share($0.magnitude) } ?? Marks.none(texts)
      parts.append(
        !all.isSure
          ? texts.causesSame(amount: amount)
          : all.amount < .zero
            ? texts.causesFell(amount: amount, share: share) : texts.causesRose(amount: amount, share: share))
    }
    let causes = rows.filter { !$0.isWhole }.sorted { $0.amount.magnitude > $1.amount.magnitude }
    for row in causes where row.isSure {
      let amount: HTML = "<b>\(Marks.money(row.amount.magnitude, in: currency)) \(currency)</b>"
      let word = Self.word(row.cause, texts)
      parts.append(
        row.amount < .zero
          ? texts.causesLess(cause: word, amount: amount) : texts.causesMore(cause: word, amount: amount))
    }
    let unsure = causes.filter { !$0.isSure && $0.amount != .zero }
    if !unsure.isEmpty {
      parts.append(texts.causesUnsure(causes: texts.list(unsure.map { Self.word($0.cause, texts) })))
    }
    return parts.joined(separator: " ")
  }

  /// From the earlier period's revenue to the later one's, a bar for each cause.
  private func chart(
    _ rows: [CausesReport.Row], _ periods: CausesReport.Sums, _ id: String, _ days: Range<Day>, _ texts: Texts
  ) -> HTML {
    let (before, currency) = (periods.revenue.before ?? .zero, periods.measure.currency.text)
    let causes = rows.filter { !$0.isWhole }
    var place = before
    var bars: [(label: HTML, from: Amount, to: Amount, amount: HTML, style: HTML)] = [
      (days.before.markup, .zero, before, Marks.money(before), "f6")
    ]
    for row in causes {
      let next = place.adding(row.amount).sum
      bars.append(
        (
          Self.word(row.cause, texts), place, next, Self.signed(row.amount),
          row.amount < .zero ? "f5" : "f1"
        ))
      place = next
    }
    bars.append((days.markup, .zero, place, Marks.money(place), "f6"))
    let ends = (bars.dropFirst().dropLast().flatMap { [$0.from, $0.to] } + [before, place]).map {
      $0.units
    }
    // The axis begins near the bars, so that small causes are seen; the text below names its beginning.
    let (least, most) = (ends.min() ?? 0, max(ends.max() ?? 1, 1))
    let start = max(0, least - (most - least))
    let width = max(most - start, 1)
    func x(_ end: Amount) -> Double { min(100, max(0, (end.units - start) / width * 100)) }
    let lines = bars.map { bar -> HTML in
      let (left, right) = (min(x(bar.from), x(bar.to)), max(x(bar.from), x(bar.to)))
      return """
        <div class="fall"><span>\(bar.label)</span><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
        <rect class="\(bar.style)" x="\(trimmed(left, 2))" y="1" width="\(trimmed(max(right - left, 0.3), 2))" height="8"/></svg>\
        <span class="n">\(bar.amount)</span></div>
        """
    }
    return Panel.section(
      "fall-\(id)", texts.causesChart(currency: "\(currency)"),
      """
      <figure>\(lines.joined())<figcaption class="s soft">\(texts.causesAxis(amount: Marks.money(Amount(rounding: start) ?? .zero)))\
      </figcaption></figure>
      """)
  }

  /// An amount with its sign, which no dash can be taken for.
  static func signed(_ amount: Amount) -> HTML {
    if amount == .zero { return "0" }
    return amount < .zero ? "\u{2212}\(Marks.money(amount.magnitude))" : "+\(Marks.money(amount))"
  }

  private func table(
    _ rows: [CausesReport.Row], _ currency: String, _ id: String, _ texts: Texts
  ) -> HTML {
    Panel.section(
      "causes-\(id)", texts.causesParts(currency: "\(currency)"), note: texts.causesPartsNote,
      columns: [
        .init(texts.causesCause, isNumber: false, rows.map { Self.word($0.cause, texts) }),
        .init("\(currency)", rows.map { Self.signed($0.amount) }),
        .init(
          texts.causesInterval,
          rows.map { row in
            row.amountInterval.ends.map { Marks.range(Self.signed($0.low), Self.signed($0.high)) }
              ?? Marks.none(texts)
          }),
      ], hasTotal: true, texts)
  }

  private func campaigns(
    of measure: CausesReport.Measure, _ id: String, _ answer: ReportAnswer<CausesReport>,
    _ context: ScreenContext
  ) -> HTML {
    let (texts, currency) = (context.texts, measure.currency.text)
    let rows = answer.rows(of: CausesReport.campaigns).lazy.filter { $0.measure == measure }
      .prefix(Self.shownCampaigns)
    guard !rows.isEmpty else { return "" }
    return Panel.section(
      "moved-\(id)", texts.causesCampaigns(currency: "\(currency)"),
      link: context.csv(
        of: SavedTable.campaigns.rawValue, called: texts.causesCampaigns(currency: "\(currency)")),
      columns: [
        .init(
          texts.columnCampaign, isNumber: false,
          rows.map { CampaignName.markup($0.place, digits: CausesReport().digits, context) }),
        .init(texts.columnChange, rows.map { $0.change.map(Self.signed) ?? Marks.none(texts) }),
        .init(
          texts.columnConversions,
          rows.map { row in
            texts.causesBeforeNow(
              before: Marks.expected(row.conversions.before),
              now: Marks.expected(row.conversions.after))
          }),
        .init(
          texts.columnSpend,
          rows.map { row in
            guard let after = row.spend.after, let before = row.spend.before else { return Marks.none(texts) }
            return texts.causesBeforeNow(before: Marks.money(before), now: Marks.money(after))
          }),
      ], texts)
  }
}
