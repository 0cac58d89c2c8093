import Arguments
import Campaigns
import Markup
import Pages
import Postbacks
import Tables
import Values

/// A page that shows one report: what the address asks of it, and the panels of its answer.
///
/// Days, filters, the file and the page without rows are the same for all.
protocol ReportScreen: ScreenContent {
  associatedtype Shown: Report<ReportSource>
  var span: DaySpan { get }
  var scope: Scope { get }
  /// The file to save instead of a page.
  var format: Format? { get }
  /// The parameter `sort`, and the one in its place where only another form of the report has the column; `nil` for the
  /// report's own order.
  var order: (sort: String, usual: String)? { get }
  static var scripts: [EmbeddedAsset] { get }
  /// Whether its addresses can be saved under names.
  static var hasSavedViews: Bool { get }
  /// The name of its file, without the ending.
  static var fileName: String { get }
  /// The days that it shows: those that the address names, or its usual ones.
  func shownSpan(at now: Instant) -> DaySpan
  func report(_ days: Range<Day>, _ context: ScreenContext) throws -> Shown
  func file(_ format: Format, _ report: Shown, _ context: ScreenContext) throws -> PageAnswer
  func answer(of report: Shown, _ context: ScreenContext) throws -> ReportAnswer<Shown>
  /// Adds the filters besides days, app and environment.
  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<Shown>, _ context: ScreenContext) throws
  func scopeLine(_ days: Range<Day>, _ texts: Texts) -> HTML
  /// What the page shows where there are no rows.
  func empty(_ answer: ReportAnswer<Shown>, _ context: ScreenContext) throws -> HTML
  func panels(_ answer: ReportAnswer<Shown>, _ days: Range<Day>, _ context: ScreenContext) throws -> HTML
}

extension ReportScreen {
  var order: (sort: String, usual: String)? { nil }
  static var scripts: [EmbeddedAsset] { [] }
  static var hasSavedViews: Bool { false }
  func shownSpan(at now: Instant) -> DaySpan { span }
  func addFilters(
    to form: inout FilterForm, _ answer: ReportAnswer<Shown>, _ context: ScreenContext
  ) throws {}

  func file(_ format: Format, _ report: Shown, _ context: ScreenContext) throws -> PageAnswer {
    .file(
      Self.fileName, format,
      try order.map { try report.text(format, from: context.source, sort: $0.sort, usual: $0.usual) }
        ?? report.text(format, from: context.source))
  }

  func answer(of report: Shown, _ context: ScreenContext) throws -> ReportAnswer<Shown> {
    try order.map { try report.answer(from: context.source, sort: $0.sort, usual: $0.usual) }
      ?? report.answer(from: context.source)
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let span = shownSpan(at: context.now)
    let days = span.days(at: context.now)
    let report = try report(days, context)
    if let format { return try file(format, report, context) }
    let answer = try answer(of: report, context)
    var form = context.filters(span, scope, apps: try context.apps(scope))
    try addFilters(to: &form, answer, context)
    let views = Self.hasSavedViews ? try SavedViews(context) : nil
    let filters: HTML =
      "\(views?.list ?? "")\(form.markup(summary: days.label, dropping: ["last", "page"]))"
    let scopeLine = scopeLine(days, texts)
    guard !answer.rows.isEmpty else {
      return .page(
        Page(
          Self.title(texts), scope: scopeLine, actions: views?.button ?? "",
          body: "\(filters)\(try empty(answer, context))"))
    }
    return .page(
      Page(
        Self.title(texts), scope: scopeLine, actions: "\(context.fileLinks)\(views?.button ?? "")",
        scripts: Self.scripts, body: "\(filters)\(try panels(answer, days, context))"))
  }
}
