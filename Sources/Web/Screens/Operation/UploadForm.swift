import Arguments
import Imports
import Markup
import Pages

/// The form that takes a file or pasted rows; it needs no script.
struct UploadForm<Kind: ImportKind> {
  private let context: ScreenContext
  /// What was pasted and could not be read.
  private let pasted: String

  init(_ kind: Kind.Type, _ context: ScreenContext, pasted: String = "") {
    (self.context, self.pasted) = (context, pasted)
  }

  var markup: HTML {
    let texts = context.texts
    let word = Kind.Listed.word
    return Panel.section(
      "upload", texts.dataUpload, note: texts.dataUploadNote(columns: "<code>\(Kind.columns)</code>"),
      """
      <form class="stack" method="post" action="\(DataPlace.path(of: word))" enctype="multipart/form-data">\
      \(context.formToken)<div class="row">\(Self.choices([:], context))\
      <div class="field"><label for="file">\(texts.dataFile)</label>\
      <input type="file" id="file" name="file" accept=".csv,.tsv,.txt,.json,.ndjson,.gz,text/csv,application/json,application/gzip"></div></div>\
      <div class="field"><label for="text">\(texts.dataPasteLabel)</label>\
      <textarea id="text" name="text" rows="4" spellcheck="false" dir="ltr">\(.value(pasted))</textarea></div>\
      <div class="row"><button class="btn primary" name="do" value="preview">\(texts.dataPreview)</button>\
      <span class="s soft">\(texts.dataNothingYet)</span></div></form>
      """)
  }

  /// Fields for what has to be known besides the file.
  static func choices(_ chosen: [String: [String]], _ context: ScreenContext) -> HTML {
    let texts = context.texts
    return Kind.Choice.parameters.map { parameter -> HTML in
      let name = parameter.name
      let label = DataPlace.label(of: name, texts)
      let value = (chosen[name] ?? []).joined(separator: ",")
      return name == "environment"
        ? Panel.choice(
          "c-\(name)", name, label, value, FilterForm.environments.map { ($0, "\($0)") })
        : Panel.field("c-\(name)", name, label, value, more: " inputmode=\"numeric\" size=\"12\"")
    }.joined()
  }
}
