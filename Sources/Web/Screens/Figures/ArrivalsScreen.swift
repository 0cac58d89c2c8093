import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Tables
import Values

/// What arrived by day, when those users installed, and what is still to come.
struct ArrivalsScreen: ScreenContent {
  var span = DaySpan()
  var scope = Scope()
  var format: Format?

  static let path = "/arrivals"
  static let isOfApps = true
  static let isOfNetworks = true
  static let place: NavigationPlace? = NavigationPlace(.details, 2)
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope)
    + [.init("format", \.format, "File to save instead of a page.")]

  static func title(_ texts: Texts) -> HTML { texts.arrivalsTitle }

  private struct Line {
    let day: Day
    /// Postbacks of window 1, 2 and 3 that arrived on it.
    let arrived: [Int64]
    /// First postbacks that arrived of installs of that day, estimated; `nil` where nothing is estimated.
    let installs: Double?
    /// The share of them that is expected to have arrived.
    let completeness: Double?
    /// Installs of the day with those still to come.
    let expected: Double?
  }

  /// What a file of the table has.
  private static let columns: [Column<Line>] = [
    Column("day", "day", "UTC day.", \.day),
    Column("installs", "installs", "First postbacks of installs of the day that have arrived, estimated.") {
      $0.installs.map { ExpectedCount($0) }
    },
    Column("completeness", "completeness", "Share of them that is expected to have arrived.") {
      $0.completeness.map { Ratio($0) }
    },
    Column("expected", "expected", "Installs of the day with those still to come, estimated.") {
      $0.expected.map { ExpectedCount($0) }
    },
    Column("window-1", "window 1", "Postbacks of window 1 that arrived on the day.") { $0.arrived[0] },
    Column("window-2", "window 2", "Postbacks of window 2 that arrived on the day.") { $0.arrived[1] },
    Column("window-3", "window 3", "Postbacks of window 3 that arrived on the day.") { $0.arrived[2] },
  ]

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    let installs = try context.installDays(days, scope)
    let lines = try lines(context, days, installs)
    if let format {
      return .file("arrivals", format, Table(Self.columns, rows: lines.reversed()).text(format))
    }
    let filters = context.filters(span, scope, apps: try context.apps(scope))
      .markup(summary: days.label, dropping: ["last"])
    guard lines.contains(where: { $0.arrived.contains { $0 > 0 } || ($0.installs ?? 0) > 0 }) else {
      let body = try NothingHere.markup(context, scope)
      return .page(
        Page(texts.arrivalsTitle, scope: texts.arrivalsScope(days: days.markup), body: "\(filters)\(body)"))
    }
    return .page(
      Page(
        texts.arrivalsTitle, scope: texts.arrivalsScope(days: days.markup), actions: context.fileLinks,
        scripts: [.chartScript],
        body: "\(filters)\(try chart(lines, days, context))\(table(lines, context))\(timers(texts))"))
  }

  private func lines(
    _ context: ScreenContext, _ days: Range<Day>, _ installs: ArrivedInstalls
  ) throws -> [Line] {
    let arrived = try context.campaigns(days, scope, by: [.stored(.day), .stored(.window)])
      .answer(from: context.source).rows
    var counts: [Day: [Int64]] = [:]
    for row in arrived {
      guard let day = row.found(\.day), let window = row.found(\.window) else { continue }
      counts[day, default: [0, 0, 0]][window.rawValue] += row.counts.postbacks
    }
    return days.all.map { day in
      Line(
        day: day, arrived: counts[day] ?? [0, 0, 0], installs: installs.installs(on: day),
        completeness: installs.completeness(of: day, today: context.now.day),
        expected: installs.expected(on: day))
    }
  }

  private func chart(_ lines: [Line], _ days: Range<Day>, _ context: ScreenContext) throws -> HTML {
    let (texts, address) = (context.texts, context.address)
    let most = lines.flatMap { [Double($0.arrived[0]), $0.installs ?? 0, $0.expected ?? 0] }.max() ?? 0
    var chart = SeriesChart(lines.map { Marks.shortDay($0.day) }, most: most)
    chart.style = { Marks.local($0) }
    chart.bars(lines.map { Double($0.arrived[0]) })
    chart.line(lines.map(\.installs), style: "k2 d2")
    // From the first incomplete day on, what is expected in the end.
    let open = lines.map { ($0.completeness ?? 1) < 0.995 ? $0.expected : nil }
    chart.line(open, style: "k2 d3")
    let marks = try DayMarks(lines.map(\.day), scope, context)
    chart.marks(marks.places)
    let legend: [(LegendSample, HTML)] =
      [
        (.bar("f1"), texts.arrivalsArrived), (.line("k2 d2"), texts.arrivalsInstalls),
        (.line("k2 d3"), texts.arrivalsExpected),
      ] + marks.legend
    let table = Panel.table(
      texts.arrivalsChart,
      [
        .init(texts.arrivalsDay, isNumber: false, lines.map { Marks.day($0.day) }),
        .init(
          texts.arrivalsArrived,
          lines.map { address.count($0.arrived[0], $0.day..<$0.day.next, [("window", "1")]) }),
        .init(texts.arrivalsInstalls, lines.map { Self.number($0.installs, texts) }),
        .init(texts.arrivalsExpected, lines.map { Self.number($0.expected, texts) }),
      ], texts)
    return Panel.section(
      "arrivals", texts.arrivalsChart, note: texts.arrivalsChartNote,
      Panel.chart(
        "arrivals", legend: legend, chart.markup(label: texts.arrivalsChartLabel(days: days.label)),
        slider: texts.arrivalsDay, count: lines.count, table: table, below: marks.list,
        texts))
  }

  static func number(_ value: Double?, _ texts: Texts) -> HTML {
    value.map { "<data value=\"\(trimmed($0, 3))\">\(Marks.local(withThousands(fixed($0, 0))))</data>" }
      ?? Marks.none(texts)
  }

  /// How complete each install day is, newest first: window 1 as estimated, windows 2 and 3 by the days that Apple's
  /// timers allow.
  private func table(_ lines: [Line], _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let today = context.now.day
    let lines = Array(lines.reversed())
    var columns: [DataTable.Column] = [
      .init(texts.arrivalsInstallDay, isNumber: false, lines.map { Marks.day($0.day) }),
      .init(
        texts.arrivalsInstalls, help: texts.arrivalsInstallsHelp,
        lines.map { Self.number($0.installs, texts) }),
      .init(
        texts.arrivalsComplete, help: texts.arrivalsCompleteHelp, style: "n wh",
        lines.map { Self.completeness($0.completeness, texts) }),
    ]
    for window in [ConversionWindow.second, .third] {
      let span = ArrivedInstalls.days(of: window)
      columns.append(
        .init(
          texts.arrivalsWindow(number: window.rawValue + 1), isNumber: false,
          lines.map { line in
            let first = Day(number: line.day.number + span.lowerBound)
            let last = Day(number: line.day.number + span.upperBound)
            if last < today { return texts.arrivalsAll }
            if first >= today { return texts.arrivalsFrom(day: Marks.day(first)) }
            return texts.arrivalsUntil(day: Marks.day(last))
          }))
    }
    for index in 0..<3 {
      columns.append(
        .init(
          texts.arrivalsOnDay(number: index + 1), help: index == 0 ? texts.arrivalsOnDayHelp : nil,
          lines.map {
            context.address.count($0.arrived[index], $0.day..<$0.day.next, [("window", "\(index + 1)")])
          }))
    }
    return Panel.section(
      "completeness", texts.arrivalsTable, note: texts.arrivalsTableNote, columns: columns, texts)
  }

  /// The share that has arrived, with a bar that is hatched where it is still to come.
  static func completeness(_ share: Double?, _ texts: Texts) -> HTML {
    share.map { "\(Marks.share($0))\(bar($0))" } ?? Marks.none(texts)
  }

  private static func bar(_ share: Double) -> HTML {
    let width = trimmed(share * 100, 1)
    return """
      <svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">\
      <rect class="bg" width="100" height="12"/><rect class="f1" width="\(width)" height="12"/>\
      <rect class="hf" x="\(width)" width="\(trimmed(100 - share * 100, 1))" height="12"/></svg>
      """
  }

  private func timers(_ texts: Texts) -> HTML {
    let rows = [ConversionWindow.first, .second, .third].map { window -> (HTML, HTML) in
      let span = ArrivedInstalls.days(of: window)
      return (
        texts.arrivalsWindow(number: window.rawValue + 1),
        texts.arrivalsTimer(first: Int(span.lowerBound), last: Int(span.upperBound))
      )
    }
    return Panel.section("timers", texts.arrivalsTimers, Panel.list(rows))
  }
}
