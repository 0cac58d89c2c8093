import Ledger
import Markup
import Pages
import Values

/// What a screen shows where its days have no postback, or the database none at all.
enum NothingHere {
  static func markup(_ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    guard let newest = try context.reader.newestConversion() else {
      return Panel.empty(
        texts.overviewEmptyTitle, texts.overviewEmptyReason,
        "<code class=\"cmd\">skan ingest --database skan.db postbacks.ndjson</code>")
    }
    let target = context.address.without(DaySpan.names).with("through", newest.day.description)
    return Panel.empty(
      texts.overviewNoneTitle, texts.overviewNoneReason(day: Marks.day(newest.day, hasYear: true)),
      "<a class=\"btn\" href=\"\(target.text)\">\(texts.overviewNoneAction)</a>")
  }
}
