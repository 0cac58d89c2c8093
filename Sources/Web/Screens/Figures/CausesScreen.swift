import Arguments
import Campaigns
import EstimateReports
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// Why revenue moved from the days before: sentences first, then the causes as bars and as a table, then campaigns.
struct CausesScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var currency: CurrencyCode?
  var format: Format?
  var table: SavedTable?

  /// The table that a file has.
  enum SavedTable: String, CaseIterable, ParameterValue {
    case causes
    case campaigns = "moved-campaigns"
  }

  static let path = "/causes"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.measure, 3)
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("currency", \.currency, "Currency to convert amounts to."),
      .init("format", \.format, "File to save instead of a page."),
      .init("table", \.table, "Table that the file has."),
    ]
  private static let shownCampaigns = 10

  static func title(_ texts: Texts) -> HTML { texts.causesTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    // Whole days and weeks can be compared, and today is not over.
    let today = context.now.day
    let span = span.isChosen ? span : DaySpan(Day(number: today.number - 7)..<today)
    let days = span.days(at: context.now)
    var report = CausesReport()
    report.period.from = days.lowerBound
    report.period.to = days.upperBound
    report.scope = scope
    report.currency = currency
    if let format {
      let name = (table == .causes ? nil : table)?.rawValue
      return .file(name ?? "causes", format, try report.text(format, from: context.source, table: name))
    }
    let answer = try report.answer(from: context.source)
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.currency(currency, rates: try context.reader.rates(), texts)
    let filters = form.markup(summary: days.label, dropping: ["last"])
    let scopeLine = texts.causesScope(days: days.markup, before: days.before.markup)
    let rows = answer.table.named
    guard !rows.isEmpty else {
      return .page(
        Page(
          texts.causesTitle, scope: scopeLine,
          body:
            "\(filters)\(Panel.empty(texts.causesNoneTitle, texts.causesNoneReason))\(Panel.notes(answer.notes, texts))"
        ))
    }
    var currencies: [String] = []
    for name in rows.compactMap({ $0.text("currency") }) where !currencies.contains(name) {
      currencies.append(name)
    }
    let panels = currencies.map { part(of: $0, rows, answer, days, context) }
    return .page(
      Page(
        texts.causesTitle, scope: scopeLine, actions: context.fileLinks,
        body: "\(filters)\(panels.joined())\(Panel.notes(answer.notes, texts))"))
  }

  // MARK: Parts of the page

  private func part(
    of currency: String, _ rows: [NamedCells], _ answer: ReportAnswer<CausesReport>, _ days: Range<Day>,
    _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let own = rows.filter { $0.text("currency") == currency }
    let periods = answer.detail("compared-periods")?.named.first { $0.text("currency") == currency }
    let before = periods?["previous-revenue"].amount ?? .zero
    return """
      <section class="lead" aria-label="\(texts.causesTitle), \(currency)"><p>\(sentences(own, currency, texts))</p></section>\
      <div class="two"><div class="stack">\(chart(own, before: before, currency, days, texts))</div>\
      <div class="stack">\(table(own, currency, texts))\(campaigns(of: currency, answer, context))</div></div>
      """
  }

  private static func word(_ cause: String, _ texts: Texts) -> HTML {
    switch cause {
    case "volume": texts.causesVolume
    case "mix": texts.causesMix
    case "withheld": texts.causesWithheld
    case "exchange-rates": texts.causesExchangeRates
    case "mapping": texts.causesMapping
    case "worth": texts.causesWorth
    case "mapping-or-worth": texts.causesMappingOrWorth
    default: texts.causesTogether
    }
  }

  /// The whole change, then each cause that is sure, the largest first, then those that are not.
  private func sentences(_ rows: [NamedCells], _ currency: String, _ texts: Texts) -> HTML {
    var parts: [HTML] = []
    if let all = rows.first(where: { $0.text("cause") == "together" }), let change = all["amount"].amount {
      let amount: HTML = "<b>\(Marks.money(change.magnitude, in: currency)) \(currency)</b>"
      let share: HTML = all["relative-change"].number.map { Marks.share($0.magnitude) } ?? Marks.none(texts)
      parts.append(
        !all["is-sure"].flag
          ? texts.causesSame(amount: amount)
          : change < .zero
            ? texts.causesFell(amount: amount, share: share) : texts.causesRose(amount: amount, share: share))
    }
    let causes = rows.filter { $0.text("cause") != "together" }.sorted {
      ($0["amount"].amount ?? .zero).magnitude > ($1["amount"].amount ?? .zero).magnitude
    }
    for row in causes where row["is-sure"].flag {
      guard let part = row["amount"].amount else { continue }
      let amount: HTML = "<b>\(Marks.money(part.magnitude, in: currency)) \(currency)</b>"
      let word = Self.word(row.text("cause") ?? "", texts)
      parts.append(
        part < .zero
          ? texts.causesLess(cause: word, amount: amount) : texts.causesMore(cause: word, amount: amount))
    }
    let unsure = causes.filter { !$0["is-sure"].flag && ($0["amount"].amount ?? .zero) != .zero }
    if !unsure.isEmpty {
      parts.append(
        texts.causesUnsure(
          causes: texts.list(unsure.map { Self.word($0.text("cause") ?? "", texts) })))
    }
    return parts.joined(separator: " ")
  }

  /// From the earlier period's revenue to the later one's, a bar for each cause.
  private func chart(
    _ rows: [NamedCells], before: Amount, _ currency: String, _ days: Range<Day>, _ texts: Texts
  ) -> HTML {
    let causes = rows.filter { $0.text("cause") != "together" }
    var place = before
    var bars: [(label: HTML, from: Amount, to: Amount, amount: HTML, style: HTML)] = [
      (days.before.markup, .zero, before, Marks.money(before), "f6")
    ]
    for row in causes {
      let amount = row["amount"].amount ?? .zero
      let next = place.adding(amount).sum
      bars.append(
        (
          Self.word(row.text("cause") ?? "", texts), place, next, Self.signed(amount),
          amount < .zero ? "f5" : "f1"
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
      "fall-\(currency)", texts.causesChart(currency: "\(currency)"),
      "\(lines.joined())<p class=\"s soft\">\(texts.causesAxis(amount: Marks.money(Amount(rounding: start) ?? .zero)))</p>"
    )
  }

  /// An amount with its sign, which no dash can be taken for.
  private static func signed(_ amount: Amount) -> HTML {
    if amount == .zero { return "0" }
    return amount < .zero ? "\u{2212}\(Marks.money(amount.magnitude))" : "+\(Marks.money(amount))"
  }

  private func table(_ rows: [NamedCells], _ currency: String, _ texts: Texts) -> HTML {
    Panel.section(
      "causes-\(currency)", texts.causesParts(currency: "\(currency)"), note: texts.causesPartsNote,
      columns: [
        .init(texts.causesCause, isNumber: false, rows.map { Self.word($0.text("cause") ?? "", texts) }),
        .init("\(currency)", rows.map { Self.signed($0["amount"].amount ?? .zero) }),
        .init(
          texts.causesInterval,
          rows.map { row in
            row["amount.range"].bounds.map { Marks.range(Self.signed($0.low), Self.signed($0.high)) }
              ?? Marks.none(texts)
          }),
      ], hasTotal: true, texts)
  }

  private func campaigns(of currency: String, _ answer: ReportAnswer<CausesReport>, _ context: ScreenContext)
    -> HTML
  {
    let texts = context.texts
    let rows = (answer.detail("moved-campaigns")?.named ?? []).filter { $0.text("currency") == currency }
      .prefix(Self.shownCampaigns)
    guard !rows.isEmpty else { return "" }
    return Panel.section(
      "moved-\(currency)", texts.causesCampaigns(currency: "\(currency)"),
      link: context.csv(of: SavedTable.campaigns.rawValue),
      columns: [
        .init(
          texts.columnCampaign, isNumber: false,
          rows.map { CampaignName.markup($0, digits: CausesReport().digits, context) }),
        .init(texts.columnChange, rows.map { Self.signed($0["change"].amount ?? .zero) }),
        .init(
          texts.columnConversions,
          rows.map { row in
            texts.causesBeforeNow(
              before: Marks.count(row.count("previous-conversions")),
              now: Marks.count(row.count("conversions")))
          }),
        .init(
          texts.columnSpend,
          rows.map { row in
            guard let after = row["spend"].amount, let before = row["previous-spend"].amount else {
              return Marks.none(texts)
            }
            return texts.causesBeforeNow(before: Marks.money(before), now: Marks.money(after))
          }),
      ], texts)
  }
}
