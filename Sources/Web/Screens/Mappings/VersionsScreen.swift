import Arguments
import Markup
import MappingLibrary
import Mappings
import Pages
import Values

/// The versions of an app's mapping: dates, mixed zones, differences, who published them, drafts, import and export.
struct VersionsScreen: ScreenContent {
  var app: Int?
  var old: Int?
  var new: Int?
  var version: Int?
  var export: String?
  var published: Int?

  static let path = "/mappings"
  static let place: NavigationPlace? = NavigationPlace(.design, 1)
  static let formRole = Optional(ScreenRole.editor)
  static let repeatsForms = true
  static let parameters: [Parameter<Self>] = [
    .init("app", \.app, "App Store number.", in: 0...Int.max),
    .init("old", \.old, "Number of the older version to compare.", in: 1...10_000),
    .init("new", \.new, "Number of the newer version to compare.", in: 1...10_000),
    .init("version", \.version, "Number of the version to export.", in: 1...10_000),
    .init("export", \.export, "Format to export in."),
    .init("published", \.published, "Number of the version that was published last.", in: 1...10_000),
  ]

  static func title(_ texts: Texts) -> HTML { texts.mappingsTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let shelf = try DraftShelf(context.reader, app: app.map { Int64($0) })
    if let export, let version = version ?? shelf.versions.last?.number,
      let exported = shelf.versions.first(where: { $0.number == version })
    {
      do throws(DraftError) {
        let file = try MappingExport(exported.mapping, format: export)
        return .file(
          name: "mapping-\(version)\(file.ending)", contentType: "application/octet-stream",
          text: String(decoding: file.bytes, as: UTF8.self))
      } catch {
        return .page(page(shelf, context, MappingMarks.banner("\(error.message)")))
      }
    }
    let message: HTML =
      published.map {
        MappingMarks.banner(context.texts.mappingsDone(number: "\($0)"), isError: false)
      } ?? ""
    return .page(page(shelf, context, message))
  }

