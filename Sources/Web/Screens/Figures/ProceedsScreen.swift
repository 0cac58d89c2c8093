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
struct ProceedsScreen: ReportScreen {
  var span = DaySpan()
  var scope = Scope()
  var horizon: Int?
  var format: Format?

  static let path = "/proceeds"
  static let isOfApps = true
  static let place: NavigationPlace? = NavigationPlace(.details, 6)
  static let fileName = "proceeds"
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("horizon", \.horizon, "Days since install whose revenue counts.", in: 1...3_650),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.proceedsTitle }

  func report(_ days: Range<Day>, _ context: ScreenContext) -> ProceedsReport {
    var report = ProceedsReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.apps, report.environment, report.days) = (scope.apps, scope.environment, horizon)
    return report
  }

  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<ProceedsReport>, _ context: ScreenContext
  ) throws {
    form.horizon(horizon, known: try context.reader.valueWorth(), of: scope.apps, context.texts)
  }

  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML { texts.proceedsScope(days: days.markup) }

  func empty(_ answer: ReportAnswer<ProceedsReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let link: HTML = """
      <a class="btn" href="\(PageAddress(DataPlace.path(of: "proceeds")).text)">\(DataPlace.title(of: "proceeds", texts))</a>
      """
    return """
      \(Panel.empty(texts.proceedsNoneTitle, texts.proceedsNoneReason, link))\(Panel.notes(answer.notes, texts))
      """
  }

  func panels(
    _ answer: ReportAnswer<ProceedsReport>, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    let sections = Dictionary(grouping: answer.rows) { "\($0.app.number)" }.sorted { $0.key < $1.key }.map {
      section($0.key, $0.value, context)
    }
    return "\(sections.joined())\(Panel.notes(answer.notes, context.texts))"
  }

  /// The account of one app: its lines add up to the last one.
  private func section(
    _ app: String, _ rows: [ProceedsReport.Row], _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let currency = (rows.lazy.compactMap(\.currency).first)?.text
    func amounts(
      _ column: Column<ProceedsReport.Row>, _ interval: @escaping (ProceedsReport.Row) -> Bounds<Amount>?
    ) -> ReportColumn<ProceedsReport.Row> {
      ReportColumn(column, texts.say(phrase: column.header.title)) { row in
        guard let amount = column.cell(of: row).amount else { return Marks.none(texts) }
        let range: HTML =
          (interval(row)?.ends).map {
            Marks.range(
              Marks.money($0.low, in: currency), Marks.money($0.high, in: currency), isBelow: true)
          } ?? ""
        return "\(Marks.money(amount, in: currency))\(range)"
      }
    }
    let line = ReportColumn(ProceedsReport.part, texts.proceedsLine, isNumber: false) { row in
      row.place.map { CampaignName.markup($0, digits: 2, context) } ?? "<b>\(Self.word(row.part, texts))</b>"
    }
    let worstCase = ReportColumn(
      ProceedsReport.worstCase, texts.say(phrase: ProceedsReport.worstCase.header.title)
    ) { row in
      (row.worstCaseBounds?.ends).map {
        Marks.range(Marks.money($0.low, in: currency), Marks.money($0.high, in: currency))
      } ?? Marks.none(texts)
    }
    let columns = [
      line, amounts(ProceedsReport.estimate, \.estimateBounds),
      amounts(ProceedsReport.amount, \.amountBounds), worstCase,
    ]
    return Panel.section(
      "app-\(app)", "\(context.called.app(app))", note: "\(currency ?? "")",
      columns: columns.of(rows, texts), below: "", texts)
  }

  private static func word(_ part: ProceedsReport.Part, _ texts: Texts) -> HTML {
    switch part {
    case .organic: texts.proceedsOrganic
    case .ages: texts.proceedsAges
    case .earlierInstalls: texts.proceedsEarlierInstalls
    case .afterHorizon: texts.proceedsAfterHorizon
    case .afterPeriod: texts.proceedsAfterPeriod
    case .commission: texts.proceedsCommission
    case .refunds: texts.proceedsRefunds
    case .tax: texts.proceedsTax
    case .proceeds: texts.proceedsProceeds
    case .campaign: "\(part.rawValue)"
    }
  }
}
