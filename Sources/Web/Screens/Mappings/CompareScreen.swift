import Arguments
import Markup
import MappingLibrary
import Mappings
import Pages
import Values

/// Versions and drafts of an app side by side, on the same users with the same random draws.
struct CompareScreen: ScreenContent {
  var app: Int?
  var sample: String?
  var threshold = "default"
  var seed = 1

  static let path = "/mappings/compare"
  static let place: NavigationPlace? = NavigationPlace(.design, 2)
  static let parameters: [Parameter<Self>] = [
    .init("app", \.app, "App Store number.", in: 0...Int.max),
    .init("sample", \.sample, "Events file of users."),
    .init("threshold", \.threshold, "Privacy threshold model."),
    .init("seed", \.seed, "Random seed.", in: 0...Int.max),
  ]
  /// How many versions, and how many drafts, are simulated for a page.
  private static let most = 4

  static func title(_ texts: Texts) -> HTML { texts.compareTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    let shelf = try DraftShelf(context.reader, app: app.map { Int64($0) })
    guard let app = shelf.app else {
      return .page(
        Page(texts.compareTitle, body: Panel.empty(texts.mappingsNoneTitle, texts.mappingsNoneReason)))
    }
    let desk = TrialDesk.shared(context.samples)
    var form = FilterForm(context.address, texts)
    if shelf.apps.count > 1 {
      form.choice("app", texts.filterApp, "\(app)", shelf.apps.map { ("\($0)", "\("\($0)" as String)") })
    }
    form.choice(
      "sample", texts.editorSample, sample ?? "",
      [("", texts.editorNoUsers)] + desk.sampleNames.map { ($0, "\($0)") })
    var models = TrialDesk.thresholds.map { (value: $0.name, word: "\($0.name): \($0.sentence)" as HTML) }
    if !models.contains(where: { $0.value == threshold }) { models.append((threshold, "\(threshold)")) }
    form.choice("threshold", texts.editorThreshold, threshold, models)
    form.search("seed", texts.editorSeed, "\(seed)")
    var body = form.markup(summary: "\(sample ?? "")")
    if sample == nil {
      body += Panel.empty(
        texts.compareTitle, desk.sampleNames.isEmpty ? texts.editorNoSample : texts.compareNeedSample)
    } else {
      body += try table(shelf, desk, context)
    }
    return .page(
      Page(
        texts.compareTitle, scope: texts.compareScope(app: "<bdi>\("\(app)" as String)</bdi>"), body: body))
  }

  private func table(_ shelf: DraftShelf, _ desk: TrialDesk, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let current = shelf.inForce(at: context.now)
    let versions = shelf.versions.suffix(Self.most).map { version -> (HTML, [UInt8]) in
      let badge: HTML =
        version.number == current?.number
        ? " <span class=\"badge good\">\(texts.mappingsInForce)</span>" : ""
      return ("\(texts.version(version.number))\(badge)", version.document)
    }
    let drafts = shelf.drafts.prefix(Self.most).map { draft -> (HTML, [UInt8]) in
      (
        "<a href=\"\(EditorScreen.address(of: draft.id).text)\"><bdi>\(draft.name)</bdi></a>", draft.document
      )
    }
    let rows = try (versions + drafts).compactMap { name, document -> [HTML]? in
      let answer = try desk.answer(
        document, of: nil, inForce: current?.mapping, sample: sample, threshold: threshold, seed: seed,
        now: context.now)
      guard let result = answer?.result else { return nil }
      return row(name, result, texts)
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
    if let interval = result.gain?.interval, let mean = result.gain?.mean {
      let range = Marks.range("\(points(-interval.upperBound))", "\(points(-interval.lowerBound))")
      gain = "\(points(-mean)) (\(range))"
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
