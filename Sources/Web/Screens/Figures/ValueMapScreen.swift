import Arguments
import Campaigns
import EstimateReports
import Explanations
import Ledger
import MappingEditing
import Markup
import Pages
import Postbacks
import Tables
import Values

/// The 64 fine values of the first window on a map, and coarse values by window.
struct ValueMapScreen: ScreenContent {
  /// What the colour of a cell shows.
  enum Color: String, CaseIterable, ParameterValue { case users, estimated, money, difference }

  var span = DaySpan()
  var scope = Scope()
  var campaign: String?
  var version: Int?
  var color = Color.users
  var value: Int?
  var sample: String?
  var format: Format?

  static let path = "/values"
  static let isOfApps = true
  static let isOfNetworks = true
  static let place: NavigationPlace? = NavigationPlace(.details, 3)
  static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.span) + Parameter.all(of: \.scope) + [
      .init("campaign", \.campaign, "Last two digits of the campaign to show.") {
        (screen) throws(ParameterError) in
        try CampaignName.check(screen.campaign)
      },
      .init("version", \.version, "Version of the mapping, from 1.", in: 1...10_000),
      .init("color", \.color, "What the colour of a cell shows."),
      .init("value", \.value, "Value whose details are shown.", in: 0...63),
      .init("sample", \.sample, "Events file of users whose simulation is expected."),
      .init("format", \.format, "File to save instead of a page."),
    ]

  static func title(_ texts: Texts) -> HTML { texts.valuesTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let days = span.days(at: context.now)
    let apps = try context.apps(scope)
    var scope = scope
    if scope.apps.isEmpty {
      // A map is of one app: without a choice it is the one with the most postbacks.
      let most =
        apps.count > 1
        ? try context.campaigns(days, scope, by: [.stored(.app)])
          .answer(from: context.source, for: [], sort: CampaignReport.postbacks.descending).rows.first?.app
        : nil
      let app = most ?? apps.first.flatMap { Int64($0) }.flatMap { AppID($0) }
      scope.apps = app.map { [$0] } ?? []
    }
    let report = report(context, days, scope)
    if let format { return .file("values", format, try report.text(format, from: context.source)) }
    guard let app = scope.apps.first else {
      return .page(
        Page(
          texts.valuesTitle,
          body: Panel.empty(
            texts.overviewEmptyTitle, texts.valuesEmptyReason,
            "<a class=\"btn\" href=\"/\">\(texts.errorToOverview)</a>")))
    }
    let rows = try report.answer(from: context.source, for: .names).rows
    let before = try self.report(context, days.before, scope).answer(from: context.source, for: []).rows
    var map = try ValueMap(
      app: app, rows: rows, before: before, version: version, end: days.upperBound.start,
      from: context.source)
    // A simulation takes longer than the rest of the page, so it has to be asked for.
    var isSimulated = false
    if let sample, let version = map.version,
      let counts = try simulated(sample, app: app.number, version.from, context)
    {
      map = map.expecting(counts, of: sample)
      isSimulated = true
    }
    let gone: HTML =
      sample != nil && !isSimulated ? Panel.banner(texts.valuesNoSimulation, .warning) : ""
    return .page(
      Page(
        texts.valuesTitle,
        scope: texts.valuesScope(app: context.called.app(app.number), days: days.markup),
        actions: context.fileLinks, scripts: [.mapScript],
        body: """
          \(try filters(context, days, map, app, among: apps))\(gone)<div class="two"><div class="stack">\(panel(map, context))</div>\
          <div class="stack">\(detail(map, rows, context))\
          \(try coarse(context, days, scope, context.texts))\(unmapped(map, context))</div></div>
          """))
  }

  /// How often reports would show each of the 64 values of a sample's users under the version of this date and the
  /// usual privacy threshold model; `nil` where there is no such sample or version.
  private func simulated(
    _ sample: String, app: Int64, _ from: Instant, _ context: ScreenContext
  ) throws -> [Int]? {
    let mappings = try AppMappings(context.reader, app: app)
    guard let version = mappings.versions.first(where: { $0.effectiveFrom == from }) else { return nil }
    let question = ["simulated-values", sample, mappings.state, "\(app)", "\(from)"]
    return try context.remembered(question.joined(separator: "\n")) {
      var trial = TrialChoice()
      trial.sample = sample
      let answer = try trial.answer(to: version.stored.document, inForce: nil, context)
      guard let answer, answer.result != nil else { return nil }
      return answer.cells.prefix(64).map { $0.users?.shown ?? 0 }
    }
  }

  func report(_ context: ScreenContext, _ days: Range<Day>, _ scope: Scope) -> CampaignReport {
    var report = context.campaigns(
      days, scope, by: [.stored(.network), .stored(.campaign)], where: ["window=1"])
    report.digits = 2
    if let condition = campaign.flatMap({ ReportCondition(parameter: "campaign=*\($0)") }) {
      report.conditions.append(condition)
    }
    return report
  }

  func filters(
    _ context: ScreenContext, _ days: Range<Day>, _ map: ValueMap, _ app: AppID, among apps: [String]
  ) throws -> HTML {
    let texts = context.texts
    var others = scope
    others.apps = []
    var form = context.filters(span, others, apps: [])
    // A map of all apps there is not.
    if apps.count > 1 || !scope.apps.isEmpty {
      let all = Set(apps + ["\(app.number)"]).sorted()
      form.choice(
        "app", texts.filterApp, "\(app.number)", all.map { ($0, context.called.appLabel($0)) })
    }
    form.search("campaign", texts.columnCampaign, campaign ?? "")
    if map.versions.count > 1 {
      form.choice(
        "version", texts.valuesVersion, version.map { "\($0)" } ?? "",
        [("", texts.valuesVersionInForce)]
          + map.versions.map {
            (
              "\($0.number)",
              texts.valuesVersionFrom(number: $0.number, day: "\(Marks.shortDay($0.from.day, hasYear: true))")
            )
          })
    }
    let samples = context.trials.sampleNames
    if !samples.isEmpty || sample != nil {
      form.choice(
        "sample", texts.valuesExpectedFrom, sample ?? "",
        [("", texts.valuesUsualBasis)]
          + (samples + (sample.map { [$0] } ?? []).filter { !samples.contains($0) }).map {
            ($0, texts.valuesSimulationOf(sample: "\($0)"))
          })
    }
    return form.markup(summary: days.label, dropping: ["last"])
  }

  // MARK: Map

  func panel(_ map: ValueMap, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let seen = map.seen
    let choices: [(Color, HTML)] = [
      (.users, texts.columnConversions), (.estimated, texts.valuesEstimated), (.money, texts.columnRevenue),
      (.difference, texts.valuesDifference),
    ]
    let links = choices.map { choice, word -> HTML in
      let current: HTML = choice == color ? " aria-current=\"true\"" : ""
      let target = context.address.with("color", choice == .users ? nil : choice.rawValue)
      return "<a href=\"\(target.text)\"\(current)>\(word)</a>"
    }
    let segment: HTML =
      "<span class=\"seg\" role=\"group\" aria-label=\"\(texts.valuesColor)\">\(links.joined())</span>"
    let figures = Figures(map, color)
    let basis: HTML =
      switch map.basis {
      case .ownUsers(let users): texts.valuesBasisUsers(users: Marks.count(users))
      case .simulated(let values, let sample):
        texts.valuesBasisSimulated(sample: "<bdi>\(sample)</bdi>", values: Marks.count(values))
      case .daysBefore(let values): texts.valuesBasisBefore(values: Marks.count(values))
      case .nothing: texts.valuesBasisNothing
      }
    return Panel.section(
      "map", texts.valuesMap,
      note: texts.valuesMapNote(
        seen: Marks.count(seen), coarse: Marks.count(map.coarseOnly),
        nulls: context.address.count(map.nulls, span.days(at: context.now), filters(value: "none"))),
      link: segment,
      """
      \(ValueGrid.markup(texts.valuesMapCaption, attributes: " data-map") { cell(map.values[$0], figures, context) })
      <p class="s soft">\(texts.valuesLegend)</p><p class="s soft">\(basis)</p>\
      \(Panel.asTable(table(map, context), texts))
      """)
  }

  /// What cells print and how strong their colour is.
  struct Figures {
    private let color: Color
    private let seen: Double
    private let estimated: Double
    private let money: Double
    /// How many values the expected shares rest on; `nil` where there are none.
    private let sample: Double?

    init(_ map: ValueMap, _ color: Color) {
      self.color = color
      seen = Double(map.seen)
      estimated = map.values.reduce(0) { $0 + Double($1.seen) + ($1.withheld ?? 0) }
      money = map.values.reduce(0) { $0 + Self.money($1) }
      sample =
        switch map.basis {
        case .ownUsers(let count), .daysBefore(let count), .simulated(let count, _): Double(count)
        case .nothing: nil
        }
    }

    static func money(_ value: ValueMap.Value) -> Double {
      Double(value.seen) * (value.money?.mid.units ?? 0)
    }

    func seenShare(_ value: ValueMap.Value) -> Double { seen > 0 ? Double(value.seen) / seen : 0 }

    /// The share that the cell prints.
    func share(_ value: ValueMap.Value) -> Double {
      switch color {
      case .users, .difference: seenShare(value)
      case .estimated: estimated > 0 ? (Double(value.seen) + (value.withheld ?? 0)) / estimated : 0
      case .money: money > 0 ? Self.money(value) / money : 0
      }
    }

    func step(_ value: ValueMap.Value) -> Int {
      if color == .difference {
        guard let expected = value.expected, expected > 0 else { return value.seen > 0 ? 7 : 0 }
        let change = abs(seenShare(value) / expected - 1)
        return [0.05, 0.12, 0.25, 0.5, 1, 2].firstIndex { change < $0 } ?? 6
      }
      let share = share(value)
      guard share > 0 else { return 0 }
      return 1 + ([0.001, 0.003, 0.01, 0.03, 0.06, 0.12].firstIndex { share < $0 } ?? 6)
    }

    /// Whether the value is seen more or less often than expected, beyond chance and by more than 12 %.
    ///
    /// A question mark is for a value that no rule has.
    func sign(_ value: ValueMap.Value) -> String {
      if value.isUnmapped, value.seen > 0 { return "?" }
      guard let expected = value.expected, seen > 0 else { return "" }
      let change = expected > 0 ? seenShare(value) / expected - 1 : value.seen > 0 ? 1 : 0
      let spread = expected * (1 - expected) * (1 / seen + (sample.map { 1 / max(1, $0) } ?? 0))
      // 3.29 standard deviations: a probability of 0.001 on both sides.
      guard abs(change) > 0.12, abs(seenShare(value) - expected) > 3.29 * spread.squareRoot() else {
        return ""
      }
      return change > 0 ? "+" : "−"
    }
  }

  func cell(_ value: ValueMap.Value, _ figures: Figures, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let isUsed = value.seen > 0 || !value.isUnmapped
    let share = figures.share(value)
    let expected = value.expected.map { texts.valuesExpectedShare(share: "\(Marks.shareText($0))") } ?? ""
    let label = texts.valuesCellLabel(
      value: "\(value.number)", meaning: value.meaning.map { texts.say(phrase: $0) } ?? "",
      count: "\(Marks.local(grouped(value.seen)))", share: "\(Marks.shareText(figures.seenShare(value)))",
      expected: expected)
    let mark = figures.sign(value)
    let bar: HTML =
      isUsed
      ? """
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="sb" y="2" \
      width="\(barWidth(value, figures))" height="4"/>\(value.expected == nil ? "" : "<path class=\"ex\" d=\"M50 0V8\"/>" as HTML)</svg>
      """ : ""
    let style = isUsed ? "h\(figures.step(value))" + (mark == "?" ? " odd" : "") : "un"
    let current: HTML = value.number == self.value ? " aria-current=\"true\"" : ""
    let shown: HTML = share > 0 || isUsed ? "\(Marks.local(fixed(share * 100, 1)))<small> %</small>" : ""
    let target = context.address.with("value", "\(value.number)")
    return """
      <a id="v\(value.number)" class="cell \(style)" href="\(target.text)#v\(value.number)" aria-label="\(label)"\(current)>\
      <span class="v">\(value.number)</span><span class="m">\(mark)</span><span class="n">\(shown)</span>\(bar)</a>
      """
  }

  /// The seen share relative to the expected one, whose stroke is in the middle; without one, the share of the largest.
  func barWidth(_ value: ValueMap.Value, _ figures: Figures) -> String {
    guard let expected = value.expected else { return trimmed(min(100, figures.seenShare(value) * 400), 1) }
    guard expected > 0 else { return value.seen > 0 ? "100" : "0" }
    return trimmed(min(100, figures.seenShare(value) / expected * 50), 1)
  }

  func table(_ map: ValueMap, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let seen = map.seen
    let used = map.values.filter { $0.seen > 0 || !$0.isUnmapped }
    let days = span.days(at: context.now)
    return Panel.table(
      texts.valuesMap,
      [
        .init(texts.valuesValue, used.map { "\($0.number)" }),
        .init(
          texts.valuesMeaning, isNumber: false,
          used.map { $0.meaning.map { "<bdi>\(texts.say(phrase: $0))</bdi>" } ?? Marks.none(texts) }),
        .init(
          texts.columnConversions,
          used.map { context.address.count($0.seen, days, filters(value: "\($0.number)")) }),
        .init(
          texts.valuesWithEstimated,
          used.map { value in
            value.withheld.map { Marks.count(Int64(nearest: Double(value.seen) + $0)) } ?? Marks.none(texts)
          }),
        .init(
          texts.valuesShare,
          used.map { seen > 0 ? Marks.share(Double($0.seen) / Double(seen)) : Marks.none(texts) }),
        .init(texts.valuesExpected, used.map { $0.expected.map { Marks.share($0) } ?? Marks.none(texts) }),
        .init(
          "\(texts.columnRevenue), \(map.currency ?? "")",
          used.map { value in
            value.money.map { Marks.money(Amount(micros: $0.mid.micros.multipliedHeld(by: value.seen))) }
              ?? Marks.none(texts)
          }),
      ], texts)
  }

  /// Parameters of the postbacks of a value; `nil` for all values.
  func filters(value: String?, window: Int = 1) -> [(name: String, value: String?)] {
    [("value", value), ("window", "\(window)"), ("digits", campaign == nil ? nil : "2")]
  }
}
