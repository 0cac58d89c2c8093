import Campaigns
import Imports
import Markup
import Pages
import Tables
import Values

/// What an import would change.
struct PreviewView {
  private let preview: ImportPreview
  private let context: ScreenContext

  init(_ preview: ImportPreview, _ context: ScreenContext) {
    (self.preview, self.context) = (preview, context)
  }

  /// What the page showed, to compare it with what would happen at the confirmation.
  static func expectation(_ outcome: ImportOutcome) -> String {
    [outcome.added, outcome.changed, outcome.same, outcome.removed].map { "\($0)" }.joined(separator: ",")
  }

  /// Warnings, rows without postbacks and notes, the first of each.
  static func sentences(_ outcome: ImportOutcome, _ texts: Texts) -> [HTML] {
    (outcome.warnings + outcome.unmatched.map(\.sentence) + outcome.notes).prefix(Unmatched.mostForPeople)
      .map { texts.say($0) }
  }

  /// How many rows are new, different, the same and replaced.
  var figures: HTML {
    let texts = context.texts
    let outcome = preview.outcome
    let figures = [
      (texts.dataNew, outcome.added), (texts.dataChanged, outcome.changed), (texts.dataSame, outcome.same),
      (texts.dataGone, outcome.removed),
    ]
    return Panel.figures(figures.map { word, count in Panel.figure(word, Marks.count(Int64(count))) })
  }

  /// What a person should know, and the stored rows that would be replaced.
  var details: HTML {
    let texts = context.texts
    let outcome = preview.outcome
    var body = list("warnings", texts.dataWarnings, outcome.warnings)
    body += list("unmatched", texts.dataUnmatched, outcome.unmatched.map(\.sentence))
    body += list("notes", texts.dataNotes, outcome.notes)
    if let replaced = preview.replaced {
      body += Panel.section(
        "replaced", texts.dataReplaced, note: texts.dataReplacedNote, flush: true,
        CellTable.markup(replaced, texts.dataReplaced, texts))
    }
    if let sample = preview.sample, !sample.rows.isEmpty {
      body += Panel.section(
        "sample", texts.dataSample, flush: true, CellTable.markup(sample, texts.dataSample, texts))
    }
    return body
  }

  private func list(_ id: String, _ heading: HTML, _ sentences: [Sentence]) -> HTML {
    guard !sentences.isEmpty else { return "" }
    let shown = sentences.prefix(Unmatched.mostForPeople)
    let items = shown.map { sentence -> HTML in "<li><p>\(context.texts.say(sentence))</p></li>" }
      .joined()
    let more: HTML =
      sentences.count > shown.count
      ? "<p class=\"note\">\(context.texts.dataMore(count: sentences.count - shown.count))</p>" : ""
    return "\(Panel.section(id, heading, flush: true, "<ul class=\"list\">\(items)</ul>"))\(more)"
  }
}
