import Arguments
import Imports
import Intake
import Ledger
import Markup
import Pages
import Routing
import Tables
import Values

/// The steps from a file that was sent to its import: whose it is, what its columns are, which rows are wrong, and what
/// would be stored.
struct UploadSteps<Kind: ImportKind> {
  /// How the file is read; `nil` where something has to be chosen first.
  let form: ImportForm?
  private let gap: FileReading.Gap?
  private let reading: FileReading
  private let upload: UploadStore.Upload
  private let id: String
  private let file: FileDraft
  private let context: ScreenContext

  private var texts: Texts { context.texts }

  /// Rows that can be corrected at a time.
  private static var mostShown: Int { 20 }
  /// Bytes of a row that can be corrected.
  private static var longestRow: Int { 4096 }

  init(_ upload: UploadStore.Upload, _ id: String, _ context: ScreenContext) throws {
    (self.upload, self.id, self.context) = (upload, id, context)
    file = try FileDraft(upload.bytes)
    reading = upload.reading as? FileReading ?? FileReading(of: file, Kind.fileColumns)
    do throws(FileReading.Gap) { (form, gap) = (try reading.form(of: file, Kind.fileColumns), nil) } catch {
      (form, gap) = (nil, error)
    }
  }

  /// What the import would change; `nil` where something has to be chosen first.
  func preview() throws -> ImportPreview? {
    try form.map { try Kind.preview(upload.bytes, $0, Kind.Choice(upload.choices), context.reader) }
  }

  /// The file with the columns' own names; `nil` where it is of JSON with other ones.
  var users: [UInt8]? {
    if let renamed = file.renamed({ reading.columns[$0] ?? "column-\($0)" }) { return renamed }
    let isOwn = file.names.indices.allSatisfy { place in
      (reading.columns[place] ?? file.names[place]) == file.names[place]
    }
    return isOwn ? upload.bytes : nil
  }

  // MARK: Changes

  /// The file as a form has it; `nil` where that is as it was.
  func revised(by form: FormBody, choices: [String: [String]]) throws -> UploadStore.Upload? {
    let reading = try reading(by: form)
    var bytes = upload.bytes
    let corrected = form.numbered("row-").filter { line, text in
      file.text(ofLine: line).map { Self.lines(of: $0) != Self.lines(of: text) } ?? false
    }
    if !corrected.isEmpty { bytes = file.replacing(corrected) }
    if form["do"] == "leave-out" {
      let draft = try FileDraft(bytes)
      let wrong = try (try? reading.form(of: draft, Kind.fileColumns)).map {
        try Kind.preview(bytes, $0, Kind.Choice(choices), context.reader).mistakes
      }
      let lines = (wrong ?? []).filter { isOfRow($0, in: draft) }.map { ($0.line, "") }
      bytes = draft.replacing(Dictionary(lines, uniquingKeysWith: { first, _ in first }))
    }
    guard bytes != upload.bytes || reading != self.reading || choices != upload.choices else { return nil }
    return UploadStore.Upload(
      kind: upload.kind, name: upload.name, bytes: bytes, choices: choices, reading: reading)
  }

  private func isOfRow(_ mistake: ImportMistake, in file: FileDraft) -> Bool {
    !UploadCure(mistake.code, texts).isOfFile && file.text(ofLine: mistake.line) != nil
  }

  private static func lines(of text: String) -> [Substring] { text.split(whereSeparator: \.isNewline) }

  private func reading(by form: FormBody) throws -> FileReading {
    if let word = form["profile"], word != reading.profile?.rawValue ?? "" {
      let profile = Kind.profiles.first { $0.rawValue == word }
      return try profile.map { try FileReading($0, of: file) } ?? FileReading(of: file, Kind.fileColumns)
    }
    var reading = reading
    let names = Set(Kind.fileColumns.map(\.name))
    for (place, name) in form.numbered("column-") where file.names.indices.contains(place) {
      reading.columns[place] = names.contains(name) ? name : nil
    }
    for column in Kind.fileColumns where column.isOftenTheSame {
      guard let value = form["fixed-\(column.name)"] else { continue }
      reading.fixed[column.name] = value.contains { !$0.isWhitespace } ? value : nil
    }
    if let days = form["days"] { reading.days = SpreadsheetForm(rawValue: days) }
    if let unit = form["amounts"].flatMap({ AmountForm.Unit(rawValue: $0) }) { reading.amounts = unit }
    return reading
  }

  // MARK: Page

