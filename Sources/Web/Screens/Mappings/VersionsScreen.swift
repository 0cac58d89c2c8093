import Arguments
import Ledger
import MappingEditing
import MappingFormats
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// The versions of an app's mapping: dates, mixed zones, differences, who published them, drafts, import and export.
struct VersionsScreen: FormScreen {
  var app: Int?
  var old: Int?
  var new: Int?
  var version: Int?
  var export: String?
  var published: Int?

  static let path = "/mappings"
  static let place: NavigationPlace? = NavigationPlace(.daily, 4)
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
    let mappings = try AppMappings(context.reader, app: app.map { Int64($0) })
    if let export, let version = version ?? mappings.versions.last?.number,
      let exported = mappings.versions.first(where: { $0.number == version })
    {
      do {
        let format = try Self.format(export)
        let file = try format.export(exported.mapping)
        return .file(
          name: "mapping-\(version).\(export).\(format.isTable ? "csv" : "json")",
          contentType: "application/octet-stream", text: String(decoding: file.bytes, as: UTF8.self))
      } catch let error as DraftError {
        return .page(page(mappings, context, Panel.banner(context.texts.say(error.sentence))))
      } catch let error as ExportDefect {
        let places = Sentence.joined(error.places.prefix(10).map(\.words), by: ", ")
        let sentence =
          places.english.isEmpty ? error.sentence : Sentence.joined([error.sentence, places], by: ": ")
        return .page(page(mappings, context, Panel.banner(context.texts.say(sentence))))
      }
    }
    let message: HTML =
      published.map {
        Panel.banner(context.texts.mappingsDone(number: "\($0)"), .note)
      } ?? ""
    return .page(page(mappings, context, message))
  }

  private static func format(_ word: String) throws(DraftError) -> MappingFormat {
    guard let format = MappingFormat(rawValue: word) else {
      throw .notImported(Sentence("there is no format '\(name: word)'"))
    }
    return format
  }

  // MARK: Forms

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    let mappings = try AppMappings(context.reader, app: app.map { Int64($0) })
    do {
      switch form["do"] {
      case "begin": return try begin(form, mappings, context)
      case "import": return try importFile(form, mappings, context)
      case "discard":
        if let id = form["draft"].flatMap({ Int64($0) }),
          case .stale(let draft) = try MappingDrafts(context.changes)
            .discard(id, ifMatch: form["etag"])
        {
          var page = self.page(
            mappings, context,
            Panel.banner(context.texts.editorStaleTitle(name: "<bdi>\(draft.savedBy)</bdi>")))
          page.status = 409
          return .page(page)
        }
        return .redirect(context.address.without(["published"]))
      case "roll-back": return try rollBack(form, mappings, context)
      default: return .redirect(context.address)
      }
    } catch let error as DraftError {
      let sent = form["do"] == "import" ? VersionsForms.Import(form, error) : nil
      return .page(
        page(
          mappings, context, Panel.banner(context.texts.say(error.sentence)), sent: sent,
          app: form["do"] == "begin" ? form["app"] : nil))
    }
  }

  private func begin(_ form: FormBody, _ mappings: AppMappings, _ context: ScreenContext) throws -> PageAnswer
  {
    let number = form["version"].flatMap { Int($0) }
    let version = mappings.versions.first { $0.number == number }
    let model = form["version"].flatMap { MappingModel(rawValue: $0) }
    guard let app = (mappings.app ?? form["app"].flatMap { Int64($0) }).flatMap({ AppID($0) }) else {
      throw DraftError.noApp
    }
    let draft = try MappingDrafts(context.changes).begin(
      version.map { .version($0.effectiveFrom) } ?? model.map { .model($0) } ?? .empty, app: app,
      by: context.author, now: context.now)
    return .redirect(EditorScreen.address(of: draft.id))
  }

  private func importFile(_ form: FormBody, _ mappings: AppMappings, _ context: ScreenContext) throws
    -> PageAnswer
  {
    let file = try MappingImport(
      VersionsForms.Import.bytes(form), Self.format(form["format"] ?? ""),
      name: "Imported mapping",
      app: (form["app"].map { Int64($0) } ?? mappings.app).flatMap { AppID($0) },
      currency: CurrencyCode(anyCase: form["currency"] ?? ""),
      effectiveFrom: form["date"].flatMap { Instant($0) })
    let draft = try MappingDrafts(context.changes).begin(
      .imported(file), app: file.mapping.app, by: context.author, now: context.now)
    guard !file.losses.isEmpty else { return .redirect(EditorScreen.address(of: draft.id)) }
    return .page(
      page(
        try AppMappings(context.reader, app: draft.app.number), context,
        imported(file, draft.id, context.texts)))
  }

  /// What an import lost or assumed, above the link to its draft.
  private func imported(_ file: MappingImport, _ draft: Int64, _ texts: Texts) -> HTML {
    let items = file.losses.map { loss -> HTML in
      "<li><p>\(texts.say(loss.sentence))</p><p class=\"s soft\">\(loss.place.map { texts.say(phrase: $0) } ?? "")</p></li>"
    }
    let link: HTML = """
      <a class="btn primary" href="\(EditorScreen.address(of: draft).text)">\(texts.mappingsOpen)</a>
      """
    return Panel.section(
      "imported", texts.mappingsLosses, link: link, flush: true, "<ul class=\"list\">\(items.joined())</ul>")
  }

  private func rollBack(_ form: FormBody, _ mappings: AppMappings, _ context: ScreenContext) throws
    -> PageAnswer
  {
    let number = form["version"].flatMap { Int($0) }
    guard let app = mappings.app.flatMap({ AppID($0) }),
      let version = mappings.versions.first(where: { $0.number == number }),
      let date = form["date"].flatMap({ Instant($0) })
    else { return .redirect(context.address) }
    let outcome = try context.publisher().rollBack(
      app, to: version.effectiveFrom, knowing: form["state"],
      MappingPublisher.Order(effectiveFrom: date, by: context.author, note: form["note"] ?? ""),
      now: context.now)
    guard case .published = outcome else {
      return .page(
        page(
          try AppMappings(context.reader, app: app.number), context,
          Panel.banner(outcome.sentence(context.texts))))
    }
    let count = mappings.versions.count { $0.effectiveFrom < date } + 1
    return .redirect(PageAddress(Self.path, [("app", "\(app.number)"), ("published", "\(count)")]))
  }

  // MARK: Page

  /// - Parameters:
  ///   - sent: The import that failed, which is shown again as it was sent.
  ///   - app: What was sent for the app of a new draft and is no app.
  private func page(
    _ mappings: AppMappings, _ context: ScreenContext, _ message: HTML, sent: VersionsForms.Import? = nil,
    app sentApp: String? = nil
  ) -> Page {
    let texts = context.texts
    let forms = VersionsForms(mappings: mappings, sent: sent, sentApp: sentApp ?? "", context: context)
    guard let app = mappings.app else {
      let both: HTML = context.mayEdit ? "<div class=\"two\">\(forms.begin)\(forms.importing)</div>" : ""
      return Page(
        texts.mappingsTitle,
        body: "\(message)\(Panel.empty(texts.mappingsNoneTitle, texts.mappingsNoneReason))\(both)")
    }
    let drafts: HTML =
      context.mayEdit
      ? "<div class=\"two\">\(drafts(mappings, context))\(forms.begin)</div>" : drafts(mappings, context)
    let others: HTML =
      context.mayEdit
      ? """
      <div class="two">\(forms.importing)\(forms.rollingBack)</div>\(forms.exporting)
      """ : forms.exporting
    // What failed is to be corrected first, so it comes first.
    let (above, below): (HTML, HTML) = sent == nil ? ("", others) : (others, "")
    return Page(
      texts.mappingsTitle, scope: texts.mappingsScope(app: context.called.app(app)),
      body: """
        \(message)\(above)\(appForm(mappings, context))\(drafts)\(versions(mappings, context))\
        \(mixed(mappings, texts))\(comparison(mappings, context))\(below)
        """)
  }

  private func appForm(_ mappings: AppMappings, _ context: ScreenContext) -> HTML {
    guard mappings.apps.count > 1, let app = mappings.app else { return "" }
    var form = FilterForm(context.address, context.texts)
    form.app(app, of: mappings, context)
    return form.markup(
      summary: context.called.appLabel("\(app)"), dropping: ["old", "new", "version", "published"])
  }

  private func versions(_ mappings: AppMappings, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let current = mappings.inForce(at: context.now)
    let versions = Array(mappings.versions.reversed())
    let names = versions.map { version -> HTML in
      let isFuture = version.effectiveFrom > context.now
      let badge: HTML =
        version.number == current?.number
        ? " <span class=\"badge good\">\(texts.mappingsInForce)</span>"
        : isFuture
          ? " <span class=\"badge info\">\(texts.mappingsFuture(date: Marks.day(version.effectiveFrom.day)))</span>"
          : ""
      return "<b>\(texts.version(version.number))</b>\(badge)"
    }
    let publications = versions.map { version -> HTML in
      let who: HTML =
        if let publication = version.publication {
          texts.mappingsPublishedBy(
            name: "<bdi>\(publication.publishedBy)</bdi>", time: Marks.moment(publication.publishedAt))
        } else {
          texts.mappingsLoaded(
            file: "<bdi>\(version.stored.source)</bdi>", time: Marks.moment(version.stored.loadedAt))
        }
      let apps: HTML =
        version.appsSince.map {
          "<span class=\"sub\">\(texts.mappingsApps(time: Marks.moment($0)))</span>"
        } ?? ""
      return "\(who)\(apps)"
    }
    let notes = versions.map { version -> HTML in
      let restored: HTML =
        version.publication?.restored.map {
          texts.mappingsRestored(date: Marks.day($0.day, hasYear: true))
        } ?? ""
      return "\(restored) <bdi>\(version.publication?.note ?? "")</bdi>"
    }
    return Panel.section(
      "versions", texts.mappingsVersions, note: texts.mappingsVersionsNote,
      columns: [
        .init(texts.mappingsVersion, isNumber: false, names),
        .init(texts.mappingsEffective, isNumber: false, versions.map { Marks.moment($0.effectiveFrom) }),
        .init(texts.mappingsName, isNumber: false, versions.map { "<bdi>\($0.mapping.name)</bdi>" }),
        .init(texts.mappingsPublished, isNumber: false, publications),
        .init(texts.mappingsNote, isNumber: false, notes),
      ], texts)
  }

  private func mixed(_ mappings: AppMappings, _ texts: Texts) -> HTML {
    let rows = zip(mappings.versions, mappings.versions.dropFirst()).flatMap {
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

  private func drafts(_ mappings: AppMappings, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let items = mappings.drafts.map { draft -> HTML in
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

  private func comparison(_ mappings: AppMappings, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    guard mappings.versions.count > 1 else { return "" }
    let newer = mappings.versions.first { $0.number == new } ?? mappings.versions[mappings.versions.count - 1]
    let older =
      mappings.versions.first { $0.number == old }
      ?? mappings.versions.last { $0.effectiveFrom < newer.effectiveFrom } ?? mappings.versions[0]
    let options = mappings.versions.map { (value: "\($0.number)", word: texts.version($0.number)) }
    var form = FilterForm(context.address, texts)
    form.choice("old", texts.mappingsOld, "\(older.number)", options)
    form.choice("new", texts.mappingsNew, "\(newer.number)", options)
    let changes = newer.mapping.changes(from: older.mapping)
    return Panel.section(
      "differences", texts.mappingsCompareVersions, flush: true,
      """
      <div class="in">\(form.markup(
        summary: "\(older.number) → \(newer.number)", dropping: ["published", "version"],
        named: texts.mappingsCompareVersions))</div>\
      \(MappingMarks.changes(changes, texts))
      """)
  }
}

extension MappingFormat {
  fileprivate var isTable: Bool { [.table, .appsFlyerTable, .tenjin, .appReportingPack].contains(self) }
}
