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
struct EstimatesScreen: ScreenContent {
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
  private var usualSort: String { by.date.map { "-\($0)" } ?? "-installs" }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    try SavedViews(context).answer(form)
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    // Of later days postbacks are still to come, so that their returns can only rise.
    let span =
      span.isChosen
      ? span : DaySpan(through: Day(number: context.now.day.number - EstimateReport.daysToArrive))
    let days = span.days(at: context.now)
    var report = EstimateReport()
    report.period.from = days.lowerBound
    report.period.to = days.upperBound
    report.scope = scope
    report.by = by.dimensions
    report.digits = digits
    report.days = horizon
    report.currency = currency
    report.target = target
    report.leastInstalls = leastInstalls
    let (answer, sort) = try ReportOrder.used(EstimateReport.self, asked: sort ?? usualSort, usual: usualSort)
    {
      try report.answer(from: context.source, sort: $0)
    }
    let rows = answer.table.named.filter { verdict == nil || $0.text("verdict") == verdict?.rawValue }
    if let format {
      let table = ReportTable(answer.table, [], of: rows, texts)
      return .file("estimates", format, table.text(format, columns(table, answer.table, rows, [], context)))
    }
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice(
      "by", texts.filterBy, by == .campaign ? "" : by.rawValue,
      EstimateGrouping.allCases.map { ($0 == .campaign ? "" : $0.rawValue, $0.title(texts)) })
    form.digits(digits)
    form.horizon(horizon, known: try context.reader.valueWorth(), of: scope.apps, texts)
    form.currency(currency, rates: try context.reader.rates(), texts)
    form.number("target", texts.filterTarget, target.parameterText)
    form.number("least-installs", texts.filterLeastInstalls, leastInstalls == 0 ? "" : "\(leastInstalls)")
    form.columns(
      "columns", chosen(answer.table, rows).map(\.rawValue),
      EstimateColumn.allCases.map { ($0.rawValue, $0.title(texts)) })
    let views = try SavedViews(context)
    let filters: HTML = "\(views.list)\(form.markup(summary: days.label, dropping: ["last", "page"]))"
    let scopeLine = texts.estimatesScope(days: days.markup)
    guard !answer.table.rows.isEmpty else {
      let empty = Panel.empty(texts.estimatesNoneTitle, texts.estimatesNoneReason)
      return .page(
        Page(
          texts.estimatesTitle, scope: scopeLine, actions: views.button,
          body: "\(filters)\(empty)\(Panel.notes(answer.notes, texts))"))
    }
    return .page(
      Page(
        texts.estimatesTitle, scope: scopeLine, actions: "\(context.fileLinks)\(views.button)",
        body: """
          \(filters)\(leftOut(answer, context))\(figures(answer, texts))\(decisions(answer, context))\(panel(answer, rows, sortedBy: sort, context))\(basis(answer, texts))\(Panel.notes(answer.notes, texts))
          """))
  }

  /// The horizons of an answer, such as `48h`.
  static func horizons(_ table: Table) -> [String] {
    table.headers.compactMap { header in
      header.fields.count == 1 && header.name.hasPrefix("estimated-revenue-")
        && !header.name.hasPrefix("estimated-revenue-per-")
        ? String(header.name.dropFirst("estimated-revenue-".count)) : nil
    }
  }

  /// The mapping versions without figures, because nothing is known yet of their users by the horizon.
  private func leftOut(_ answer: ReportAnswer<EstimateReport>, _ context: ScreenContext) -> HTML {
    let versions = answer.detail("left-out-versions")?.named ?? []
    return versions.map { row -> HTML in
      let from = row.text("effective-from").flatMap { Instant($0) }
      return Panel.banner(
        context.texts.estimatesLeftOutVersion(
          count: Int(nearest: (row["left-out"].number ?? 0)),
          version: row["version"].integer.map { number -> HTML in "\(String(number))" } ?? "",
          app: context.called.app(row.text("app") ?? ""),
          day: from.map { Marks.day($0.day, hasYear: true) } ?? "",
          days: horizon ?? 0), .note)
    }.joined()
  }

  /// An estimate with its interval, on the scale of its column; a ratio has a mark at the target.
  private func cell(
    _ row: NamedCells, _ name: String, _ texts: Texts, most: Double, isRatio: Bool = false, unit: HTML = ""
  ) -> HTML {
    guard let mid = row[name].amount else {
      // A row of another horizon has neither, nor has one that is left out.
      return row[name.replacing("estimated-revenue-", with: "decoded-revenue-")] == .none
        ? Marks.none(texts) : texts.estimatesAllWithheld
    }
    func number(_ amount: Amount) -> HTML {
      isRatio ? Marks.number(amount.units, 2) : Marks.money(amount, in: row.text("currency"))
    }
    guard let (low, high) = row[name + ".range"].bounds else { return "\(number(mid))\(unit)" }
    let whisker = Marks.whisker(
      low: low.units, mid: mid.units, high: high.units, most: most, isEstimate: true,
      one: isRatio ? target.ratio : nil)
    return "\(number(mid))\(unit)\(Marks.range(number(low), number(high), isBelow: true))\(whisker)"
  }

  /// The end of the scale of a column, so that its whiskers can be compared.
  ///
  /// Where a few rows are far above all others, such as the returns of campaigns with next to no spend, it ends where nine
  /// of ten rows and what they are compared with have room; the whiskers of the others go to its end, their words do not.
  private static func scale(_ rows: [NamedCells], _ name: String, holding least: Double = 1) -> Double {
    let ends = rows.compactMap { $0[name + ".range"].bounds?.high.units }.sorted()
    guard let most = ends.last else { return least * 1.1 }
    let usual = ends[min(ends.count - 1, ends.count * 9 / 10)]
    return max(most <= 3 * usual ? most : usual, least) * 1.1
  }

  private func figures(_ answer: ReportAnswer<EstimateReport>, _ texts: Texts) -> HTML {
    guard let totals = answer.detail("totals") else { return "" }
    let cards = totals.named.flatMap { row in
      Self.horizons(totals).filter { row["estimated-revenue-\($0)"] != .none }.prefix(1).flatMap {
        horizon -> [HTML] in
        func amount(_ name: String) -> HTML {
          let money = row[name].amount.map { Marks.money($0, in: row.text("currency")) } ?? Marks.none(texts)
          return "\(money) <small>\(row.text("currency") ?? "")</small>"
        }
        let estimate = "estimated-revenue-\(horizon)"
        let interval: HTML =
          row[estimate + ".range"].bounds.map {
            texts.markInterval(
              range: Marks.range(
                Marks.money($0.low, in: row.text("currency")), Marks.money($0.high, in: row.text("currency")))
            )
          } ?? ""
        let share: HTML =
          row["estimated-share-of-revenue-\(horizon)"].number.map {
            texts.estimatesShare(share: Marks.share($0))
          } ?? ""
        let undivided = answer.detail("not-divided")?.named.first {
          $0.text("currency") == row.text("currency") && $0[estimate] != .none
        }
        let rest: HTML =
          undivided.flatMap { $0[estimate].amount }.map {
            texts.estimatesNotDivided(amount: Marks.money($0, in: row.text("currency")))
          } ?? ""
        return [
          Panel.figure(
            texts.estimatesEstimated(horizon: "\(horizon)"), amount(estimate), interval, share, rest),
          Panel.figure(
            texts.estimatesDecoded(horizon: "\(horizon)"), amount("decoded-revenue-\(horizon)"),
            texts.estimatesDecodedNote),
        ]
      }
    }
    return cards.isEmpty ? "" : Panel.figures(cards, label: texts.overviewFigures)
  }

  // MARK: Decisions

  /// Buttons that leave the campaigns of one verdict, with how many there are where that costs little.
  private func decisions(_ answer: ReportAnswer<EstimateReport>, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let rows = answer.table.named
    guard rows.contains(where: { $0["spend"] != .none }) else { return "" }
    // Each verdict needs the draws of its row.
    let counts: [String?: Int]? =
      rows.count > Self.mostCounted
      ? nil : Dictionary(grouping: rows) { $0.text("verdict") }.mapValues(\.count)
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
          " <span class=\"soft\">\(Marks.count(Int64(choice == nil ? rows.count : counts[choice?.rawValue] ?? 0)))</span>"
        } ?? ""
      return "<a href=\"\(address.text)\"\(current)>\(word)\(count)</a>"
    }
    return """
      <div class="decide"><span class="label" id="decide">\(texts.estimatesDecide)</span>\
      <span class="seg" role="group" aria-labelledby="decide">\(links.joined())</span></div>
      """
  }

  /// The verdict on a row's return, and about when it is decided where it is not.
  private static func badge(_ row: NamedCells, _ texts: Texts) -> HTML {
    let days: HTML =
      row["days-to-decide"].integer.map {
        " <small>\(texts.estimatesDaysToDecide(count: Int($0)))</small>"
      } ?? ""
    return switch row.text("verdict").flatMap(ReturnVerdict.init(rawValue:)) {
    case .no: "<span class=\"badge bad\">\(texts.estimatesVerdictBelow)</span>"
    case .yes: "<span class=\"badge good\">\(texts.estimatesVerdictAbove)</span>"
    case .undecided:
      "<span class=\"badge\">\(texts.estimatesUndecided)</span>\(days)"
    case nil: Marks.none(texts)
    }
  }

  /// What to know before using the numbers of a row, in words.
  private static func word(ofFlag flag: String, _ texts: Texts) -> HTML {
    switch EstimateFlag(rawValue: flag) {
    case .nothingRevealed: texts.estimatesFlagNothingRevealed
    case .mostlyHidden: texts.estimatesFlagMostlyWithheld
    case .noEvidence: texts.estimatesFlagNoEvidence
    case .amountsFromMapping: texts.estimatesFlagAmountsFromMapping
    case .openEnded: texts.estimatesFlagOpenEnded
    case .tooManyForRule: texts.estimatesFlagTooManyForRule
    case nil:
      [
        EstimateReport.leftOutFlag: texts.estimatesFlagLeftOut,
        EstimateReport.oneSidedFlag: texts.estimatesFlagOneSided,
      ][flag] ?? "\(flag)"
    }
  }

  // MARK: Table

  /// The columns to show: those that were asked for, or the usual ones.
  private func chosen(_ report: Table, _ rows: [NamedCells]) -> [EstimateColumn] {
    guard columns.isEmpty else { return columns }
    let hasSpend = rows.contains { $0["spend"] != .none }
    let apps = Set(rows.lazy.compactMap { $0.text("app") }.prefix(500))
    return EstimateColumn.usual.filter { column in
      switch column {
      case .leftOut: rows.contains { ($0["left-out"].number ?? 0) >= 0.5 }
      case .app: apps.count > 1 && by != .app
      case .network: by.hasOneNetwork
      case .verdict, .returns: hasSpend
      case .shared: by.isPartlyShown
      default: true
      }
    }
  }

  private func panel(
    _ answer: ReportAnswer<EstimateReport>, _ rows: [NamedCells], sortedBy sort: String,
    _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    // Rows of other pages have no draws yet.
    let page = Panel.page(page, of: Self.rowsOfPage, rows, context.address, texts)
    let table = ReportTable(answer.table, page.rows, of: rows, texts)
    return Panel.section(
      "estimates", texts.estimatesTable,
      note: by == .campaign
        ? texts.campaignsCount(count: rows.count) : texts.campaignsRows(count: rows.count),
      columns: columns(table, answer.table, rows, page.rows, context), sorted: (sort, context.address),
      below: page.links, texts)
  }

  /// - Parameters:
  ///   - rows: All rows found.
  ///   - shown: Those of the page, which have one scale.
  private func columns(
    _ table: ReportTable, _ report: Table, _ rows: [NamedCells], _ shown: [NamedCells],
    _ context: ScreenContext
  ) -> [DataTable.Column] {
    let texts = context.texts
    let name = by.column(table, digits: digits, context)
    // The head has the currency where there is one, and rows have it where there are several.
    let currencies = Set(rows.compactMap { $0.text("currency") })
    let unit: HTML = currencies.count == 1 ? ", \(currencies.first ?? "")" : ""
    func own(_ row: NamedCells) -> HTML {
      currencies.count > 1 ? row.text("currency").map { " <small>\($0)</small>" } ?? "" : ""
    }
    let horizons = Self.horizons(report)
    let others = chosen(report, rows).flatMap { column -> [DataTable.Column] in
      switch column {
      case .app: [table.app(column.title(texts), context.called)]
      case .network: [table.network(column.title(texts), context.called)]
      case .verdict:
        [
          table.column(
            "verdict", column.title(texts), fields: ["verdict", "days-to-decide"], isNumber: false
          ) { Self.badge($0, texts) }
        ]
      case .installs: [table.column("installs", column.title(texts))]
      case .leftOut: [table.column("left-out", column.title(texts))]
      case .spend: [table.column("spend", column.title(texts), fields: ["spend", "currency"])]
      case .withheld:
        [
          table.column("null-share", column.title(texts)) { row in
            row["null-share"].number.map { Marks.share($0) } ?? Marks.none(texts)
          }
        ]
      case .decoded:
        horizons.map { horizon in
          let name = "decoded-revenue-\(horizon)"
          let title: HTML = "\(texts.estimatesDecoded(horizon: "\(horizon)"))\(unit)"
          return table.column(name, title, fields: [name, "currency"]) { row in
            row[name].amount.map { "\(Marks.money($0, in: row.text("currency")))\(own(row))" }
              ?? Marks.none(texts)
          }
        }
      case .estimated:
        horizons.map { horizon in
          let estimate = "estimated-revenue-\(horizon)"
          let most = Self.scale(shown, estimate)
          return table.column(
            estimate, "\(texts.estimatesEstimated(horizon: "\(horizon)"))\(unit)",
            fields: [estimate, "currency"], style: "iv"
          ) { cell($0, estimate, texts, most: most, unit: own($0)) }
        }
      case .shared:
        horizons.compactMap { horizon in
          let shared = "shared-revenue-\(horizon)"
          guard report.header(shared) != nil else { return nil }
          let most = Self.scale(shown, shared)
          return table.column(
            shared, "\(texts.estimatesShared), \(horizon)\(unit)", fields: [shared, "currency"], style: "iv"
          ) { cell($0, shared, texts, most: most, unit: own($0)) }
        }
      case .returns:
        horizons.compactMap { horizon in
          let returns = "estimated-roas-\(horizon)"
          guard report.header(returns) != nil, rows.contains(where: { $0[returns] != .none }) else {
            return nil
          }
          let most = Self.scale(shown, returns, holding: target.ratio)
          return table.column(returns, texts.estimatesReturn(horizon: "\(horizon)"), style: "iv") { row in
            row[returns] == .none
              ? Marks.none(texts) : cell(row, returns, texts, most: most, isRatio: true)
          }
        }
      case .flags:
        [
          table.column("flags", column.title(texts), isNumber: false, style: "s") { row in
            row["flags"].words.map { flag -> HTML in
              "<span class=\"badge\">\(Self.word(ofFlag: flag, texts))</span>"
            }
            .joined(separator: " ")
          }
        ]
      }
    }
    return [name] + others
  }
}
