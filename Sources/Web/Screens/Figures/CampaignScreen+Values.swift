import Campaigns
import EstimateReports
import Ledger
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Tables
import Values

// What the values of a campaign mean, and what its windows show.

extension CampaignScreen {
  /// The values of window 1 on a map, with how many have each, and what each window shows.
  ///
  /// - Parameter first: The report of the first window.
  func values(
    _ first: ReportAnswer<CampaignReport>, _ days: Range<Day>, _ context: ScreenContext
  ) throws -> HTML {
    guard let app = scope.apps.first ?? first.rows.first?.app else { return try windows(nil, context, days) }
    let map = try ValueMap(
      app: app, rows: first.rows, before: [], version: nil, end: days.upperBound.start, from: context.source)
    let mapping = try AppMappings(context.reader, app: app.number).versions
      .first { $0.effectiveFrom == map.version?.from }?.mapping
    let windows = try windows(mapping, context, days)
    guard map.seen > 0 else { return windows }
    let texts = context.texts
    let target = valueMap(context)
    let meanings = mapping.map { MeaningMap($0, texts) }
    let grid = ValueGrid.markup(texts.valuesMapCaption, attributes: " data-map") {
      cell(map.values[$0], map, meanings, target, texts)
    }
    let version: HTML =
      map.version.map {
        " \(texts.valuesByVersion(name: "<bdi>\($0.name)</bdi>", number: $0.number, day: Marks.day($0.from.day, hasYear: true)))"
      } ?? " \(texts.valuesNoMapping)"
    let panel = Panel.section(
      "values", texts.campaignValues,
      note: "\(texts.campaignValuesNote(number: Marks.count(map.seen)))\(version)",
      link: "<a href=\"\(target.text)\">\(texts.valuesTitle)</a>",
      """
      <div class="stack">\(grid)\(meanings.map { $0.marks.legend(texts) } ?? "")\
      \(Panel.asTable(table(map, days, context), texts))</div>
      """)
    return "\(panel)\(windows)"
  }

  /// The value map of this campaign.
  private func valueMap(_ context: ScreenContext) -> PageAddress {
    context.address.moved(to: ValueMapScreen.path, keeping: OverviewScreen.kept.union(["campaign"]))
  }

  /// A value with how many have it, what it is for and what it is worth.
  private func cell(
    _ value: ValueMap.Value, _ map: ValueMap, _ meanings: MeaningMap?, _ target: PageAddress, _ texts: Texts
  ) -> HTML {
    let figures = ValueMapScreen.Figures(map, .users)
    let label = texts.valuesCellLabel(
      value: "\(value.number)", meaning: value.meaning.map { texts.say(phrase: $0) } ?? "",
      count: "\(Marks.local(grouped(value.seen)))", share: "\(Marks.shareText(figures.seenShare(value)))",
      expected: "")
    let isUsed = value.seen > 0 || !value.isUnmapped
    let style = isUsed ? "h\(figures.step(value))\(value.isUnmapped ? " odd" : "")" : "un"
    let mark: HTML =
      value.isUnmapped
      ? (value.seen > 0 ? "?" : "") : meanings?.marks.markup(meanings?.values[value.number].kind) ?? ""
    let money: HTML =
      value.money.flatMap { money in map.currency.map { MeaningMap.money(money.mid, $0) } } ?? ""
    let link = target.with("value", "\(value.number)").at(part: "v\(value.number)")
    return """
      <a class="cell \(style)" href="\(link.text)" aria-label="\(label)" title="\(label)">\
      <span class="v">\(value.number)</span><span class="m">\(mark)</span>\
      <span class="n">\(value.seen > 0 ? Marks.count(value.seen) : "")</span><span class="t">\(money)</span></a>
      """
  }

  private func table(_ map: ValueMap, _ days: Range<Day>, _ context: ScreenContext) -> HTML {
    let (texts, address) = (context.texts, context.address)
    let shown = map.values.filter { $0.seen > 0 }.sorted { $0.seen > $1.seen }
    let all = Double(map.seen)
    return Panel.table(
      texts.campaignValues,
      [
        .init(texts.campaignValue, isNumber: false, shown.map { "\($0.number)" }),
        .init(
          texts.valuesMeaning, isNumber: false,
          shown.map { value in
            value.meaning.map { "<bdi>\(texts.say(phrase: $0))</bdi>" } ?? Marks.none(texts)
          }),
        .init(
          texts.columnConversions,
          shown.map { address.count($0.seen, days, [("window", "1"), ("value", "\($0.number)")]) }),
        .init(texts.campaignShare, shown.map { Marks.share(Double($0.seen) / all) }),
        .init(
          texts.valuesWorth,
          shown.map { value in
            guard let money = value.money, let currency = map.currency else { return Marks.none(texts) }
            return "\(Marks.money(money.mid, in: currency)) <small>\(currency)</small>"
          }),
      ], texts)
  }

  /// What each window shows, in words, with its figures as a table.
  private func windows(_ mapping: Mapping?, _ context: ScreenContext, _ days: Range<Day>) throws -> HTML {
    let texts = context.texts
    let answer = try report(context, days, by: [.stored(.window)]).answer(
      from: context.source, for: .meanings)
    let rows = answer.rows + (answer.total.map { [$0] } ?? [])
    func window(_ row: CampaignTable.Line) -> String? { row.found(\.window).map { "\($0.rawValue + 1)" } }
    func count(
      _ column: Column<CampaignTable.Line>, _ title: HTML, value: String? = nil
    ) -> ReportColumn<CampaignTable.Line> {
      .counts(column, title, texts) { row in
        context.address.postbacks(days, [("window", window(row)), ("value", value)])
      }
    }
    let windows = DataTable.Column(
      texts.filterWindow, isNumber: false,
      rows.map { row in window(row).map { "\($0)" } ?? texts.tableTotal })
    let counts = [
      count(CampaignReport.postbacks, texts.columnConversions),
      count(CampaignReport.withheld, texts.nullsCount, value: "none"),
      ReportColumn(CampaignReport.positive, texts.campaignFine),
      count(CampaignReport.zero, texts.nullsZero, value: "0"),
      count(CampaignReport.coarseLow, texts.campaignCoarseLow, value: "low"),
      count(CampaignReport.coarseMedium, texts.campaignCoarseMedium, value: "medium"),
      count(CampaignReport.coarseHigh, texts.campaignCoarseHigh, value: "high"),
    ]
    let revenue = ReportColumn.currencies(
      CampaignReport.revenueMid, texts.columnRevenue, style: "iv", of: answer, found: rows
    ) { RevenueCell.markup($0, $1, texts) }
    let bars = WindowBars(
      rows: answer.rows, texts: texts,
      name: { window in
        mapping?.device.hasWindows == false
          ? texts.valuesWindow(number: "\(window.rawValue + 1)") : MappingMarks.days(of: window, texts)
      }, link: { context.address.postbacks(days, [("window", "\($1)"), ("value", $0)]) })
    let table = Panel.table(
      texts.campaignWindows, [windows] + (counts + revenue).of(rows, texts), hasTotal: answer.total != nil,
      texts)
    return Panel.section(
      "windows", texts.campaignWindows,
      link: context.csv(of: SavedTable.windows.rawValue, called: texts.campaignWindows),
      "\(bars.markup)\(Panel.asTable(table, texts))")
  }
}
