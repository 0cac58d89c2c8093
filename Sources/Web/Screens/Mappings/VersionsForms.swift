import MappingEditing
import MappingFormats
import Mappings
import Markup
import Pages
import Values

/// What can be done with the versions of an app's mapping: begin a draft, roll back, import, export.
struct VersionsForms {
  let mappings: AppMappings
  /// The import that failed, which is shown again as it was sent.
  let sent: Import?
  /// What was sent for the app of a new draft and is no app; empty for nothing.
  let sentApp: String
  let context: ScreenContext

  private var texts: Texts { context.texts }

  private static let formats = MappingFormat.allCases.map {
    (value: $0.rawValue, word: "\($0.rawValue)" as HTML)
  }

  /// What the form for an import has in its fields.
  struct Import {
    var format = MappingFormat.skan.rawValue
    var app: String
    var currency: String
    var date: String
    var text = ""
    /// The line where the reading ended.
    var wrong: (number: Int, text: String)?

    /// The longest text that goes back into a form.
    private static let longest = 512 << 10

    init(_ mappings: AppMappings, _ now: Instant) {
      app = mappings.app.map { "\($0)" } ?? ""
      currency = mappings.versions.last?.mapping.currency.text ?? ""
      date = "\(now.day.next)"
    }

    init(_ form: FormBody, _ error: DraftError) {
      format = form["format"] ?? ""
      (app, currency, date) = (form["app"] ?? "", form["currency"] ?? "", form["date"] ?? "")
      let bytes = Self.bytes(form)
      guard bytes.count <= Self.longest else { return }
      text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      if let line = error.line, lines.indices.contains(line - 1) {
        wrong = (line, String(lines[line - 1].unicodeScalars.prefix(200)))
      }
    }

    /// The chosen file, else the text.
    static func bytes(_ form: FormBody) -> [UInt8] {
      if let file = form.file("file"), !file.bytes.isEmpty { return file.bytes }
      return Array((form["text"] ?? "").replacing("\r\n", with: "\n").utf8)
    }
  }

  /// All that can be done, in one row: what needs more than a choice is behind its button.
  var row: HTML {
    let others = [
      context.mayEdit && sent == nil ? behind("import", texts.mappingsImport, importing) : "",
      context.mayEdit && mappings.versions.count > 1
        ? behind("roll-back", texts.mappingsRollBack, rollingBack) : "",
      mappings.versions.isEmpty ? "" : behind("export", texts.mappingsExport, exporting),
    ]
    return """
      <div class="row between end">\(context.mayEdit ? begin : "")<div class="row">\(others.joined())</div></div>
      """
  }

  /// The import as a part of the page.
  var importPanel: HTML { Panel.section("import", texts.mappingsImport, importing) }

  private func behind(_ id: HTML, _ word: HTML, _ content: HTML) -> HTML {
    """
    <details class="pop" id="\(id)"><summary class="btn">\(word)</summary>\
    <div class="form" role="region" aria-label="\(word)">\(content)</div></details>
    """
  }

  var begin: HTML {
    let options =
      mappings.versions.reversed().map { (value: "\($0.number)", word: texts.version($0.number)) }
      + MappingModel.allCases.map { model in
        (value: model.rawValue, word: texts.mappingsBeginModel(name: ModelChoice.words(model, texts).name))
      } + [(value: "", word: texts.mappingsBeginEmpty)]
    let app: HTML =
      mappings.app == nil ? Panel.field("b-app", "app", texts.mappingsAppOrName, sentApp) : ""
    return """
      <section class="begin" aria-label="\(texts.mappingsBegin)"><form class="row end" method="post" action="\(context.address.text)">\
      \(context.formToken)\(app)\(Panel.choice("b-version", "version", texts.mappingsBeginFrom, options[0].value, options))\
      <button class="btn primary" name="do" value="begin">\(texts.mappingsBeginButton)</button></form></section>
      """
  }

  private var rollingBack: HTML {
    let options = mappings.versions.dropLast().reversed().map {
      (value: "\($0.number)", word: texts.version($0.number))
    }
    return """
      <form class="stack" method="post" action="\(context.address.text)">\(context.formToken)\
      <input type="hidden" name="state" value="\(mappings.state)">\
      \(Panel.choice("r-version", "version", texts.mappingsRollBackTo, options.first?.value ?? "", options))\
      \(Panel.field("r-date", "date", texts.mappingsDate, "\(context.now.day.next)", type: "date"))\
      \(Panel.field("r-note", "note", texts.publishNote, ""))\
      <p class="hint">\(texts.mappingsRollBackHint)</p>\
      <div class="row"><button class="btn" name="do" value="roll-back">\(texts.mappingsRollBackButton)</button></div></form>
      """
  }

  private var importing: HTML {
    let sent = sent ?? Import(mappings, context.now)
    let wrong: HTML =
      sent.wrong.map { wrong in
        """
        <div id="i-wrong"><p class="s">\(texts.editorLine(line: "\(wrong.number)"))</p>\
        <pre class="bytes"><mark>\(wrong.text)</mark></pre></div>
        """
      } ?? ""
    let state: HTML = sent.wrong == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"i-wrong\""
    return """
      <form class="stack" method="post" action="\(context.address.text)" enctype="multipart/form-data">\(context.formToken)\
      \(Panel.choice("i-format", "format", texts.mappingsFormat, sent.format, Self.formats))\
      \(Panel.field("i-app", "app", texts.mappingsAppOrName, sent.app))\
      \(Panel.field("i-currency", "currency", texts.mappingsCurrency, sent.currency))\
      \(Panel.field("i-date", "date", texts.mappingsDate, sent.date, type: "date"))\
      <div class="field"><label for="i-file">\(texts.dataFile)</label><input type="file" id="i-file" name="file"></div>\
      <div class="field"><label for="i-text">\(texts.mappingsText)</label>\
      <textarea id="i-text" name="text" rows="8" spellcheck="false"\(state)>\n\(.value(sent.text))</textarea></div>\(wrong)\
      <div class="row"><button class="btn" name="do" value="import">\(texts.mappingsImportButton)</button></div></form>
      """
  }

  private var exporting: HTML {
    guard let last = mappings.versions.last else { return "" }
    let options = mappings.versions.reversed().map { (value: "\($0.number)", word: texts.version($0.number)) }
    let losses = MappingFormat.allCases.compactMap { format -> HTML? in
      guard let file = try? format.export(last.mapping), !file.remarks.isEmpty else { return nil }
      let items = file.remarks.map { loss -> HTML in "<li>\(texts.say(loss.sentence))</li>" }
      return "<dt>\(format.rawValue)</dt><dd><ul>\(items.joined())</ul></dd>"
    }
    return """
      <form class="stack" method="get" action="\(VersionsScreen.path)"><input type="hidden" name="app" \
      value="\("\(mappings.app ?? 0)" as String)">\
      \(Panel.choice("e-version", "version", texts.mappingsVersion, "\(last.number)", options))\
      \(Panel.choice("e-format", "export", texts.mappingsFormat, "skan", Self.formats))\
      <div class="row"><button class="btn">\(texts.mappingsExportButton)</button></div></form>\
      <details class="more"><summary>\(texts.mappingsExportLosses)</summary><dl class="kv">\(losses.joined())</dl></details>
      """
  }
}
