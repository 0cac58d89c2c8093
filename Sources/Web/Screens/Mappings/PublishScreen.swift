import Arguments
import Markup
import MappingLibrary
import Mappings
import Pages
import Values

/// What publishing a draft does, and the form that does it.
struct PublishScreen: ScreenContent {
  var draft: Int?
  var from: Day?
  var sample: String?

  static let path = "/mappings/publish"
  static let role = ScreenRole.editor
  static let formRole = Optional(ScreenRole.editor)
  static let parameters: [Parameter<Self>] = [
    .init("draft", \.draft, "Number of the draft.", in: 1...Int.max),
    .init("from", \.from, "Day from which devices use the version."),
    .init("sample", \.sample, "Events file of users."),
  ]

  static func title(_ texts: Texts) -> HTML { texts.publishTitle }

  private enum Warning: Hashable {
    case finding(Int)
    case changed(Int)
    case past

    var name: String {
      switch self {
      case .finding(let index): "finding-\(index)"
      case .changed: "changed"
      case .past: "past"
      }
    }
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    guard let (shelf, draft) = try held(context) else {
      return .redirect(EditorScreen.address(of: Int64(draft ?? 0)))
    }
    return .page(page(shelf, draft, context))
  }

  private func held(_ context: ScreenContext) throws -> (DraftShelf, DraftShelf.Draft)? {
    try draft.flatMap { try DraftShelf.holding(Int64($0), context.reader) }
  }

  /// The day that the version would have: the one that was asked for, else the draft's, but not before tomorrow.
  private func date(_ draft: DraftShelf.Draft, _ context: ScreenContext) -> Instant {
    if let from { return from.start }
    let own = MappingDocument.read(draft.document).document?.mapping.effectiveFrom
    let tomorrow = context.now.day.next.start
    return own.map { $0 < tomorrow ? tomorrow : $0 } ?? tomorrow
  }

