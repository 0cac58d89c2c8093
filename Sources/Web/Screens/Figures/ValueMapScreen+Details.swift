import Arguments
import Campaigns
import EstimateReports
import Estimates
import Explanations
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

// One value, coarse values, and values that no rule has.

extension ValueMapScreen {
  func detail(_ map: ValueMap, _ rows: [CampaignTable.Line], _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard let number = value else {
      return Panel.section("detail", texts.valuesDetail, "<p class=\"soft\">\(texts.valuesDetailNone)</p>")
    }
    let value = map.values[number]
    let seen = map.seen
    var lines: [(name: HTML, text: HTML)] = [
      (texts.columnConversions, texts.valuesOf(part: Marks.count(value.seen), whole: Marks.count(seen)))
    ]
    if seen > 0 {
      let bounds = Interval(shareOf: Double(value.seen), in: Double(seen))
      let range = Marks.range(Marks.share(bounds.low), Marks.share(bounds.high))
      lines.append(
        (
          texts.valuesShare,
          "\(Marks.share(Double(value.seen) / Double(seen))), \(texts.markInterval(range: range))"
        ))
    }
    if let withheld = value.withheld {
      let count = Int64(nearest: withheld)
      lines.append(
        (
          texts.valuesWithEstimated,
          texts.valuesWithEstimatedSum(
            sum: Marks.count(value.seen.addingHeld(count)), withheld: Marks.count(count))
        ))
    }
    if let expected = value.expected { lines.append((texts.valuesExpected, Marks.share(expected))) }
    if let money = value.money, let currency = map.currency {
      let range: HTML =
        money.high.map { texts.overviewLowHigh(low: Marks.money(money.low ?? .zero), high: Marks.money($0)) }
        ?? texts.markAtLeast(amount: Marks.money(money.low ?? .zero))
      lines.append((texts.valuesWorth, "\(Marks.money(money.mid)) \(currency), \(range)"))
    }
    if let older = value.olderMeaning {
      lines.append((texts.valuesOlderMeaning, "<bdi>\(texts.say(phrase: older))</bdi>"))
    }
    let days = span.days(at: context.now)
    let link =
      context.address.postbacks(days, filters(value: "\(number)")).map { target -> HTML in
        "<p><a href=\"\(target.text)\">\(texts.valuesPostbacks)</a></p>"
      } ?? ""
    let version: HTML =
      map.version.map { version in
        "<p class=\"hint\">\(texts.valuesByVersion(name: "<bdi>\(version.name)</bdi>", number: version.number, day: Marks.day(version.from.day, hasYear: true)))</p>"
      } ?? "<p class=\"hint\">\(texts.valuesNoMapping)</p>"
    let top = campaigns(number, rows, context)
    return Panel.section(
      "detail", texts.valuesDetailOf(value: "\(number)"),
      """
      <div class="stack" id="detail"><div><h3><bdi>\(value.meaning.map { texts.say(phrase: $0) } ?? "")</bdi></h3>\(version)</div>\(Panel.list(lines))\(top)\(link)</div>
      """)
  }

  func campaigns(_ number: Int, _ rows: [CampaignTable.Line], _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let found = rows.lazy.map { (row: $0, count: $0.counts.fine[number]) }.filter { $0.count > 0 }
      .sorted { $0.count > $1.count }.prefix(6)
    guard !found.isEmpty else { return "" }
    let source = context.address
    let days = span.days(at: context.now)
    return Panel.table(
      texts.valuesCampaigns,
      [
        .init(
          texts.columnCampaign, isNumber: false, found.map { CampaignName.markup($0.row.place, context) }),
        .init(
          texts.columnConversions,
          found.map { row, count in
            source.count(
              count, days,
              [
                ("network", row.network), ("campaign", row.digits), ("digits", "2"), ("window", "1"),
                ("value", "\(number)"),
              ])
          }),
        .init(
          texts.valuesShareOfValues,
          found.map { row, count in
            let all = row.counts.fine.total
            let bounds = Interval(shareOf: Double(count), in: Double(all))
            let range: HTML =
              all > 0
              ? "<span class=\"sub\">\(Marks.range(Marks.share(bounds.low), Marks.share(bounds.high)))</span>"
              : ""
            return "\(Marks.share(Double(count) / Double(max(1, all))))\(range)"
          }),
      ], texts)
  }

  func coarse(
    _ context: ScreenContext, _ days: Range<Day>, _ scope: Scope, _ texts: Texts
  ) throws -> HTML {
    var report = context.campaigns(days, scope, by: [.stored(.window)])
    if let condition = campaign.flatMap({ ReportCondition(parameter: "campaign=*\($0)") }) {
      report.conditions.append(condition)
    }
    let rows = try report.answer(from: context.source, for: []).rows
    let bars = WindowBars(
      rows: rows, texts: texts, name: { texts.valuesWindow(number: "\($0.rawValue + 1)") },
      link: { context.address.postbacks(days, filters(value: $0, window: $1)) })
    return Panel.section("coarse", texts.valuesCoarse, bars.markup)
  }

  func unmapped(_ map: ValueMap, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let odd = map.values.filter { $0.isUnmapped && $0.seen > 0 }
    guard !odd.isEmpty else { return "" }
    let days = span.days(at: context.now)
    let links = odd.map { value -> HTML in
      guard let target = context.address.postbacks(days, filters(value: "\(value.number)")) else {
        return "\("\(value.number)" as String)"
      }
      return "<a href=\"\(target.text)\">\("\(value.number)" as String)</a>"
    }
    let numbers = links.joined(separator: ", ")
    return """
      <section class="banner warn" aria-label="\(texts.valuesUnmappedTitle)"><div><p>\(texts.valuesUnmapped(
        count: Int(odd.reduce(0) { $0 + $1.seen }), values: "<b>\(numbers)</b>"))</p></div></section>
      """
  }
}
