import Arguments
import Ledger
import MappingLibrary
import Mappings
import Markup
import Pages
import Simulation
import Values

/// Versions and drafts of an app side by side, on the same users with the same random draws.
struct CompareScreen: ScreenContent {
  var app: Int?
  var trial = TrialChoice()

  static let path = "/mappings/compare"
  static let place: NavigationPlace? = NavigationPlace(.design, 2)
  static let parameters: [Parameter<Self>] =
    [
      .init("app", \.app, "App Store number.", in: 0...Int.max)
    ] + Parameter.all(of: \.trial)
  /// How many versions, and how many drafts, are simulated for a page.
  private static let most = 4

  static func title(_ texts: Texts) -> HTML { texts.compareTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let mappings = try AppMappings(context.reader, app: app.map { Int64($0) })
    guard let app = mappings.app else {
      return .page(
        Page(texts.compareTitle, body: Panel.empty(texts.mappingsNoneTitle, texts.mappingsNoneReason)))
    }
    var form = FilterForm(context.address, texts)
    if mappings.apps.count > 1 {
      form.choice("app", texts.filterApp, "\(app)", mappings.apps.map { ("\($0)", "\("\($0)" as String)") })
    }
    trial.add(to: &form, context)
    var body = form.markup(summary: "\(trial.sample ?? "")")
    if trial.sample == nil {
      body += Panel.empty(
        texts.compareTitle,
        context.trials.sampleNames.isEmpty ? texts.editorNoSample : texts.compareNeedSample)
    } else {
      body += try table(mappings, context)
    }
    return .page(
      Page(
        texts.compareTitle, scope: texts.compareScope(app: "<bdi>\("\(app)" as String)</bdi>"), body: body))
  }

  private func table(_ mappings: AppMappings, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let current = mappings.inForce(at: context.now)
    let versions = mappings.versions.suffix(Self.most).map { version -> (HTML, [UInt8]) in
      let badge: HTML =
        version.number == current?.number
        ? " <span class=\"badge good\">\(texts.mappingsInForce)</span>" : ""
      return ("\(texts.version(version.number))\(badge)", version.stored.document)
    }
    let drafts = mappings.drafts.prefix(Self.most).map { draft -> (HTML, [UInt8]) in
      (
        "<a href=\"\(EditorScreen.address(of: draft.id).text)\"><bdi>\(draft.name)</bdi></a>", draft.document
      )
    }
    let rows = try (versions + drafts).compactMap { name, document -> [HTML]? in
      try trial.answer(to: document, inForce: current?.mapping, context)?.result
        .map { row(name, $0, texts) }
    }
    return Panel.section(
      "compared", texts.compareTable, flush: true,
      MappingMarks.table(
        texts.compareTable,
        heads: [
          (texts.compareMapping, false), (texts.editorShownShare, true), (texts.editorWithheld, true),
          (texts.editorErrorMean, true), (texts.compareGain, true), (texts.editorReached, true),
          (texts.editorLastNumbers, true),
        ], rows))
  }

  private func row(_ name: HTML, _ result: TrialResult, _ texts: Texts) -> [HTML] {
    let figures = result.draft
    func points(_ value: Double) -> String { fixed(value * 100, 1).replacing("-", with: "−") }
    var gain = Marks.none(texts)
    if let comparison = result.comparison, let interval = comparison.interval {
      let range = Marks.range("\(points(-interval.upperBound))", "\(points(-interval.lowerBound))")
      gain = "\(points(-comparison.gain)) (\(range))"
    }
    return [
      name, figures.visibleShare.map { Marks.share($0) } ?? Marks.none(texts),
      figures.withheldShare.map { Marks.share($0) } ?? Marks.none(texts),
      figures.error.map { Marks.share($0) } ?? Marks.none(texts), gain,
      texts.editorOf(part: "\(figures.valuesReached)", whole: "\(figures.valuesMapped)"),
      figures.lastHours.map { texts.editorDays(days: "\(trimmed(Double($0) / 24, 1))") } ?? Marks.none(texts),
    ]
  }
}
