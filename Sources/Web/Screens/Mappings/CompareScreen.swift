import Arguments
import Ledger
import MappingEditing
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
  static let place: NavigationPlace? = NavigationPlace(.details, 8)
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
    form.app(app, of: mappings, context)
    let mapping = (mappings.inForce(at: context.now) ?? mappings.versions.last)?.mapping
    let basis = try mapping.map { mapping in
      try trial.basis(
        of: mapping, trial.users(for: mapping.app, currency: mapping.currency, context), context)
    }
    trial.add(to: &form, basis, context)
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
    let tried = try (versions + drafts).compactMap { name, document -> (name: HTML, result: TrialResult)? in
      try trial.answer(to: document, inForce: current?.mapping, context)?.result.map { (name, $0) }
    }
    func shares(_ title: HTML, _ share: (TrialFigures) -> Double?) -> DataTable.Column {
      .init(title, tried.map { share($0.result.draft).map { Marks.share($0) } ?? Marks.none(texts) })
    }
    return Panel.section(
      "compared", texts.compareTable,
      columns: [
        .init(texts.compareMapping, isNumber: false, tried.map(\.name)),
        shares(texts.editorShownShare, \.visibleShare), shares(texts.editorWithheld, \.withheldShare),
        shares(texts.editorErrorMean, \.error),
        .init(texts.compareGain, tried.map { gain($0.result, texts) }),
        .init(texts.editorReached, tried.map { MappingMarks.reached($0.result.draft, texts) }),
        .init(texts.editorLastNumbers, tried.map { MappingMarks.days($0.result.draft.lastHours, texts) }),
      ], texts)
  }

  private func gain(_ result: TrialResult, _ texts: Texts) -> HTML {
    func points(_ value: Double) -> String { Marks.local(fixed(value * 100, 1).replacing("-", with: "−")) }
    guard let comparison = result.comparison, let interval = comparison.interval else {
      return Marks.none(texts)
    }
    let range = Marks.range("\(points(-interval.upperBound))", "\(points(-interval.lowerBound))")
    return "\(points(-comparison.gain)) (\(range))"
  }
}
