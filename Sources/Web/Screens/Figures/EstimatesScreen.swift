import Arguments
import Campaigns
import EstimateReports
import Estimates
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Tables
import Values

/// What campaigns are worth with the values that Apple withheld, with intervals.
struct EstimatesScreen: ReportScreen {
  var span = DaySpan()
  var scope = Scope()
  var by = EstimateGrouping.campaign
  var digits = 2
  var horizon: Int?
  var currency: CurrencyCode?
  var target = ReturnTarget.one
  var verdict: ReturnVerdict?
  var leastInstalls = 0
  /// `nil` for the order that fits the rows.
  var sort: String?
  var columns: [EstimateColumn] = []
  var page = 1
  var format: Format?

  static let path = "/estimates"
  static let isOfApps = true
  static let formRole: ViewerRole? = .reader
  static let place: NavigationPlace? = NavigationPlace(.measure, 6)
  static let fileName = "estimates"
  static let hasSavedViews = true
  static let rowsOfPage = 100
  /// Campaigns whose verdicts are counted at most.
  private static let mostCounted = 500
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("by", \.by, "What rows are about."),
      .init("digits", \.digits, "Last digits of a source identifier.", in: 2...4),
      .init("horizon", \.horizon, "Days since install whose revenue is estimated.", in: 1...3_650),
      .init("currency", \.currency, "Currency to convert amounts to."),
      .init("target", \.target, "Return on spend that campaigns are judged by."),
      .init(
        "verdict", \.verdict, "Campaigns to show: surely above the target, surely below it, or neither yet."),
      .init(
        "least-installs", \.leastInstalls, "Fewest installs of a campaign to show.", in: 0...1_000_000_000),
      .init("sort", \.sort, "Column to sort by."),
      .init("columns", \.columns, "Columns to show, in their order."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.estimatesTitle }

