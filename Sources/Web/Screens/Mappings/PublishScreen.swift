import Arguments
import Ledger
import MappingLibrary
import Mappings
import Markup
import Pages
import Postbacks
import Routing
import Values

/// What publishing a draft does, and the form that does it.
struct PublishScreen: FormScreen {
  var draft: Int?
  var from: Day?
  var sample: String?

  static let path = "/mappings/publish"
  static let role = ViewerRole.editor
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
    guard let draft = try context.draft(draft) else {
      return .redirect(EditorScreen.address(of: Int64(draft ?? 0)))
    }
    return .page(try page(draft, context))
  }

  private func review(
    _ draft: StoredDraft, from date: Instant, _ context: ScreenContext
  ) throws -> PublicationReview {
    PublicationReview(draft.document, from: date, over: try context.reader.mappings(), now: context.now)
  }

  /// The day that the version would have: the one that was asked for, else the draft's, but not before tomorrow.
  private func date(_ draft: StoredDraft, _ context: ScreenContext) -> Instant {
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
    guard let draft = try context.draft(draft) else {
      return .redirect(EditorScreen.address(of: Int64(draft ?? 0)))
    }
    let wanted = form["effective-from"].flatMap { Day($0) }
    let date = wanted?.start ?? date(draft, context)
    let review = try review(draft, from: date, context)
    let texts = context.texts
    var same = self
    same.from = date.day
    guard form["reviewed"] == "\(date.day)", form["etag"] == draft.etag else {
      return .page(
        try same.page(draft, context, Panel.banner(texts.publishReviewAgain, .note)))
    }
    let seen = Set(form.values("ack"))
    let typed = (form["confirm"] ?? "").lowercased().filter { $0 != " " }
    guard warnings(review).allSatisfy({ seen.contains($0.name) }),
      !review.needsConfirmation || typed == "version\(review.number)"
    else {
      return .page(try same.page(draft, context, Panel.banner(texts.publishIncomplete), form))
    }
    let outcome = try context.publisher().publish(
      draft: draft.id, ifMatch: draft.etag,
      MappingPublisher.Order(effectiveFrom: date, by: context.author, note: form["note"] ?? ""),
      now: context.now)
    switch outcome {
    case .published:
      return .redirect(
        PageAddress(VersionsScreen.path, [("app", "\(draft.app.number)"), ("published", "\(review.number)")]))
    case .outdated(let change): return .page(outdated(draft, change, context))
    default:
      return .page(try same.page(draft, context, Panel.banner(outcome.sentence(texts)), form))
    }
  }

  // MARK: Page

  private func page(
    _ draft: StoredDraft, _ context: ScreenContext, _ message: HTML = "", _ form: FormBody? = nil
  ) throws -> Page {
    let texts = context.texts
    let review = try review(draft, from: date(draft, context), context)
    return Page(
      texts.publishTitle,
      scope: texts.publishScope(
        name: "<bdi>\(draft.name)</bdi>", number: "\(review.number)",
        app: "<bdi>\("\(draft.app.number)" as String)</bdi>"),
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
    let kinds = MeaningChange.Kind.allCases
    let changes = kinds.map { kind in review.changes.filter { $0.kind == kind } }
    return Panel.section(
      "changes", texts.publishWhat,
      columns: [
        .init(texts.mappingsKind, isNumber: false, kinds.map { MappingMarks.badge($0) }),
        .init(texts.publishValues, changes.map { "\($0.count)" }),
        .init(
          texts.publishWhich, isNumber: false,
          changes.map { "\($0.map(\.slot.key).joined(separator: ", "))" }),
      ],
      below: """
        <details class="more in"><summary>\(texts.chartAsTable)</summary>\(MappingMarks.changes(review.changes, texts))</details>
        """, texts)
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
    _ draft: StoredDraft, _ review: PublicationReview, _ context: ScreenContext, _ form: FormBody?
  ) -> HTML {
    let texts = context.texts
    let day = "\(date(draft, context).day)"
    let confirm: HTML =
      review.needsConfirmation
      ? Panel.field(
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
      \(Panel.field("eff", "effective-from", texts.mappingsDate, day, type: "date"))\
      <p class="hint">\(texts.publishDateHint)</p>\(taken)\
      \(Panel.field("why", "note", texts.publishNote, form?["note"] ?? ""))\(confirm)\
      <div class="row">\(button)<a class="btn" href="\(EditorScreen.address(of: draft.id).text)">\(texts.publishBack)</a></div></div>
      """)
  }

  /// Two who publish at once.
  private func outdated(
    _ draft: StoredDraft, _ change: MappingPublisher.ConcurrentChange, _ context: ScreenContext
  ) -> Page {
    let texts = context.texts
    return Page(
      texts.publishOutdatedTitle, scope: texts.publishOutdatedReason, status: 409,
      body: """
        <form class="stack" method="post" action="\(EditorScreen.address(of: draft.id).text)">\(context.formToken)\
        <input type="hidden" name="etag" value="\(draft.etag)"><input type="hidden" name="state" value="\(change.state)">\
        <input type="hidden" name="next" value="\(context.address.text)"><div class="two">\
        \(MappingMarks.readOnlyText("theirs", texts.publishTheirs, change.theirs?.document ?? []))\
        \(MappingMarks.readOnlyText("yours", texts.mappingsDraft, change.yours))</div>\
        <div class="row"><button class="btn" name="do" value="save">\(texts.publishKnow)</button></div></form>
        """)
  }
}