  private func warnings(_ review: PublicationReview) -> [Warning] {
    let changed = review.count(.changed)
    return review.findings.indices.filter { review.findings[$0].severity == .warning }.map { .finding($0) }
      + (changed > 0 ? [.changed(changed)] : []) + (review.isInPast ? [.past] : [])
  }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    guard let (shelf, draft) = try held(context) else {
      return .redirect(EditorScreen.address(of: Int64(draft ?? 0)))
    }
    let wanted = form["effective-from"].flatMap { Day($0) }
    let date = wanted?.start ?? date(draft, context)
    let review = shelf.review(draft.document, from: date, now: context.now)
    let texts = context.texts
    guard form["reviewed"] == "\(date.day)", form["etag"] == draft.etag else {
      var again = self
      again.from = date.day
      return .page(
        again.page(shelf, draft, context, MappingMarks.banner(texts.publishReviewAgain, isError: false)))
    }
    var same = self
    same.from = date.day
    let seen = Set(form.values("ack"))
    let typed = (form["confirm"] ?? "").lowercased().filter { $0 != " " }
    guard warnings(review).allSatisfy({ seen.contains($0.name) }),
      !review.needsConfirmation || typed == "version\(review.number)"
    else {
      return .page(
        same.page(shelf, draft, context, MappingMarks.banner(texts.publishIncomplete), form))
    }
    let publisher = try MappingPublisher(database: context.database, folderPath: context.mappings)
    let ending = try publisher.publishing(
      draft: draft.id, ifMatch: draft.etag,
      MappingPublisher.Order(effectiveFrom: date, by: context.author, note: form["note"] ?? ""),
      now: context.now)
    switch ending {
    case .published:
      return .redirect(
        PageAddress(VersionsScreen.path, [("app", "\(draft.app)"), ("published", "\(review.number)")]))
    case .outdated(let theirs, let yours, let state):
      return .page(outdated(draft, theirs: theirs, yours: yours, state: state, context))
    default:
      return .page(same.page(shelf, draft, context, MappingMarks.banner(ending.sentence(texts)), form))
    }
  }

  // MARK: Page

  private func page(
    _ shelf: DraftShelf, _ draft: DraftShelf.Draft, _ context: ScreenContext, _ message: HTML = "",
    _ form: FormBody? = nil
  ) -> Page {
    let texts = context.texts
    let review = shelf.review(draft.document, from: date(draft, context), now: context.now)
    return Page(
      texts.publishTitle,
      scope: texts.publishScope(
        name: "<bdi>\(draft.name)</bdi>", number: "\(review.number)",
        app: "<bdi>\("\(draft.app)" as String)</bdi>"),
      body: """
        \(message)<form method="post" action="\(context.address.text)" class="two"><div class="stack">\
        \(context.formToken)<input type="hidden" name="etag" value="\(draft.etag)">\
        \(checks(review, texts, Set(form?.values("ack") ?? [])))\(changes(review, texts))\(zones(review, texts))</div>\
        <div class="stack">\(publishForm(draft, review, context, form))</div></form>
        """)
  }

  private func checks(_ review: PublicationReview, _ texts: Texts, _ seen: Set<String>) -> HTML {
    let errors = review.findings.filter { $0.severity == .error }.map { finding -> HTML in
      """
      <li><div class="row"><span class="badge bad">✕ \(texts.editorError)</span><b>\(finding.sentence)</b></div>\
      <p class="cure">\(finding.hint ?? "")</p></li>
      """
    }
    let passed: HTML =
      errors.isEmpty
      ? "<li><div class=\"row\"><span class=\"badge good\">✓</span><b>\(texts.publishPassed)</b></div></li>"
      : ""
    let warnings = warnings(review).map { warning -> HTML in
      let (sentence, cure): (HTML, HTML)
      switch warning {
      case .finding(let index):
        (sentence, cure) = ("\(review.findings[index].sentence)", "\(review.findings[index].hint ?? "")")
      case .changed(let count):
        (sentence, cure) = (texts.publishChanged(count: count), texts.publishChangedCure)
      case .past: (sentence, cure) = (texts.publishPast, texts.publishPastCure)
      }
      let checked: HTML = seen.contains(warning.name) ? " checked" : ""
      return """
        <li><div class="row"><span class="badge warn">! \(texts.editorWarning)</span><b>\(sentence)</b></div>\
        <p class="cure">\(cure)</p><label class="check"><input type="checkbox" name="ack" value="\(warning.name)"\(checked)> \
        \(texts.publishSeen)</label></li>
        """
    }
    return Panel.section(
      "checks", texts.publishChecks, flush: true,
      "<ul class=\"list\">\(errors.joined())\(passed)\(warnings.joined())</ul>")
  }

  private func changes(_ review: PublicationReview, _ texts: Texts) -> HTML {
    guard review.previous != nil else {
      return Panel.section("changes", texts.publishWhat, "<p>\(texts.publishNoPrevious)</p>")
    }
    let rows = MeaningChange.Kind.allCases.map { kind -> [HTML] in
      let own = review.changes.filter { $0.kind == kind }
      return [MappingMarks.badge(kind), "\(own.count)", "\(own.map(\.slot.key).joined(separator: ", "))"]
    }
    return Panel.section(
      "changes", texts.publishWhat, flush: true,
      """
      \(MappingMarks.table(
        texts.publishWhat,
        heads: [(texts.mappingsKind, false), (texts.publishValues, true), (texts.publishWhich, false)], rows))\
      <details class="more in"><summary>\(texts.chartAsTable)</summary>\(MappingMarks.changes(review.changes, texts))</details>
      """)
  }

  private func zones(_ review: PublicationReview, _ texts: Texts) -> HTML {
    guard !review.mixedZones.isEmpty else { return "" }
    return Panel.section(
      "zones", texts.publishWhen, note: texts.mappingsMixedNote, flush: true,
      MappingMarks.mixedZones(
        review.mixedZones.map {
          (name: "<bdi dir=\"ltr\">\(review.number - 1) → \(review.number)</bdi>", zone: $0)
        },
        texts))
  }

  private func publishForm(
    _ draft: DraftShelf.Draft, _ review: PublicationReview, _ context: ScreenContext, _ form: FormBody?
  ) -> HTML {
    let texts = context.texts
    let day = "\(date(draft, context).day)"
    let confirm: HTML =
      review.needsConfirmation
      ? MappingMarks.field(
        "confirm", "confirm", texts.publishConfirm(number: "\(review.number)"), form?["confirm"] ?? "",
        more: " autocomplete=\"off\"") : ""
    let taken: HTML = review.taken == nil ? "" : "<p class=\"cure\">\(texts.publishTaken)</p>"
    let button: HTML =
      review.mapping == nil
      ? "<p class=\"cure\">\(texts.editorPublishBlocked)</p>"
      : "<button class=\"btn primary\">\(texts.publishButton(number: "\(review.number)"))</button>"
    return Panel.section(
      "publish", texts.publishPublish,
      """
      <div class="stack"><input type="hidden" name="reviewed" value="\(day)">\
      \(MappingMarks.field("eff", "effective-from", texts.mappingsDate, day, type: "date"))\
      <p class="hint">\(texts.publishDateHint)</p>\(taken)\
      \(MappingMarks.field("why", "note", texts.publishNote, form?["note"] ?? ""))\(confirm)\
      <div class="row">\(button)<a class="btn" href="\(EditorScreen.address(of: draft.id).text)">\(texts.publishBack)</a></div></div>
      """)
  }

  /// Two who publish at once.
  private func outdated(
    _ draft: DraftShelf.Draft, theirs: [UInt8], yours: [UInt8], state: String, _ context: ScreenContext
  ) -> Page {
    let texts = context.texts
    var page = Page(
      texts.publishOutdatedTitle, scope: texts.publishOutdatedReason,
      body: """
        <form class="stack" method="post" action="\(EditorScreen.address(of: draft.id).text)">\(context.formToken)\
        <input type="hidden" name="etag" value="\(draft.etag)"><input type="hidden" name="state" value="\(state)">\
        <input type="hidden" name="next" value="\(context.address.text)"><div class="two">\
        \(MappingMarks.readOnlyText("theirs", texts.publishTheirs, theirs))\
        \(MappingMarks.readOnlyText("yours", texts.mappingsDraft, yours))</div>\
        <div class="row"><button class="btn" name="do" value="save">\(texts.publishKnow)</button></div></form>
        """)
    page.status = 409
    return page
  }
}
