import Campaigns
import Imports
import Markup
import Pages
import Tables
import Values

/// What an import would change, or what has to be corrected first.
struct PreviewView {
  private let preview: ImportPreview
  private let id: String
  private let path: String
  private let context: ScreenContext
  /// Whether the file may be kept, as users that mappings are tried on.
  private let mayKeep: Bool

  init(
    _ preview: ImportPreview, _ id: String, _ path: String, _ context: ScreenContext, mayKeep: Bool
  ) {
    (self.preview, self.id, self.path, self.context) = (preview, id, path, context)
    self.mayKeep = mayKeep
  }

  var markup: HTML { preview.mistakes.isEmpty ? changes : mistakes }

  /// What the page showed, to compare it with what would happen at the confirmation.
  static func expectation(_ outcome: ImportOutcome) -> String {
    [outcome.added, outcome.changed, outcome.same, outcome.removed].map { "\($0)" }.joined(separator: ",")
  }

  /// Warnings, rows without postbacks and notes, the first of each.
  static func sentences(_ outcome: ImportOutcome, _ texts: Texts) -> [HTML] {
    (outcome.warnings + outcome.unmatched.map(\.sentence) + outcome.notes).prefix(Unmatched.mostForPeople)
      .map { texts.say($0) }
  }

  private var back: HTML { "<a class=\"btn\" href=\"\(path)\">\(context.texts.dataCancel)</a>" }

  private var mistakes: HTML {
    let texts = context.texts
    let more: HTML =
      preview.mistakes.count >= ImportPreview.mostMistakes
      ? "<p class=\"note\">\(texts.dataMoreMistakes)</p>" : ""
    return """
      <div class="banner bad" role="alert"><div><p>\(texts.dataRejected(count: preview.mistakes.count))</p>\
      <p class="s">\(texts.dataRejectedCure)</p></div>\(back)</div>
      \(Panel.section(
        "mistakes", texts.dataMistakes,
        columns: [
          .init(texts.dataLine, isNumber: false, preview.mistakes.map { Marks.count(Int64($0.line)) }),
          .init(
            texts.dataFound, isNumber: false,
            preview.mistakes.map {
              "\(texts.say($0.sentence))<span class=\"sub\"><code>\($0.code)</code></span>"
            }),
        ], texts))\(more)
      """
  }

  private var changes: HTML {
    let texts = context.texts
    let outcome = preview.outcome
    let figures = [
      (texts.dataNew, outcome.added), (texts.dataChanged, outcome.changed), (texts.dataSame, outcome.same),
      (texts.dataGone, outcome.removed),
    ]
    let keep: HTML =
      mayKeep
      ? "<label class=\"check\"><input type=\"checkbox\" name=\"keep\" value=\"true\"> \(texts.dataKeepUsers)</label>"
      : ""
    let figs = figures.map { word, count in Panel.figure(word, Marks.count(Int64(count))) }
    var body: HTML = """
      <form class="row" method="post" action="\(path)">\(context.formToken)\
      <input type="hidden" name="upload" value="\(id)">\
      <input type="hidden" name="expected" value="\(Self.expectation(outcome))">\
      \(keep)<button class="btn primary" name="do" value="import">\(texts.dataImport)</button>\(back)</form>
      \(Panel.figures(figs))
      """
    body += list("warnings", texts.dataWarnings, outcome.warnings)
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
