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
      return .file(
        name: "estimates.\(format.fileEnding)", contentType: format.fileType,
        text: try report.text(format, from: context.source, sort: [sort]))
    }
    let answer = try report.answer(from: context.source, sort: [sort])
    var form = context.filters(span, scope, apps: try context.apps(scope))
    form.choice("digits", texts.filterDigits, "\(digits)", [("2", "2"), ("3", "3"), ("4", "4")])
    let filters = form.markup(summary: days.label, dropping: ["last", "page"])
    let scopeLine = texts.estimatesScope(days: days.markup)
    guard !answer.rows.rows.isEmpty else {
      let empty = Panel.empty(texts.estimatesNoneTitle, texts.estimatesNoneReason)
      return .page(
        Page(texts.estimatesTitle, scope: scopeLine, body: "\(filters)\(empty)\(Panel.notes(answer.notes))"))
    }
    var page = Page(
      texts.estimatesTitle, scope: scopeLine,
      body:
        "\(filters)\(figures(answer, texts))\(table(answer, context))\(basis(answer, texts))\(Panel.notes(answer.notes))"
    )
    page.actions = context.fileLinks
    return .page(page)
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
      isRatio
        ? "<data value=\"\(trimmed(Double(micros) / 1e6, 4))\">\(fixed(Double(micros) / 1e6, 2))</data>"
        : Marks.money(micros)
    }
    guard let (low, high) = row[name + ".range"].bounds else { return number(mid) }
    let whisker = Marks.whisker(
      low: Double(low), mid: Double(mid), high: Double(high), most: most,
      isEstimate: true,
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
      Self.horizons(totals).filter { row["estimated-revenue-\($0)"] != .none }.prefix(1).map {
        horizon -> HTML in
        let currency = row.text("currency") ?? ""
        let estimate = "estimated-revenue-\(horizon)"
        let interval: HTML =
          row[estimate + ".range"].bounds.map {
            texts.markInterval(range: Marks.range(Marks.money($0.low), Marks.money($0.high)))
          } ?? ""
        let share: HTML =
          row["estimated-share-of-revenue-\(horizon)"].number.map {
            texts.estimatesShare(share: Marks.share($0))
          } ?? ""
        return """
          <div class="fig"><dt>\(texts.estimatesEstimated(horizon: "\(horizon)"))</dt>\
          <dd class="v">\(row[estimate].micros.map { Marks.money($0) } ?? Marks.none(texts)) <small>\(currency)</small></dd>\
          <dd class="s">\(interval)</dd><dd class="s">\(share)</dd></div>\
          <div class="fig"><dt>\(texts.estimatesDecoded(horizon: "\(horizon)"))</dt>\
          <dd class="v">\(row["decoded-revenue-\(horizon)"].micros.map { Marks.money($0) } ?? Marks.none(texts)) \
          <small>\(currency)</small></dd><dd class="s">\(texts.estimatesDecodedNote)</dd></div>
          """
      }
    }
    let style = cards.count == 1 ? "pair" : "four"
    return "<dl class=\"figs \(style)\" aria-label=\"\(texts.overviewFigures)\">\(cards.joined())</dl>\n"
  }

  private func table(_ answer: ReportAnswer, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let source = context.address
    let table = answer.rows
    func help(_ name: String) -> HTML? { table.header(name).map { "\($0.help)" } }
    var columns: [TableView<NamedCells>.Column] = [
      .init(texts.columnCampaign, help: help("campaign"), sort: "campaign", isNumber: false) {
        CampaignName.markup($0, from: source)
      },
      .init(texts.columnInstalls, help: help("installs"), sort: "installs") {
        Marks.cell($0["installs"], .expectedCount, texts)
      },
      .init(texts.columnWithheld, help: help("null-share"), sort: "null-share") { row in
        row["null-share"].number.map { Marks.share($0) } ?? Marks.none(texts)
      },
    ]
    let rows = table.named
    let pages = TablePages(rows.count, of: Self.rowsOfPage, page)
    // Rows of other pages have no draws yet.
    let shown = Array(rows[pages.range])
    for horizon in Self.horizons(table) {
      let (decoded, estimate) = ("decoded-revenue-\(horizon)", "estimated-revenue-\(horizon)")
      let most = Self.scale(shown, estimate)
      columns.append(
        .init(texts.estimatesDecoded(horizon: "\(horizon)"), help: help(decoded), sort: decoded) { row in
          row[decoded].micros.map { Marks.money($0) } ?? Marks.none(texts)
        })
      columns.append(
        .init(
          texts.estimatesEstimated(horizon: "\(horizon)"), help: help(estimate), sort: estimate, style: "iv"
        ) {
          Self.cell($0, estimate, texts, most: most)
        })
      let returns = "estimated-roas-\(horizon)"
      let mostReturn = max(Self.scale(shown, returns), 1.1e6)
      if table.header(returns) != nil, rows.contains(where: { $0[returns] != .none }) {
        columns.append(
          .init(texts.estimatesReturn(horizon: "\(horizon)"), help: help(returns), sort: returns, style: "iv")
          { row in
            row[returns] == .none
              ? Marks.none(texts) : Self.cell(row, returns, texts, most: mostReturn, isRatio: true)
          })
      }
    }
    columns.append(
      .init(texts.estimatesFlags, help: help("flags"), isNumber: false, style: "s") { row in
        let flags = row["flags"].words
        return flags.isEmpty
          ? "" : flags.map { flag -> HTML in "<span class=\"badge\">\(flag)</span>" }.joined(separator: " ")
      })
    let view = TableView(
      texts.estimatesTable, columns, texts: texts, address: context.address.without(["page"]), sort: sort)
    return Panel.section(
      "estimates", texts.estimatesTable, note: texts.campaignsCount(count: rows.count), flush: true,
      "\(view.markup(shown))\(pages.markup(context.address, texts))")
  }

  private func basis(_ answer: ReportAnswer, _ texts: Texts) -> HTML {
    guard let table = answer.detail("basis"), let row = table.rows.first else { return "" }
    let entries = zip(table.headers, row).map { header, cell -> HTML in
      "<dt>\(header.title)</dt><dd>\(Marks.cell(cell, header.kind, texts))</dd>"
    }
    return Panel.section("basis", texts.estimatesBasis, "<dl class=\"kv\">\(entries.joined())</dl>")
  }
}
