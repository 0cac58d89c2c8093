import Ledger
import Markup
import Pages
import Postbacks
import Reporting
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
      return Panel.empty(
        texts.overviewEmptyTitle, texts.overviewEmptyReason,
        "<code class=\"cmd\">skan ingest --database skan.db postbacks.ndjson</code>")
    }
    let environment = last.environment.rawValue
    return panel(
      texts.overviewElsewhere(
        environment: "\(environment)", day: Marks.day(last.day, hasYear: true)),
      address.without(["app", "network", "campaign"]).with("through", last.day.description)
        .with("environment", last.environment == .production ? nil : environment), texts)
  }

  private static func panel(_ reason: HTML, _ target: PageAddress, _ texts: Texts) -> HTML {
    Panel.empty(
      texts.overviewNoneTitle, reason,
      "<a class=\"btn\" href=\"\(target.text)\">\(texts.overviewNoneAction)</a>")
  }
}