  /// Dates are shown newest first, others by their size.
  private var usualSort: String { (by.date ?? EstimateReport.installs).descending }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    try SavedViews(context).answer(form)
  }

  var order: (sort: String, usual: String)? { (sort ?? usualSort, usualSort) }

  /// Of later days postbacks are still to come, so that their returns can only rise.
  func usualSpan(at now: Instant) -> DaySpan {
    DaySpan(through: Day(number: now.day.number - EstimateReport.daysToArrive))
  }

  func report(_ days: Range<Day>) -> EstimateReport {
    var report = EstimateReport()
    (report.period.from, report.period.to) = (days.lowerBound, days.upperBound)
    (report.scope, report.by, report.digits, report.days) = (scope, by.dimensions, digits, horizon)
    (report.currency, report.target, report.leastInstalls) = (currency, target, leastInstalls)
    return report
  }

  /// The rows with the verdict that was asked for.
  private func found(_ answer: ReportAnswer<EstimateReport>) -> [EstimateReport.Row] {
    answer.rows.filter { verdict == nil || $0.verdict == verdict }
  }

  func file(_ format: Format, _ report: EstimateReport, _ context: ScreenContext) throws -> PageAnswer {
    let answer = try answer(of: report, context)
    let rows = found(answer)
    let columns = columns(answer, rows, [], context)
    return .file(Self.fileName, format, answer.text(format, rows, columns.flatMap(\.shown)))
  }

  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<EstimateReport>, _ context: ScreenContext
  ) throws {
    let texts = context.texts
    form.choice(
      "by", texts.filterBy, by == .campaign ? "" : by.rawValue,
      EstimateGrouping.allCases.map { ($0 == .campaign ? "" : $0.rawValue, $0.title(texts)) })
    form.digits(digits)
    form.horizon(horizon, known: try context.reader.valueWorth(), of: scope.apps, texts)
    form.currency(currency, rates: try context.reader.rates(), texts)
    form.number("target", texts.filterTarget, target.parameterText)
    form.number("least-installs", texts.filterLeastInstalls, leastInstalls == 0 ? "" : "\(leastInstalls)")
    form.columns(
      "columns", chosen(found(answer)).map(\.rawValue),
      EstimateColumn.allCases.map { ($0.rawValue, $0.title(texts)) })
  }

  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML { texts.estimatesScope(days: days.markup) }

  func empty(_ answer: ReportAnswer<EstimateReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let panel = Panel.empty(texts.estimatesNoneTitle, texts.estimatesNoneReason)
    return "\(panel)\(Panel.notes(answer.notes, texts))"
  }

  func panels(
    _ answer: ReportAnswer<EstimateReport>, _ days: Range<Day>, _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    return """
      \(asOf(answer, texts))\(leftOut(answer, context))\(figures(answer, texts))\(decisions(answer, context))\
      \(panel(answer, found(answer), context))\(basis(answer, texts))\(Panel.notes(answer.notes, texts))
      """
  }

  /// The moment of the estimates, where newer conversions are not in them yet.
  private func asOf(_ answer: ReportAnswer<EstimateReport>, _ texts: Texts) -> HTML {
    answer.rows(of: EstimateReport.basis).first?.isWithoutNewerThan.map {
      Panel.banner(texts.estimatesAsOf(time: Marks.moment($0)), .note)
    } ?? ""
  }

  /// The mapping versions without figures, because nothing is known yet of their users by the horizon.
  private func leftOut(_ answer: ReportAnswer<EstimateReport>, _ context: ScreenContext) -> HTML {
    answer.rows(of: EstimateReport.leftOut).map { version -> HTML in
      Panel.banner(
        context.texts.estimatesLeftOutVersion(
          count: Int(nearest: version.postbacks), version: "\(version.number)",
          app: context.called.app(version.app.number),
          day: Marks.day(version.effectiveFrom.day, hasYear: true), days: horizon ?? 0), .note)
    }.joined()
  }

  private func figures(_ answer: ReportAnswer<EstimateReport>, _ texts: Texts) -> HTML {
    let undivided = answer.rows(of: EstimateReport.notDivided)
    let cards = answer.rows(of: EstimateReport.totals).flatMap { row -> [HTML] in
      guard let estimate = row.estimatedRevenue else { return [] }
      func money(_ amount: Amount) -> HTML { Marks.money(amount, in: row.currency?.text) }
      func amount(_ amount: Amount?) -> HTML {
        "\(amount.map(money) ?? Marks.none(texts)) <small>\(row.currency?.text ?? "")</small>"
      }
      let interval: HTML =
        row.estimatedRevenueInterval?.ends.map {
          texts.markInterval(range: Marks.range(money($0.low), money($0.high)))
        } ?? ""
      let share: HTML =
        row.estimatedShare?.number.map { texts.estimatesShare(share: Marks.share($0)) } ?? ""
      let rest: HTML =
        undivided.first { $0.currency == row.currency && $0.horizon == row.horizon }?.estimatedRevenue.map {
          texts.estimatesNotDivided(amount: money($0))
        } ?? ""
      let horizon: HTML = "\(row.horizon.columnText)"
      return [
        Panel.figure(
          texts.estimatesEstimated(horizon: horizon), amount(estimate), interval, share, rest),
        Panel.figure(
          texts.estimatesDecoded(horizon: horizon), amount(row.decodedRevenue), texts.estimatesDecodedNote),
      ]
    }
    return cards.isEmpty ? "" : Panel.figures(cards, label: texts.overviewFigures)
  }

  // MARK: Decisions

  /// Buttons that leave the campaigns of one verdict, with how many there are where that costs little.
  private func decisions(_ answer: ReportAnswer<EstimateReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let rows = answer.rows
    guard rows.contains(where: { $0.spend != nil }) else { return "" }
    // Each verdict needs the draws of its row.
    let counts: [ReturnVerdict?: Int]? =
      rows.count > Self.mostCounted ? nil : Dictionary(grouping: rows, by: \.verdict).mapValues(\.count)
    let choices: [(ReturnVerdict?, HTML)] = [
      (nil, texts.filterAll), (.no, texts.estimatesBelow(target: "\(target.parameterText)")),
      (.yes, texts.estimatesAbove(target: "\(target.parameterText)")),
      (.undecided, texts.estimatesUndecided),
    ]
    let links = choices.map { choice, word -> HTML in
      let current: HTML = choice == verdict ? " aria-current=\"true\"" : ""
      let address = context.address.with("verdict", choice?.rawValue).without(["page"])
      let count: HTML =
        counts.map { counts in
          " <span class=\"soft\">\(Marks.count(Int64(choice == nil ? rows.count : counts[choice] ?? 0)))</span>"
        } ?? ""
      return "<a href=\"\(address.text)\"\(current)>\(word)\(count)</a>"
    }
    return """
      <div class="decide"><span class="label" id="decide">\(texts.estimatesDecide)</span>\
      <span class="seg" role="group" aria-labelledby="decide">\(links.joined())</span></div>
      """
  }

  /// The verdict on a row's return, and about when it is decided where it is not.
  private static func badge(_ row: EstimateReport.Row, _ texts: Texts) -> HTML {
    switch row.verdict {
    case .no: return "<span class=\"badge bad\">\(texts.estimatesVerdictBelow)</span>"
    case .yes: return "<span class=\"badge good\">\(texts.estimatesVerdictAbove)</span>"
    case .undecided:
      let days: HTML =
        row.daysToDecide.map { " <small>\(texts.estimatesDaysToDecide(count: $0))</small>" } ?? ""
      return "<span class=\"badge\">\(texts.estimatesUndecided)</span>\(days)"
    case nil: return Marks.none(texts)
    }
  }

  /// What to know before using the numbers of a row, in words.
  private static func word(ofFlag flag: EstimateFlag, _ texts: Texts) -> HTML {
    switch flag {
    case .nothingRevealed: texts.estimatesFlagNothingRevealed
    case .mostlyHidden: texts.estimatesFlagMostlyWithheld
    case .noEvidence: texts.estimatesFlagNoEvidence
    case .amountsFromMapping: texts.estimatesFlagAmountsFromMapping
    case .openEnded: texts.estimatesFlagOpenEnded
    case .tooManyForRule: texts.estimatesFlagTooManyForRule
    case .leftOut: texts.estimatesFlagLeftOut
    case .oneSided: texts.estimatesFlagOneSided
    }
  }

  // MARK: Table

  /// The columns to show: those that were asked for, or the usual ones.
  private func chosen(_ rows: [EstimateReport.Row]) -> [EstimateColumn] {
    guard columns.isEmpty else { return columns }
    let hasSpend = rows.contains { $0.spend != nil }
    let apps = Set(rows.lazy.compactMap(\.app).prefix(500))
    return EstimateColumn.usual.filter { column in
      switch column {
      case .leftOut: rows.contains { $0.leftOut >= 0.5 }
      case .app: apps.count > 1 && by != .app
      case .network: by.hasOneNetwork
      case .verdict, .returns: hasSpend
      case .shared: by.isPartlyShown
      default: true
      }
    }
  }

  private func panel(
    _ answer: ReportAnswer<EstimateReport>, _ rows: [EstimateReport.Row], _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    // Rows of other pages have no draws yet.
    let page = Panel.page(page, of: Self.rowsOfPage, rows, context.address, texts)
    return Panel.section(
      "estimates", texts.estimatesTable,
      note: by == .campaign
        ? texts.campaignsCount(count: rows.count) : texts.campaignsRows(count: rows.count),
      columns: columns(answer, rows, page.rows, context).of(page.rows, texts),
      sorted: (answer.sort, context.address), below: page.links, texts)
  }

  /// - Parameters:
  ///   - rows: All rows found.
  ///   - shown: Those of the page, which have one scale.
  private func columns(
    _ answer: ReportAnswer<EstimateReport>, _ rows: [EstimateReport.Row], _ shown: [EstimateReport.Row],
    _ context: ScreenContext
  ) -> [ReportColumn<EstimateReport.Row>] {
    let byHorizon = HorizonColumns(answer, rows, shown, target: target, context.texts)
    return [by.column(digits: digits, context)]
      + chosen(rows).flatMap { column -> [ReportColumn<EstimateReport.Row>] in
        let (texts, title) = (context.texts, column.title(context.texts))
        switch column {
        case .app:
          return answer.has(EstimateReport.app) ? [.app(EstimateReport.app, title, context.called)] : []
        case .network:
          return answer.has(EstimateReport.network)
            ? [.network(EstimateReport.network, title, context.called)] : []
        case .verdict:
          return [
            ReportColumn(
              EstimateReport.verdict, title, shows: [EstimateReport.verdict, EstimateReport.daysToDecide],
              isNumber: false
            ) { Self.badge($0, texts) }
          ]
        case .installs: return [ReportColumn(EstimateReport.installs, title)]
        case .leftOut: return [ReportColumn(EstimateReport.leftOutPostbacks, title)]
        case .spend:
          return [
            .money(
              EstimateReport.spend, title, shows: [EstimateReport.spend, EstimateReport.currency], texts,
              in: \.currency)
          ]
        case .withheld:
          return [
            ReportColumn(EstimateReport.nullShare, title) {
              $0.nullShare?.number.map { Marks.share($0) } ?? Marks.none(texts)
            }
          ]
        case .decoded: return byHorizon.decoded
        case .estimated: return byHorizon.estimated
        case .shared: return byHorizon.shared
        case .returns: return byHorizon.returns
        case .flags:
          return [
            ReportColumn(EstimateReport.flags, title, isNumber: false, style: "s") { row in
              row.flags.map { flag -> HTML in
                "<span class=\"badge\">\(Self.word(ofFlag: flag, texts))</span>"
              }.joined(separator: " ")
            }
          ]
        }
      }
  }
}