  func markup() throws -> HTML {
    let preview = try preview()
    var steps: [HTML] = Kind.profiles.isEmpty ? [] : [source]
    let mistakes = preview?.mistakes ?? []
    let ofRows = mistakes.filter { isOfRow($0, in: file) }
    steps.append(try columns(mistakes.filter { !isOfRow($0, in: file) }))
    if !ofRows.isEmpty { steps.append(wrong(ofRows, isWhole: mistakes.count < ImportPreview.mostMistakes)) }
    var details: HTML = ""
    if let preview, mistakes.isEmpty {
      let view = PreviewView(preview, context)
      steps.append(store(preview, view))
      details = view.details
    }
    let items = steps.map { step -> HTML in "<li>\(step)</li>" }
    return """
      <form method="post" action="\(DataPlace.path(of: Kind.Listed.word))">\(context.formToken)\
      <input type="hidden" name="upload" value="\(id)"><ol class="stages">\(items.joined())</ol></form>\(details)
      """
  }

  private var source: HTML {
    let choices = [("", texts.dataOwnTable)] + Kind.profiles.map { ($0.rawValue, "\($0.system)" as HTML) }
    let chips = choices.map { value, word -> HTML in
      let checked: HTML = value == reading.profile?.rawValue ?? "" ? " checked" : ""
      return """
        <label class="chip"><input type="radio" name="profile" value="\(.value(value))"\(checked)> \(word)</label>
        """
    }
    return Panel.section(
      "source", texts.dataWhereFrom,
      "<div class=\"row\" role=\"group\" aria-labelledby=\"h-source\">\(chips.joined())</div>")
  }

