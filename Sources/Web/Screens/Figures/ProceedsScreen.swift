import Arguments
import Campaigns
import EstimateReports
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// What apps earned, divided into campaigns, organic users and reasons: the report of proceeds as a page to print.
struct ProceedsScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var horizon: Int?
  var format: Format?

  static let path = "/proceeds"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.measure, 9)
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("horizon", \.horizon, "Days since install whose revenue counts.", in: 1...3_650),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.proceedsTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    var report = ProceedsReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.apps, report.environment, report.days) = (scope.apps, scope.environment, horizon)
    if let format { return .file("proceeds", format, try report.text(format, from: context.source)) }
    let answer = try report.answer(from: context.source)
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.horizon(horizon, known: try context.reader.valueWorth(), of: scope.apps, texts)
    let filters = form.markup(summary: days.label, dropping: ["last"])
    let scopeLine = texts.proceedsScope(days: days.markup)
    let rows = answer.table.named
    guard !rows.isEmpty else {
      let link: HTML = """
        <a class="btn" href="\(PageAddress(DataPlace.path(of: "proceeds")).text)">\(DataPlace.title(of: "proceeds", texts))</a>
        """
      return .page(
        Page(
          texts.proceedsTitle, scope: scopeLine,
          body:
            "\(filters)\(Panel.empty(texts.proceedsNoneTitle, texts.proceedsNoneReason, link))\(Panel.notes(answer.notes, texts))"
        ))
    }
    let sections = Dictionary(grouping: rows) { $0.text("app") ?? "" }.sorted { $0.key < $1.key }.map {
      section($0.key, answer, $0.value, context)
    }
    return .page(
      Page(
        texts.proceedsTitle, scope: scopeLine, actions: context.fileLinks,
        body: "\(filters)\(sections.joined())\(Panel.notes(answer.notes, texts))"))
  }

  /// The account of one app: its lines add up to the last one.
  private func section(
    _ app: String, _ answer: ReportAnswer<ProceedsReport>, _ rows: [NamedCells], _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let table = ReportTable(answer.table, rows, texts)
    let currency = rows.lazy.compactMap { $0.text("currency") }.first
    func amounts(_ name: String) -> DataTable.Column {
      table.column(name, table.title(name)) { row in
        guard let amount = row[name].amount else { return Marks.none(texts) }
        let range: HTML =
          row["\(name).range"].bounds.map {
            Marks.range(
              Marks.money($0.low, in: currency), Marks.money($0.high, in: currency), isBelow: true)
          } ?? ""
        return "\(Marks.money(amount, in: currency))\(range)"
      }
    }
    let line = table.column("part", texts.proceedsLine, isNumber: false) { row in
      guard row.text("part") == ProceedsReport.Part.campaign.rawValue else {
        return "<b>\(Self.word(row.text("part") ?? "", texts))</b>"
      }
      return "\(CampaignName.markup(row, digits: 2, context))"
    }
    let worstCase = table.column("worst-case", table.title("worst-case")) { row in
      row["worst-case.range"].bounds.map {
        Marks.range(Marks.money($0.low, in: currency), Marks.money($0.high, in: currency))
      } ?? Marks.none(texts)
    }
    return Panel.section(
      "app-\(app)", "\(context.called.app(app))", note: "\(currency ?? "")",
      columns: [line, amounts("estimate"), amounts("amount"), worstCase], below: "", texts)
  }

  private static func word(_ part: String, _ texts: Texts) -> HTML {
    switch ProceedsReport.Part(rawValue: part) {
    case .organic: texts.proceedsOrganic
    case .ages: texts.proceedsAges
    case .earlierInstalls: texts.proceedsEarlierInstalls
    case .afterHorizon: texts.proceedsAfterHorizon
    case .afterPeriod: texts.proceedsAfterPeriod
    case .commission: texts.proceedsCommission
    case .refunds: texts.proceedsRefunds
    case .tax: texts.proceedsTax
    case .proceeds: texts.proceedsProceeds
    case .campaign, nil: "\(part)"
    }
  }
}
