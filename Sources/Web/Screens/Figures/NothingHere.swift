import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Values

/// What a screen shows where its days have no postback, or the database none at all.
enum NothingHere {
  /// Leads to the last days that have some of the choice, or else of another environment, app or network.
  static func markup(_ context: ScreenContext, _ scope: Scope, campaign: String? = nil) throws -> HTML {
    let texts = context.texts
    var choice = ConversionChoice()
    choice.environment = scope.environment
    (choice.apps, choice.networks, choice.campaign) = (scope.apps, scope.networks, campaign)
    let address = context.address.without(DaySpan.names)
    if let last = try context.reader.lastDay(of: choice, until: context.now.day) {
      return panel(
        texts.overviewNoneReason(day: Marks.day(last.day, hasYear: true)),
        address.with("through", last.day.description), texts)
    }
    guard let last = try context.reader.lastDay(of: ConversionChoice(), until: context.now.day) else {
      guard context.viewer.limit.isNone else {
        return Panel.empty(texts.overviewEmptyTitle, texts.overviewNothingOfYours)
      }
      let command: HTML = "<code class=\"cmd\">skan ingest --database skan.db postbacks.ndjson</code>"
      return """
        \(Panel.section("sample", texts.sampleTitle, context.sampleOffer))\(try steps(context))\
        \(Panel.empty(texts.overviewEmptyTitle, texts.overviewEmptyReason, command))
        """
    }
    let environment = last.environment.rawValue
    return panel(
      texts.overviewElsewhere(
        environment: "\(environment)", day: Marks.day(last.day, hasYear: true)),
      address.without(["app", "network", "campaign"]).with("through", last.day.description)
        .with("environment", last.environment == .production ? nil : environment), texts)
  }

  /// What there is to set up, with what is done already.
  private static func steps(_ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let steps: [(isDone: Bool, word: HTML, path: String)] = [
      (false, texts.stepsPostbacks, HealthScreen.path),
      (try !context.reader.mappings().isEmpty, texts.stepsMapping, VersionsScreen.path),
      (try context.reader.hasImported(.names), texts.stepsNames, "/data/names"),
      (try context.reader.hasImported(.spend), texts.stepsSpend, "/data/spend"),
      (try context.reader.hasImported(.users), texts.stepsUsers, "/data/users"),
      (try context.reader.tokens().count > 1, texts.stepsAccess, AccessScreen.path),
    ]
    let items = steps.map { step -> HTML in
      let state: HTML =
        step.isDone
        ? "<span class=\"badge good\">\(texts.stepsDone)</span>"
        : "<span class=\"badge\">\(texts.stepsOpen)</span>"
      return "<li><span class=\"row\">\(state) <a href=\"\(step.path)\">\(step.word)</a></span></li>"
    }
    return Panel.section(
      "steps", texts.stepsTitle, note: texts.stepsNote, flush: true,
      "<ul class=\"list\">\(items.joined())</ul>")
  }

  private static func panel(_ reason: HTML, _ target: PageAddress, _ texts: Texts) -> HTML {
    Panel.empty(
      texts.overviewNoneTitle, reason,
      "<a class=\"btn\" href=\"\(target.text)\">\(texts.overviewNoneAction)</a>")
  }
}
