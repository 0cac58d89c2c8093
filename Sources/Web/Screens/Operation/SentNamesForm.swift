import Campaigns
import Imports
import Ledger
import Markup
import Pages
import Values

/// The form that proposes names from those that networks sent beside postbacks: they are shown and confirmed like a file.
enum SentNamesForm {
  /// Days of arrival that the form looks at; the command looks at all.
  static let days: Int32 = 30
  /// Bodies that are read at most, so that a page has its answer in a few seconds.
  private static let mostBodies = 100_000

  static func markup(_ context: ScreenContext) -> HTML {
    let texts = context.texts
    return Panel.section(
      "sent-names", texts.dataSentNames,
      note: texts.dataSentNamesNote(days: Int(days)),
      """
      <form class="stack" method="post" action="\(DataPlace.path(of: "names"))">\(context.formToken)\
      <div class="row"><button class="btn" name="do" value="propose-names">\(texts.dataSentNamesButton)</button></div></form>
      """)
  }

  /// A file of the names; `nil` where there is none to propose.
  static func file(_ context: ScreenContext) throws -> String? {
    var report = SentNameReport()
    report.period.from = context.now + -Int64(days) * Day.milliseconds
    let proposed = ProposedNames(try report.rows(in: context.source, reading: mostBodies))
    return proposed.rows.isEmpty ? nil : proposed.file
  }
}
