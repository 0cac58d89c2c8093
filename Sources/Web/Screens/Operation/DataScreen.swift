import Arguments
import Imports
import Intake
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Tables
import Values

/// One kind of imported data: its rows, an upload with a preview, and removal.
struct DataScreen<Kind: ImportKind>: FormScreen {
  var filter = Kind.Listed()
  /// A file that was sent and is yet to be confirmed.
  var upload: String?
  /// Whether the rows of the filter are about to be removed.
  var isRemoving = false
  var page = 1

  static var path: String { DataPlace.path(of: Kind.Listed.word) }
  static var parameters: [Parameter<Self>] {
    Parameter.all(of: \.filter) + [
      .init("upload", \.upload, "File that is yet to be confirmed."),
      .init("remove", \.isRemoving, "Whether the rows are about to be removed."),
      .init("page", \.page, "Page of the table.", in: 1...100_000),
    ]
  }

  static func title(_ texts: Texts) -> HTML { DataPlace.title(of: Kind.Listed.word, texts) }

  /// Rows of a page, which has to stay small.
  static var rowsOfPage: Int { 100 }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    if let upload, context.mayEdit {
      guard let kept = context.kept(upload, of: Kind.Listed.word) else {
        return .page(try shown(context, banner: Panel.banner(context.texts.dataUploadGone)))
      }
      return .page(try preview(upload, kept, context))
    }
    return .page(try shown(context))
  }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    switch form["do"] {
    case "preview": try take(form, context)
    case "name-apps": try take(form, context, text: AppNamesForm.rows(form, context))
    case "propose-names":
      if let file = try SentNamesForm.file(context) {
        try take(form, context, text: file)
      } else {
        .page(
          try shown(
            context,
            banner: Panel.banner(context.texts.dataSentNamesNone(days: Int(SentNamesForm.days)))))
      }
    case "check", "leave-out", "import": try revise(form, context)
    case "remove": try remove(form, context)
    default: .redirect(PageAddress(Self.path))
    }
  }

  // MARK: Upload

  /// - Parameter text: What is imported where no file was sent; `nil` for what was pasted.
  private func take(_ form: FormBody, _ context: ScreenContext, text: String? = nil) throws -> PageAnswer {
    let file = form.file("file")
    let bytes: [UInt8]
    switch file?.unpacked ?? .bytes(Array((text ?? form["text"] ?? "").utf8)) {
    case .bytes(let unpacked): bytes = unpacked
    case .tooLong:
      return .page(
        try shown(
          context,
          banner: Panel.banner(
            context.texts.dataPackedTooLong(megabytes: UploadedFile.mostBytes >> 20))))
    case .damaged:
      return .page(try shown(context, banner: Panel.banner(context.texts.dataPackedDamaged)))
    }
    guard !bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      return .page(try shown(context, banner: Panel.banner(context.texts.dataNothingSent)))
    }
    let draft: FileDraft
    do throws(ReferenceFileError) { draft = try FileDraft(bytes) } catch {
      let reason = context.texts.say(error.sentence)
      return .page(
        try shown(
          context, banner: Panel.banner(context.texts.dataFileWrong(line: error.line, reason: reason)),
          pasted: form["text"] ?? ""))
    }
    let upload = UploadStore.Upload(
      kind: Kind.Listed.word, name: file?.name ?? "", bytes: draft.bytes,
      choices: try choices(form, before: [:]), reading: FileReading(of: draft, Kind.fileColumns))
    return .redirect(PageAddress(Self.path, [("upload", try context.keep(upload))]))
  }

  private func choices(
    _ form: FormBody, before: [String: [String]]
  ) throws(ParameterError) -> [String: [String]] {
    var choices = before
    for parameter in Kind.Choice.parameters {
      if let text = form[parameter.name] { choices[parameter.name] = text.isEmpty ? nil : [text] }
    }
    _ = try Kind.Choice(choices)
    return choices
  }

  private func preview(
    _ id: String, _ upload: UploadStore.Upload, _ context: ScreenContext, banner: HTML = ""
  ) throws -> Page {
    let steps = try UploadSteps<Kind>(upload, id, context)
    let name: HTML = upload.name.isEmpty ? context.texts.dataPasted : "<bdi>\(upload.name)</bdi>"
    return Page(
      Self.title(context.texts), scope: context.texts.dataPreviewOf(name: name),
      body: "\(DataPlace.tabs(context, Kind.Listed.word))\(banner)\(try steps.markup())")
  }

  /// Takes what was chosen and corrected, and stores the rows where nothing of it is other than what was shown.
  private func revise(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    guard let id = form["upload"], let upload = context.kept(id, of: Kind.Listed.word) else {
      return .page(try shown(context, banner: Panel.banner(context.texts.dataUploadGone)))
    }
    let steps = try UploadSteps<Kind>(upload, id, context)
    let revised = try steps.revised(by: form, choices: choices(form, before: upload.choices))
    guard let revised else {
      guard form["do"] == "import" else {
        return .redirect(PageAddress(Self.path, [("upload", id)]))
      }
      return .page(try store(form, id, upload, steps, context))
    }
    context.forget(id)
    return .redirect(PageAddress(Self.path, [("upload", try context.keep(revised))]))
  }

  private func store(
    _ form: FormBody, _ id: String, _ upload: UploadStore.Upload, _ steps: UploadSteps<Kind>,
    _ context: ScreenContext
  ) throws -> Page {
    guard let reading = steps.form, let found = try steps.preview(), found.mistakes.isEmpty else {
      return try preview(id, upload, context)
    }
    // What was shown has to be what happens, also where another user imported meanwhile.
    guard form["expected"] == PreviewView.expectation(found.outcome) else {
      return try preview(id, upload, context, banner: Panel.banner(context.texts.dataChangedMeanwhile))
    }
    let choice = try Kind.Choice(upload.choices)
    let outcome = try Kind.store(upload.bytes, reading, choice, in: context.changes, now: context.now)
    if form["keep"] != nil, let app = (choice as? UserImport.Choice)?.app, let users = steps.users {
      try KeptUsers.keep(users, of: app, context)
    }
    context.forget(id)
    let rest = PreviewView.sentences(outcome, context.texts).map { sentence -> HTML in
      "<p class=\"s\">\(sentence)</p>"
    }
    .joined()
    let banner: HTML = """
      <div class="banner info" role="status"><div><p>\(context.texts.say(outcome.summary))</p>\(rest)</div></div>
      """
    return try shown(context, banner: banner)
  }

  // MARK: Removal

  private func remove(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    let rows = try filter.rows(in: context.reader)
    let expected = try Self.marked(.held(rows)).mark
    guard form["expected"] == expected else {
      return .page(try shown(context, banner: Panel.banner(context.texts.dataChangedMeanwhile)))
    }
    let count = try Kind.Listed.remove(rows, from: ReferenceStore(context.changes))
    var screen = self
    screen.isRemoving = false
    return .page(
      try screen.shown(context, banner: Panel.banner(context.texts.dataRemoved(count: count), .done)))
  }

  /// How many rows there are, and a short text that differs where other rows are listed.
  private static func marked(_ rows: Rows<Kind.Listed.Row>) throws -> (count: Int, mark: String) {
    // Source: Fowler, Noll, Vo, FNV-1a with 64 bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var count = 0
    try rows.each { row in
      hash = (Kind.Listed.key(row) + "\n").utf8.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      count += 1
      return true
    }
    return (count, "\(count)-\(String(hash, radix: 16))")
  }

  // MARK: Rows

  private func shown(
    _ context: ScreenContext, banner: HTML = "", pasted: String = ""
  ) throws -> Page {
    let texts = context.texts
    let reader = try LedgerReader(path: context.database)
    let rows = try filter.listed(in: reader)
    let address = context.address.without(["upload", "remove", "page"])
    let form: HTML =
      context.mayEdit && !isRemoving
      ? UploadForm(Kind.self, context, pasted: pasted).markup
      : context.mayEdit ? "" : "<p class=\"note\">\(texts.dataReadersOnlyRead)</p>"
    let removal: HTML = try isRemoving && context.mayEdit ? confirmation(rows, address, context) : ""
    let names: HTML =
      Kind.self == NameImport.self && context.mayEdit && !isRemoving
      ? "\(try AppNamesForm.markup(context))\(SentNamesForm.markup(context))" : ""
    var body: HTML = "\(DataPlace.tabs(context, Kind.Listed.word))\(banner)\(names)\(form)\(removal)"
    body += filters(context)
    body += try table(rows, address, context)
    return Page(Self.title(texts), scope: DataPlace.help(of: Kind.Listed.word, texts), body: body)
  }

  private func filters(_ context: ScreenContext) -> HTML {
    let texts = context.texts
    var form = FilterForm(context.address, texts)
    for parameter in Kind.Listed.parameters {
      let value = context.address[parameter.name].joined(separator: ",")
      switch parameter.name {
      case "from": form.day("from", texts.filterFrom, value)
      case "to": form.day("to", texts.dataFilterTo, value)
      case "environment":
        form.choice(
          "environment", texts.filterEnvironment, among: FilterForm.environments, value.isEmpty ? [] : [value]
        )
      default: form.search(parameter.name, DataPlace.label(of: parameter.name, texts), value)
      }
    }
    return form.markup(summary: "", dropping: ["page", "upload", "remove"])
  }

  private func table(
    _ rows: Rows<Kind.Listed.Row>, _ address: PageAddress, _ context: ScreenContext
  ) throws -> HTML {
    let texts = context.texts
    let count = try rows.count() ?? rows.part().count
    guard count > 0 else { return Panel.empty(texts.dataNoneTitle, texts.dataNoneReason) }
    let page = Panel.page(page, of: Self.rowsOfPage, among: count, address, texts)
    let shown = try rows.part(from: page.start, most: Self.rowsOfPage)
    let remove: HTML =
      context.mayEdit && !isRemoving
      ? "<a href=\"\(address.with("remove", "true").text)\">\(texts.dataRemoveThese)</a>" : ""
    let table = CellTable.markup(Table(Kind.Listed.columns, rows: shown), texts.dataRows, texts)
    return Panel.section(
      "rows", texts.dataRows, note: texts.dataCount(count: count), link: remove, flush: true,
      "\(table)\(page.links)")
  }

  private func confirmation(
    _ rows: Rows<Kind.Listed.Row>, _ address: PageAddress, _ context: ScreenContext
  ) throws -> HTML {
    let texts = context.texts
    let (count, mark) = try Self.marked(rows)
    return """
      <div class="banner warn"><div><p>\(texts.dataRemoveQuestion(count: count))</p></div>\
      <form class="row" method="post" action="\(address.text)">\(context.formToken)\
      <input type="hidden" name="expected" value="\(mark)">\
      <button class="btn danger" name="do" value="remove">\(texts.dataRemoveYes(count: count))</button>\
      <a class="btn" href="\(address.text)">\(texts.dataKeep)</a></form></div>
      """
  }
}