  // MARK: Forms

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    let shelf = try DraftShelf(context.reader, app: app.map { Int64($0) })
    do {
      switch form["do"] {
      case "begin": return try begin(form, shelf, context)
      case "import": return try importFile(form, shelf, context)
      case "discard":
        if let id = form["draft"].flatMap({ Int64($0) }),
          case .stale(let draft) = try DraftBook(database: context.database)
            .discarding(id, ifMatch: form["etag"])
        {
          var page = self.page(
            shelf, context,
            MappingMarks.banner(context.texts.editorStaleTitle(name: "<bdi>\(draft.savedBy)</bdi>")))
          page.status = 409
          return .page(page)
        }
        return .redirect(context.address.without(["published"]))
      case "roll-back": return try rollBack(form, shelf, context)
      default: return .redirect(context.address)
      }
    } catch let error as DraftError {
      return .page(page(shelf, context, MappingMarks.banner("\(error.message)")))
    }
  }

  private func begin(_ form: FormBody, _ shelf: DraftShelf, _ context: ScreenContext) throws -> PageAnswer {
    let number = form["version"].flatMap { Int($0) }
    let version = shelf.versions.first { $0.number == number }
    let id = try DraftBook(database: context.database).beginning(
      version.map { .version($0.effectiveFrom) } ?? .empty,
      app: shelf.app ?? form["app"].flatMap { Int64($0) }, by: context.author, now: context.now)
    return .redirect(EditorScreen.address(of: id))
  }

  private func importFile(_ form: FormBody, _ shelf: DraftShelf, _ context: ScreenContext) throws
    -> PageAnswer
  {
    let file = try MappingImport(
      Array((form["text"] ?? "").replacing("\r\n", with: "\n").utf8), format: form["format"] ?? "",
      MappingImport.Defaults(
        name: "Imported mapping", app: form["app"] ?? shelf.app.map { "\($0)" } ?? "",
        currency: form["currency"] ?? "", effectiveFrom: form["date"].flatMap { Instant($0) }))
    let id = try DraftBook(database: context.database).beginning(
      .imported(file), app: file.appNumber, by: context.author, now: context.now)
    guard !file.losses.isEmpty else { return .redirect(EditorScreen.address(of: id)) }
    let app = file.appNumber
    return .page(
      page(try DraftShelf(context.reader, app: app), context, imported(file, id, context.texts)))
  }

  /// What an import lost or assumed, above the link to its draft.
  private func imported(_ file: MappingImport, _ draft: Int64, _ texts: Texts) -> HTML {
    let items = file.losses.map { loss -> HTML in
      "<li><p>\(loss.sentence)</p><p class=\"s soft\">\(loss.places.joined(separator: ", "))</p></li>"
    }
    let link: HTML = """
      <a class="btn primary" href="\(EditorScreen.address(of: draft).text)">\(texts.mappingsOpen)</a>
      """
    return Panel.section(
      "imported", texts.mappingsLosses, link: link, flush: true, "<ul class=\"list\">\(items.joined())</ul>")
  }

  private func rollBack(_ form: FormBody, _ shelf: DraftShelf, _ context: ScreenContext) throws -> PageAnswer
  {
    let number = form["version"].flatMap { Int($0) }
    guard let app = shelf.app, let version = shelf.versions.first(where: { $0.number == number }),
      let date = form["date"].flatMap({ Instant($0) })
    else { return .redirect(context.address) }
    let publisher = try MappingPublisher(database: context.database, folderPath: context.mappings)
    let outcome = try publisher.rollBack(
      app: app, to: version.effectiveFrom, knowing: form["state"],
      MappingPublisher.Order(effectiveFrom: date, by: context.author, note: form["note"] ?? ""),
      now: context.now)
    guard outcome == .published else {
      return .page(
        page(
          try DraftShelf(context.reader, app: app), context,
          MappingMarks.banner(outcome.sentence(context.texts))))
    }
    let count = shelf.versions.count { $0.effectiveFrom < date } + 1
    return .redirect(PageAddress(Self.path, [("app", "\(app)"), ("published", "\(count)")]))
  }

  // MARK: Page

  private func page(_ shelf: DraftShelf, _ context: ScreenContext, _ message: HTML) -> Page {
    let texts = context.texts
    guard let app = shelf.app else {
      let forms: HTML =
        context.mayEdit
        ? "<div class=\"two\">\(beginForm(shelf, context))\(importForm(shelf, context))</div>" : ""
      return Page(
        texts.mappingsTitle,
        body: "\(message)\(Panel.empty(texts.mappingsNoneTitle, texts.mappingsNoneReason))\(forms)")
    }
    var page = Page(
      texts.mappingsTitle, scope: texts.mappingsScope(app: "<bdi>\("\(app)" as String)</bdi>"), body: "")
    let forms: HTML =
      context.mayEdit
      ? """
      <div class="two">\(beginForm(shelf, context))\(rollBackForm(shelf, context))</div>\
      <div class="two">\(importForm(shelf, context))\(exportForm(shelf, context))</div>
      """ : exportForm(shelf, context)
    page.body = """
      \(message)\(appForm(shelf, context))\(versions(shelf, context))\(mixed(shelf, texts))\
      \(drafts(shelf, context))\(comparison(shelf, context))\(forms)
      """
    return page
  }

  private func appForm(_ shelf: DraftShelf, _ context: ScreenContext) -> HTML {
    guard shelf.apps.count > 1 else { return "" }
    var form = FilterForm(context.address, context.texts)
    form.choice(
      "app", context.texts.filterApp, shelf.app.map { "\($0)" } ?? "",
      shelf.apps.map { ("\($0)", "\("\($0)" as String)") })
    return form.markup(
      summary: "\(shelf.app.map { "\($0)" } ?? "")", dropping: ["old", "new", "version", "published"])
  }

  private func versions(_ shelf: DraftShelf, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let current = shelf.inForce(at: context.now)
    let rows = shelf.versions.reversed().map { version -> [HTML] in
      let isFuture = version.effectiveFrom > context.now
      let badge: HTML =
        version.number == current?.number
        ? " <span class=\"badge good\">\(texts.mappingsInForce)</span>"
        : isFuture
          ? " <span class=\"badge info\">\(texts.mappingsFuture(date: Marks.day(version.effectiveFrom.day)))</span>"
          : ""
      let who: HTML =
        if let name = version.publishedBy, let time = version.publishedAt {
          texts.mappingsPublishedBy(name: "<bdi>\(name)</bdi>", time: Marks.moment(time))
        } else {
          texts.mappingsLoaded(file: "<bdi>\(version.file)</bdi>", time: Marks.moment(version.loadedAt))
        }
      let apps: HTML =
        version.appsSince.map {
          "<span class=\"sub\">\(texts.mappingsApps(time: Marks.moment($0)))</span>"
        } ?? ""
      let restored: HTML =
        version.restored.map {
          texts.mappingsRestored(date: Marks.day($0.day, hasYear: true))
        } ?? ""
      return [
        "<b>\(texts.version(version.number))</b>\(badge)", Marks.moment(version.effectiveFrom),
        "<bdi>\(version.mapping.name)</bdi>", "\(who)\(apps)", "\(restored) <bdi>\(version.note ?? "")</bdi>",
      ]
    }
    return Panel.section(
      "versions", texts.mappingsVersions, note: texts.mappingsVersionsNote, flush: true,
      MappingMarks.table(
        texts.mappingsVersions,
        heads: [
          (texts.mappingsVersion, false), (texts.mappingsEffective, false), (texts.mappingsName, false),
          (texts.mappingsPublished, false), (texts.mappingsNote, false),
        ], rows))
  }

  private func mixed(_ shelf: DraftShelf, _ texts: Texts) -> HTML {
    let rows = zip(shelf.versions, shelf.versions.dropFirst()).flatMap {
      old, new -> [(HTML, PublicationReview.MixedZone)] in
      PublicationReview.mixedZones(old.mapping, new.mapping).filter { $0.isInOld && $0.isInNew }.map {
        ("<bdi dir=\"ltr\">\(old.number) → \(new.number)</bdi>", $0)
      }
    }
    guard !rows.isEmpty else { return "" }
    return Panel.section(
      "mixed", texts.mappingsMixed, note: texts.mappingsMixedNote, flush: true,
      MappingMarks.mixedZones(rows.map { (name: $0.0, zone: $0.1) }, texts))
  }

  private func drafts(_ shelf: DraftShelf, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let items = shelf.drafts.map { draft -> HTML in
      let discard: HTML =
        context.mayEdit
        ? """
        <form method="post" action="\(context.address.text)">\(context.formToken)<input type="hidden" name="draft" \
        value="\("\(draft.id)" as String)"><input type="hidden" name="etag" value="\(draft.etag)">\
        <button class="btn small" name="do" value="discard">\(texts.mappingsDiscard)</button></form>
        """ : ""
      let saved = texts.mappingsSaved(time: Marks.moment(draft.savedAt), name: "<bdi>\(draft.savedBy)</bdi>")
      return """
        <li><div class="row between"><span class="row"><span class="badge info">\(texts.mappingsDraft)</span>\
        <a href="\(EditorScreen.address(of: draft.id).text)"><bdi>\(draft.name)</bdi></a></span>\(discard)</div>\
        <p class="s">\(saved)</p></li>
        """
    }
    let list: HTML =
      items.isEmpty
      ? "<p class=\"in\">\(texts.mappingsNoDrafts)</p>" : "<ul class=\"list\">\(items.joined())</ul>"
    return Panel.section("drafts", texts.mappingsDrafts, flush: true, list)
  }

  private func comparison(_ shelf: DraftShelf, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard shelf.versions.count > 1 else { return "" }
    let newer = shelf.versions.first { $0.number == new } ?? shelf.versions[shelf.versions.count - 1]
    let older =
      shelf.versions.first { $0.number == old }
      ?? shelf.versions.last { $0.effectiveFrom < newer.effectiveFrom } ?? shelf.versions[0]
    let options = shelf.versions.map { (value: "\($0.number)", word: texts.version($0.number)) }
    var form = FilterForm(context.address, texts)
    form.choice("old", texts.mappingsOld, "\(older.number)", options)
    form.choice("new", texts.mappingsNew, "\(newer.number)", options)
    let changes = newer.mapping.changes(from: older.mapping)
    return Panel.section(
      "differences", texts.mappingsCompareVersions, flush: true,
      """
      <div class="in">\(form.markup(summary: "\(older.number) → \(newer.number)", dropping: ["published", "version"]))</div>\
      \(MappingMarks.changes(changes, texts))
      """)
  }

  private func beginForm(_ shelf: DraftShelf, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let options =
      shelf.versions.reversed().map { (value: "\($0.number)", word: texts.version($0.number)) }
      + [(value: "", word: texts.mappingsBeginEmpty)]
    let app: HTML =
      shelf.app == nil ? MappingMarks.field("b-app", "app", texts.mappingsApp, "") : ""
    return Panel.section(
      "begin", texts.mappingsBegin,
      """
      <form class="stack" method="post" action="\(context.address.text)">\(context.formToken)\(app)\
      \(MappingMarks.choice("b-version", "version", texts.mappingsBeginFrom, options[0].value, options))\
      <div class="row"><button class="btn primary" name="do" value="begin">\(texts.mappingsBeginButton)</button></div></form>
      """)
  }

  private func rollBackForm(_ shelf: DraftShelf, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard shelf.versions.count > 1 else { return "" }
    let options = shelf.versions.dropLast().reversed().map {
      (value: "\($0.number)", word: texts.version($0.number))
    }
    return Panel.section(
      "roll-back", texts.mappingsRollBack,
      """
      <form class="stack" method="post" action="\(context.address.text)">\(context.formToken)\
      <input type="hidden" name="state" value="\(shelf.state)">\
      \(MappingMarks.choice("r-version", "version", texts.mappingsRollBackTo, options[0].value, options))\
      \(MappingMarks.field("r-date", "date", texts.mappingsDate, "\(context.now.day.next)", type: "date"))\
      \(MappingMarks.field("r-note", "note", texts.publishNote, ""))\
      <p class="hint">\(texts.mappingsRollBackHint)</p>\
      <div class="row"><button class="btn" name="do" value="roll-back">\(texts.mappingsRollBackButton)</button></div></form>
      """)
  }

  private func importForm(_ shelf: DraftShelf, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let formats = MappingImport.formats.map { (value: $0, word: "\($0)" as HTML) }
    return Panel.section(
      "import", texts.mappingsImport,
      """
      <form class="stack" method="post" action="\(context.address.text)">\(context.formToken)\
      \(MappingMarks.choice("i-format", "format", texts.mappingsFormat, "skan", formats))\
      \(MappingMarks.field("i-app", "app", texts.mappingsApp, shelf.app.map { "\($0)" } ?? ""))\
      \(MappingMarks.field("i-currency", "currency", texts.mappingsCurrency, shelf.versions.last?.mapping.currency.text ?? ""))\
      \(MappingMarks.field("i-date", "date", texts.mappingsDate, "\(context.now.day.next)", type: "date"))\
      <div class="field"><label for="i-text">\(texts.mappingsText)</label>\
      <textarea id="i-text" name="text" rows="8" spellcheck="false"></textarea></div>\
      <div class="row"><button class="btn" name="do" value="import">\(texts.mappingsImportButton)</button></div></form>
      """)
  }

  private func exportForm(_ shelf: DraftShelf, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard let last = shelf.versions.last else { return "" }
    let options = shelf.versions.reversed().map { (value: "\($0.number)", word: texts.version($0.number)) }
    let formats = MappingImport.formats.map { (value: $0, word: "\($0)" as HTML) }
    let losses = MappingImport.formats.compactMap { format -> HTML? in
      guard let file = try? MappingExport(last.mapping, format: format), !file.losses.isEmpty else {
        return nil
      }
      let items = file.losses.map { loss -> HTML in "<li>\(loss.sentence)</li>" }
      return "<dt>\(format)</dt><dd><ul>\(items.joined())</ul></dd>"
    }
    return Panel.section(
      "export", texts.mappingsExport,
      """
      <form class="stack" method="get" action="\(Self.path)"><input type="hidden" name="app" \
      value="\("\(shelf.app ?? 0)" as String)">\
      \(MappingMarks.choice("e-version", "version", texts.mappingsVersion, "\(last.number)", options))\
      \(MappingMarks.choice("e-format", "export", texts.mappingsFormat, "skan", formats))\
      <div class="row"><button class="btn">\(texts.mappingsExportButton)</button></div></form>\
      <details class="more"><summary>\(texts.mappingsExportLosses)</summary><dl class="kv">\(losses.joined())</dl></details>
      """)
  }
}
