import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Tables
import Values

/// The days that a screen shows: a number of days up to today, or from one day through another.
struct DaySpan: Query {
  /// How many days, the last of which is today.
  enum Length: String, CaseIterable, ParameterValue, Sendable {
    case week = "7d"
    case month = "28d"
    case quarter = "90d"

    var days: Int32 {
      switch self {
      case .week: 7
      case .month: 28
      case .quarter: 90
      }
    }
  }

  var from: Day?
  var through: Day?
  var last: Length?

  /// Days that a page shows at most, so that its charts and tables stay small.
  static let mostDays: Int32 = 366

  init() {}

  /// As many days as usual up to one.
  init(through: Day) { self.through = through }

  init(_ days: Range<Day>) { (from, through) = (days.lowerBound, days.lastDay) }

  static var quarter: Self {
    var span = Self()
    span.last = .quarter
    return span
  }

  /// Whether the address names any days.
  var isChosen: Bool { from != nil || through != nil || last != nil }

  static let parameters: [Parameter<Self>] = [
    .init("from", \.from, "First day to include."),
    .init("through", \.through, "Last day to include.") { (span) throws(ParameterError) in
      guard let from = span.from, let through = span.through else { return }
      guard through >= from else {
        throw ParameterError(
          "through",
          Sentence("found \(through), which is before \(from). Give \(from) or a later day."))
      }
      guard through.number - from.number < mostDays else {
        throw ParameterError(
          "through",
          Sentence(
            "found \(through), more than \(mostDays) days from \(from) on. Give \(mostDays) days at most."))
      }
    },
    .init("last", \.last, "Number of days, today included."),
  ]

  static let names: Set<String> = ["from", "through", "last"]

  func days(at now: Instant) -> Range<Day> {
    let today = now.day
    let length = (last ?? .month).days
    if last == nil, from != nil || through != nil {
      let latest = through?.next ?? max(today, from?.next ?? today)
      let end = from.map { min(latest, Day(number: $0.number + Self.mostDays)) } ?? latest
      return (from ?? Day(number: end.number - length))..<end
    }
    return Day(number: today.number - length + 1)..<today.next
  }
}

extension Range<Day> {
  var all: [Day] { (lowerBound.number..<upperBound.number).map { Day(number: $0) } }

  var length: Int { Int(upperBound.number - lowerBound.number) }

  var lastDay: Day { Day(number: upperBound.number - 1) }

  /// As many days directly before.
  var before: Range<Day> {
    Day(number: lowerBound.number - (upperBound.number - lowerBound.number))..<lowerBound
  }

  /// The days as people write them: `24 Oct – 20 Nov 2026`.
  var markup: HTML {
    let (first, last) = ends { Marks.day($0, hasYear: $1) }
    // A number after an Arabic word goes to its other side, so each day is a run of its own.
    return Language.ofPage.direction == "rtl"
      ? "<bdi>\(first)</bdi> – <bdi>\(last)</bdi>" : "<bdi dir=\"ltr\">\(first) – \(last)</bdi>"
  }

  /// The same for labels, which cannot hold elements.
  var label: HTML {
    let (first, last) = ends { "\(Marks.shortDay($0, hasYear: $1))" }
    return Language.ofPage.direction == "rtl"
      ? "&#x2068;\(first)&#x2069; – &#x2068;\(last)&#x2069;" : "\(first) – \(last)"
  }

  /// The first and the last day; the year is where a reader comes to it first or last, and at both where there are two and
  /// the language begins with it.
  private func ends(_ day: (Day, _ hasYear: Bool) -> HTML) -> (first: HTML, last: HTML) {
    guard NumberStyle.ofPage.beginsWithYear else { return (day(lowerBound, false), day(lastDay, true)) }
    return (
      day(lowerBound, true), day(lastDay, lowerBound.description.prefix(4) != lastDay.description.prefix(4))
    )
  }
}

/// Whether figures have those of other days beside them.
enum Compared: String, CaseIterable, ParameterValue, Sendable { case previous, none }

extension Format: ParameterValue {}