  private func columns(_ mistakes: [ImportMistake]) throws -> HTML {
    let banners =
      gapBanner
      + mistakes.prefix(1).map { mistake -> HTML in
        Panel.banner(
          "\(texts.say(mistake.sentence)) <span class=\"hint\">\(UploadCure(mistake.code, texts).column)</span>"
        )
      }
    let lines = file.first.prefix(3)
    let read = form.map { Kind.firstRows(lines.count, of: file, $0) } ?? [:]
    let options = [("", texts.dataLeaveOut)] + Kind.fileColumns.map { ($0.name, texts.say(phrase: $0.title)) }
    let rows = file.names.enumerated().map { place, name -> HTML in
      let chosen = reading.columns[place]
      let cells = lines.enumerated().map { number, row -> HTML in
        let cell = chosen.flatMap { read[row.line]?[$0] }
        let shown = cell.map { Marks.cell($0.cell, $0.kind, texts) } ?? Marks.none(texts)
        let was: HTML =
          row.texts[place].isEmpty ? "" : "<span class=\"was\"><bdi>\(row.texts[place])</bdi></span>"
        return "<td\(number > 0 ? " class=\"opt\"" as HTML : "")>\(shown)\(was)</td>"
      }
      let list = options.map { value, word -> HTML in
        let selected: HTML = value == chosen ?? "" ? " selected" : ""
        return "<option value=\"\(value)\"\(selected)>\(word)</option>"
      }
      return """
        <tr><th scope="row"><bdi>\(name)</bdi></th><td><select name="column-\(place)" aria-label="\(name): \(texts.dataIs)">\
        \(list.joined())</select></td>\(cells.joined())</tr>
        """
    }
    let heads = lines.indices.map { number -> HTML in
      "<th scope=\"col\"\(number > 0 ? " class=\"opt\"" as HTML : "")>\(texts.dataRowNumber(number: number + 1))</th>"
    }
    let table: HTML = """
      <table class="colmap"><caption>\(texts.dataColumnsNote)</caption><thead><tr><th scope="col">\(texts.dataInFile)</th>\
      <th scope="col">\(texts.dataIs)</th>\(heads.joined())</tr></thead><tbody>\(rows.joined())</tbody></table>
      """
    return Panel.section(
      "columns", texts.dataColumnsQuestion,
      link: "<span class=\"badge\">\(texts.dataCount(count: file.lines.count))</span>",
      flush: true,
      """
      \(banners.joined())\(table)<div class="row end in">\(try fields())\
      <button class="btn" name="do" value="check">\(texts.dataCheckAgain)</button></div>
      """)
  }

  /// What has to be chosen first.
  private var gapBanner: [HTML] {
    switch gap {
    case nil: []
    case .missing(let columns):
      [
        Panel.banner(
          texts.dataChooseColumns(columns: texts.list(columns.map { texts.say(phrase: $0.title) })), .warning)
      ]
    case .chosenTwice(let column):
      [Panel.banner(texts.dataColumnTwice(column: texts.say(phrase: column.title)), .warning)]
    case .sameName(let name): [Panel.banner(texts.dataSameName(name: "<bdi>\(name)</bdi>"), .warning)]
    }
  }

  /// How days and amounts are written, and what is the same in all rows.
  private func fields() throws -> HTML {
    let contents = Set(Kind.fileColumns.map(\.content))
    var fields: HTML = ""
    if contents.contains(.day) {
      fields += Panel.choice(
        "days", "days", texts.dataDates, reading.days?.rawValue ?? "",
        [
          ("", "2026-11-21"), (SpreadsheetForm.dayFirst.rawValue, "21.11.2026"),
          (SpreadsheetForm.monthFirst.rawValue, "11/21/2026"),
          (SpreadsheetForm.excel.rawValue, texts.dataDatesExcel),
          (SpreadsheetForm.excel1904.rawValue, texts.dataDatesExcel1904),
        ])
    }
    if contents.contains(.amount) {
      fields += Panel.choice(
        "amounts", "amounts", texts.dataAmounts, reading.amounts.rawValue,
        AmountForm.Unit.allCases.map { unit in
          switch unit {
          case .units: (unit.rawValue, texts.dataAmountsUnits)
          case .hundredths: (unit.rawValue, texts.dataAmountsHundredths)
          case .millionths: (unit.rawValue, texts.dataAmountsMillionths)
          }
        })
    }
    for column in reading.open(Kind.fileColumns) {
      let list: HTML = column.name == "network" ? " list=\"networks\"" : ""
      fields += Panel.field(
        "fixed-\(column.name)", "fixed-\(column.name)",
        texts.dataInAllRows(column: texts.say(phrase: column.title)),
        reading.fixed[column.name] ?? "", more: " size=\"14\"\(list)")
      guard !list.text.isEmpty else { continue }
      let networks = try context.reader.networksThatSent().map { network -> HTML in
        "<option value=\"\(.value(network))\">\(context.called.networkLabel(network))</option>"
      }
      fields += "<datalist id=\"networks\">\(networks.joined())</datalist>"
    }
    return "\(fields)\(UploadForm<Kind>.choices(upload.choices, context))"
  }

  private func wrong(_ mistakes: [ImportMistake], isWhole: Bool) -> HTML {
    let shown = mistakes.prefix(Self.mostShown)
    let items = shown.map { mistake -> HTML in
      let line = mistake.line
      let text = file.text(ofLine: line) ?? ""
      let box: HTML =
        text.utf8.count > Self.longestRow
        ? "<p class=\"s\">\(texts.dataLongRow)</p>"
        : """
        <textarea id="row-\(line)" name="row-\(line)" rows="\(Self.lines(of: text).count)" spellcheck="false" dir="ltr" \
        aria-invalid="true" aria-describedby="why-\(line)">\(.value(text))</textarea>
        """
      return """
        <li class="bad"><div><label for="row-\(line)">\(texts.dataWrongLine(number: line))</label>\(box)\
        <p class="s" id="why-\(line)">\(texts.say(mistake.sentence))<span class="hint">\(UploadCure(mistake.code, texts).row)</span></p></div></li>
        """
    }
    let more: HTML =
      mistakes.count > shown.count
      ? "<p class=\"note in\">\(texts.dataMore(count: mistakes.count - shown.count))</p>" : ""
    let end: HTML =
      isWhole
      ? "<button class=\"btn quiet\" name=\"do\" value=\"leave-out\">\(texts.dataLeaveOutWrong(count: mistakes.count))</button>"
      : "<span class=\"s soft\">\(texts.dataMoreMistakes)</span>"
    return Panel.section(
      "wrong", texts.dataWrong(count: mistakes.count),
      note: texts.dataWrongNote(count: max(0, file.lines.count - mistakes.count)), flush: true,
      """
      <ul class="sentences wrong">\(items.joined())</ul>\(more)\
      <div class="row in"><button class="btn" name="do" value="check">\(texts.dataCheckAgain)</button>\(end)</div>
      """)
  }

  private func store(_ preview: ImportPreview, _ view: PreviewView) -> HTML {
    let keep: HTML =
      Kind.self == UserImport.self && users != nil
      ? "<label class=\"check\"><input type=\"checkbox\" name=\"keep\" value=\"true\"> \(texts.dataKeepUsers)</label>"
      : ""
    return Panel.section(
      "store", texts.dataStore,
      """
      <div class="stack">\(view.figures)<div class="row">\
      <input type="hidden" name="expected" value="\(PreviewView.expectation(preview.outcome))">\
      \(keep)<button class="btn primary" name="do" value="import">\(texts.dataImport)</button>\
      <a class="btn" href="\(DataPlace.path(of: Kind.Listed.word))">\(texts.dataCancel)</a></div></div>
      """)
  }
}
