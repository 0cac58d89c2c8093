import Arguments
import Imports
import Markup
import Pages

/// The form that takes a file or pasted rows; it needs no script.
struct UploadForm<Kind: ImportKind> {
  private let context: ScreenContext

  init(_ kind: Kind.Type, _ context: ScreenContext) { self.context = context }

  var markup: HTML {
    let texts = context.texts
    let word = Kind.Listed.word
    return Panel.section(
      "upload", texts.dataUpload, note: texts.dataUploadNote(columns: "<code>\(Kind.columns)</code>"),
      """
      <form class="stack" method="post" action="\(DataPlace.path(of: word))" enctype="multipart/form-data">\
      \(context.formToken)<div class="row">\(choices)\
      <div class="field"><label for="file">\(texts.dataFile)</label>\
      <input type="file" id="file" name="file" accept=".csv,.tsv,.txt,.json,.ndjson,.gz,text/csv,application/json,application/gzip"></div></div>\
      <details class="more"><summary>\(texts.dataPaste)</summary><div class="field">\
      <label for="text">\(texts.dataPasteLabel)</label>\
      <textarea id="text" name="text" rows="6" spellcheck="false"></textarea></div></details>\
      <div class="row"><button class="btn primary" name="do" value="preview">\(texts.dataPreview)</button>\
      <span class="s soft">\(texts.dataNothingYet)</span></div></form>
      """)
  }

  /// Fields for what has to be known besides the file.
  private var choices: HTML {
    let texts = context.texts
    return Kind.Choice.parameters.map { parameter -> HTML in
      let name = parameter.name
      let label = DataPlace.label(of: name, texts)
      return name == "environment"
        ? Panel.choice(
          "c-\(name)", name, label, "", FilterForm.environments.map { ($0, "\($0)") })
        : Panel.field("c-\(name)", name, label, "", more: " inputmode=\"numeric\" size=\"12\"")
    }.joined()
  }
}