extension ScreenContext {
  var source: ReportSource {
    var source = ReportSource(reader: reader, now: now, keeper: keeper, canBeBehind: true)
    source.makesParts = makesEstimates
    return source
  }

  /// The report of campaigns over some days of the scope that the screen has.
  func campaigns(
    _ days: Range<Day>?, _ scope: Scope, by dimensions: [ReportDimension], where conditions: [String] = []
  ) -> CampaignReport {
    var report = CampaignReport()
    report.period.from = days?.lowerBound
    report.period.to = days?.upperBound
    report.scope = scope
    report.dimensions = dimensions
    report.conditions = conditions.compactMap { ReportCondition(parameter: $0) }
    return report
  }

  /// The filters that every screen of figures has: days, app and environment.
  func filters(_ span: DaySpan, _ scope: Scope, apps: [String]) -> FilterForm {
    let days = span.days(at: now)
    var form = FilterForm(address, texts)
    form.day("from", texts.filterFrom, days.lowerBound.description)
    form.day("through", texts.filterThrough, days.lastDay.description)
    form.lengths(span, texts)
    form.apps(apps, scope, self)
    form.environment(scope.environment.rawValue)
    return form
  }

  /// The apps that have postbacks, by number.
  func apps(_ scope: Scope) throws -> [String] {
    let (apps, own) = (try reader.apps(in: scope.environment), viewer.limit.apps)
    return apps.filter { own.isEmpty || own.contains($0) }.map { "\($0.number)" }
  }

  /// Installs by day, estimated.
  func installDays(_ days: Range<Day>, _ scope: Scope) throws -> ArrivedInstalls {
    try ArrivedInstalls(days, scope, from: source)
  }

  /// Links to the figures of this address as files, and a button that copies the address.
  var fileLinks: HTML {
    """
    <a class="btn" href="\(address.with("format", "csv").text)">CSV</a>\
    <a class="btn" href="\(address.with("format", "ndjson").text)">NDJSON</a>\(copyLink)
    """
  }
}

extension ScreenContext {
  /// A link to the figures of one of several tables of this address as a file.
  func csv(of table: String, called heading: HTML) -> HTML {
    let link = address.without(["page"]).with("format", "csv").with("table", table)
    return
      "<a href=\"\(link.text)\">CSV<span class=\"sr\">: \(texts.filesTable(name: heading))</span></a>"
  }
}

extension FilterForm {
  /// Adds links to the usual numbers of days.
  mutating func lengths(_ span: DaySpan, _ texts: Texts) {
    let current =
      span.last?.rawValue ?? (span.from == nil && span.through == nil ? DaySpan.Length.month.rawValue : "")
    links(
      "last", texts.filterLast, current,
      [
        ("7d", texts.filterDays(count: 7)), ("28d", texts.filterDays(count: 28)),
        ("90d", texts.filterDays(count: 90)),
      ],
      without: DaySpan.names)
  }

  /// Adds the choice of an app where there are several.
  mutating func apps(_ apps: [String], _ scope: Scope, _ context: ScreenContext) {
    guard apps.count > 1 || !scope.apps.isEmpty else { return }
    choice(
      "app", context.texts.filterApp, among: apps, scope.apps.map(\.parameterText),
      called: context.called.appLabel)
  }

  /// Adds the choice of a network among those of the rows of a report.
  mutating func networks(_ networks: some Sequence<String>, _ scope: Scope, _ context: ScreenContext) {
    let networks = Set(networks)
    choice(
      "network", context.texts.filterNetwork, among: Array(networks), scope.networks.map(\.parameterText),
      called: context.called.networkLabel)
  }
}

extension PageAnswer {
  /// A report as a file to save.
  static func file(_ name: String, _ format: Format, _ text: String) -> Self {
    switch format {
    case .csv: .file(name: name + ".csv", contentType: "text/csv; charset=utf-8", text: text)
    case .json: .file(name: name + ".json", contentType: "application/json", text: text)
    case .ndjson: .file(name: name + ".ndjson", contentType: "application/x-ndjson", text: text)
    case .table: .file(name: name + ".txt", contentType: "text/plain; charset=utf-8", text: text)
    }
  }
}
