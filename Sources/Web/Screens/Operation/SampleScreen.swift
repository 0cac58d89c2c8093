import Arguments
import Markup
import Pages
import Routing
import SampleData
import System
import Values

/// Makes the sample data, and has a viewer look at them or at the service's own data.
struct SampleScreen: ScreenContent {
  static let path = PageAddress.samplePath
  static let formRole: ViewerRole? = .reader
  static let showsSample = false
  static let parameters: [Parameter<Self>] = []

  /// Only one is made at a time.
  private static let making = Guarded(())

  static func title(_ texts: Texts) -> HTML { texts.sampleTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    .page(shown(context))
  }

  private func shown(_ context: ScreenContext, banner: HTML = "") -> Page {
    Page(
      context.texts.sampleTitle,
      body: "\(banner)\(Panel.section("sample", context.texts.sampleTitle, context.sampleOffer))")
  }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    guard form["do"] != "leave" else { return .showSample(false, PageAddress("/")) }
    guard context.hasSample || context.mayEdit else { return try answer(context) }
    do {
      try Self.making.withLock { _ in
        guard !context.hasSample else { return }
        let sample = SampleDatabase(
          path: context.sampleDatabase, samples: context.sampleFolder, now: context.now)
        _ = try sample.make()
      }
    } catch let error as any UserFacingError where error.exitCode != .bug {
      let texts = context.texts
      let cure: HTML = error.remedy.map { " \(texts.sampleCure(cure: HTML.prose($0)))" } ?? ""
      return .page(
        shown(
          context,
          banner: Panel.banner(
            "\(texts.sampleFailed(folder: "<code>\(context.sampleFolder)</code>", reason: HTML.prose(error.message)))\(cure)"
          )))
    }
    return .showSample(true, PageAddress("/"))
  }
}

extension ScreenContext {
  /// A button that shows the sample data, and makes them first where there are none.
  var sampleOffer: HTML {
    guard hasSample || mayEdit else { return "<p>\(texts.sampleEditorsOnly)</p>" }
    return """
      <p>\(texts.sampleExplained)</p><form method="post" action="\(PageAddress.samplePath)">\(formToken)\
      <button class="btn primary" name="do" value="show">\(hasSample ? texts.sampleShow : texts.sampleMake)</button></form>
      """
  }
}
