import Arguments
import Campaigns
import Ledger
import MappingEditing
import MappingFormats
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// The versions of an app's mapping: what values mean, what changes, who published them, drafts, import and export.
struct VersionsScreen: FormScreen {
  var app: Int?
  var old: Int?
  var new: Int?
  var version: Int?
  var export: String?
  var published: Int?

  static let path = "/mappings"
  static let place: NavigationPlace? = NavigationPlace(.daily, 5)
  static let repeatsForms = true
  static let parameters: [Parameter<Self>] = [
    .init("app", \.app, "App Store number.", in: 0...Int.max),
    .init("old", \.old, "Number of the older version to compare.", in: 1...10_000),
    .init("new", \.new, "Number of the newer version to compare.", in: 1...10_000),
    .init("version", \.version, "Number of the version to show or to export.", in: 1...10_000),
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
    guard let app = try app(form, mappings, context) else { throw DraftError.noApp }
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
      app: app(form, mappings, context),
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

  /// - Parameters:
  ///   - sent: The import that failed, which is shown again as it was sent.
  ///   - app: What was sent for the app of a new draft and is no app.
  private func page(
    _ mappings: AppMappings, _ context: ScreenContext, _ message: HTML, sent: VersionsForms.Import? = nil,
    app sentApp: String? = nil
  ) -> Page {
    let forms = VersionsForms(mappings: mappings, sent: sent, sentApp: sentApp ?? "", context: context)
    return VersionsPage(
      mappings: mappings, forms: forms, shown: version, old: old, new: new, context: context
    ).page(message)
  }

  // MARK: Apps

  /// The app that a form names, by its number or by what people call it; `nil` where nothing was typed.
  private func app(_ form: FormBody, _ mappings: AppMappings, _ context: ScreenContext) throws -> AppID? {
    guard let typed = form["app"], !typed.allSatisfy(\.isWhitespace) else {
      return mappings.app.flatMap { AppID($0) }
    }
    if let app = Int64(typed).flatMap({ AppID($0) }) { return app }
    let known = Set(try context.apps(Scope()) + mappings.apps.map { "\($0)" })
    let wanted = typed.lowercased()
    let named = known.filter { context.called.name(ofApp: $0)?.lowercased() == wanted }
    guard named.count == 1, let app = named.first.flatMap({ Int64($0) }).flatMap({ AppID($0) }) else {
      throw DraftError.noApp
    }
    return app
  }
}

extension MappingFormat {
  fileprivate var isTable: Bool { [.table, .appsFlyerTable, .tenjin, .appReportingPack].contains(self) }
}
