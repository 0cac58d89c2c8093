import Arguments
import Ledger
import Markup
import Pages
import Reporting
import Tables
import Values

/// What campaigns are worth with the values that Apple withheld, with intervals.
struct EstimatesScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var digits = 2
  var sort = "-installs"
  var page = 1
  var format: Format?

  static let path = "/estimates"
  static let place: NavigationPlace? = NavigationPlace(.measure, 6)
  static let rowsOfPage = 100
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("digits", \.digits, "Last digits of a source identifier.", in: 2...4),
      .init("sort", \.sort, "Column to sort by."),
      .init("page", \.page, "Page of the table.", in: 1...10_000),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.estimatesTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    var report = EstimateReport()
    report.period.from = days.lowerBound
    report.period.to = days.upperBound
    report.scope = scope
    report.digits = digits
    if let format {
      return .file("estimates", format, try report.text(format, from: context.source, sort: [sort]))
    }
    let answer = try report.answer(from: context.source, sort: [sort])
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.digits(digits)
    let filters = form.markup(summary: days.label, dropping: ["last", "page"])
    let scopeLine = texts.estimatesScope(days: days.markup)
    guard !answer.rows.rows.isEmpty else {
      let empty = Panel.empty(texts.estimatesNoneTitle, texts.estimatesNoneReason)
      return .page(
        Page(texts.estimatesTitle, scope: scopeLine, body: "\(filters)\(empty)\(Panel.notes(answer.notes))"))
    }
    return .page(
      Page(
        texts.estimatesTitle, scope: scopeLine, actions: context.fileLinks,
        body: """
          \(filters)\(figures(answer, texts))\(table(answer, context))\(basis(answer, texts))\(Panel.notes(answer.notes))
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

  /// An estimate with its interval, on the scale of its row.
  static func cell(_ row: NamedCells, _ name: String, _ texts: Texts, most: Double, isRatio: Bool = false)
    -> HTML
  {
    guard let mid = row[name].micros else { return texts.estimatesAllWithheld }
    func number(_ micros: Int64) -> HTML {
      isRatio ? Marks.number(Double(micros) / 1e6, 2) : Marks.money(micros)
    }
    guard let (low, high) = row[name + ".range"].bounds else { return number(mid) }
    let whisker = Marks.whisker(
      low: Double(low), mid: Double(mid), high: Double(high), most: most, isEstimate: true,
      one: isRatio ? 1e6 : nil)
    return "\(number(mid))<span class=\"sub\">\(Marks.range(number(low), number(high)))</span>\(whisker)"
  }

  /// The end of the scale of a column, so that its whiskers can be compared.
  private static func scale(_ rows: [NamedCells], _ name: String) -> Double {
    Double(rows.compactMap { $0[name + ".range"].bounds?.high }.max() ?? 1) * 1.1
  }

  private func figures(_ answer: ReportAnswer, _ texts: Texts) -> HTML {
    guard let totals = answer.detail("totals") else { return "" }
    let cards = totals.named.flatMap { row in
      Self.horizons(totals).filter { row["estimated-revenue-\($0)"] != .none }.prefix(1).flatMap {
        horizon -> [HTML] in
        func amount(_ name: String) -> HTML {
          let money = row[name].micros.map { Marks.money($0) } ?? Marks.none(texts)
          return "\(money) <small>\(row.text("currency") ?? "")</small>"
        }
        let estimate = "estimated-revenue-\(horizon)"
        let interval: HTML =
          row[estimate + ".range"].bounds.map {
            texts.markInterval(range: Marks.range(Marks.money($0.low), Marks.money($0.high)))
          } ?? ""
        let share: HTML =
          row["estimated-share-of-revenue-\(horizon)"].number.map {
            texts.estimatesShare(share: Marks.share($0))
          } ?? ""
        return [
          Panel.figure(texts.estimatesEstimated(horizon: "\(horizon)"), amount(estimate), interval, share),
          Panel.figure(
            texts.estimatesDecoded(horizon: "\(horizon)"), amount("decoded-revenue-\(horizon)"),
            texts.estimatesDecodedNote),
        ]
      }
    }
    return Panel.figures(cards, label: texts.overviewFigures)
  }

  private func table(_ answer: ReportAnswer, _ context: ScreenContext) -> HTML {
    let (texts, source) = (context.texts, context.address)
    let rows = answer.rows.named
    // Rows of other pages have no draws yet.
    let page = Panel.page(page, of: Self.rowsOfPage, rows, source, texts)
    let table = ReportTable(answer.rows, page.rows, texts)
    var columns = [
      table.column("campaign", texts.columnCampaign, isNumber: false) {
        CampaignName.markup($0, from: source)
      },
      table.column("installs", texts.columnInstalls),
      table.column("null-share", texts.columnWithheld) { row in
        row["null-share"].number.map { Marks.share($0) } ?? Marks.none(texts)
      },
    ]
    for horizon in Self.horizons(answer.rows) {
      let (estimate, returns) = ("estimated-revenue-\(horizon)", "estimated-roas-\(horizon)")
      let most = Self.scale(page.rows, estimate)
      columns.append(
        table.column("decoded-revenue-\(horizon)", texts.estimatesDecoded(horizon: "\(horizon)")))
      columns.append(
        table.column(estimate, texts.estimatesEstimated(horizon: "\(horizon)"), style: "iv") {
          Self.cell($0, estimate, texts, most: most)
        })
      guard answer.rows.header(returns) != nil, rows.contains(where: { $0[returns] != .none }) else {
        continue
      }
      let mostReturn = max(Self.scale(page.rows, returns), 1.1e6)
      columns.append(
        table.column(returns, texts.estimatesReturn(horizon: "\(horizon)"), style: "iv") { row in
          row[returns] == .none
            ? Marks.none(texts) : Self.cell(row, returns, texts, most: mostReturn, isRatio: true)
        })
    }
    columns.append(
      .init(
        texts.estimatesFlags, help: answer.rows.help("flags"), isNumber: false, style: "s",
        page.rows.map { row in
          row["flags"].words.map { flag -> HTML in "<span class=\"badge\">\(flag)</span>" }
            .joined(separator: " ")
        }))
    return Panel.section(
      "estimates", texts.estimatesTable, note: texts.campaignsCount(count: rows.count), columns: columns,
      sorted: (sort, source), below: page.links, texts)
  }

  private func basis(_ answer: ReportAnswer, _ texts: Texts) -> HTML {
    guard let table = answer.detail("basis"), let row = table.rows.first else { return "" }
    let entries = zip(table.headers, row).map { header, cell -> (HTML, HTML) in
      ("\(header.title)", Marks.cell(cell, header.kind, texts))
    }
    return Panel.section("basis", texts.estimatesBasis, Panel.list(entries))
  }
}
