import Arguments
import Ledger
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Routing
import Values

/// What publishing a draft does, and the form that does it: what changes, what to confirm, and the button.
struct PublishScreen: FormScreen {
  var draft: Int?
  var from: Day?
  var trial = TrialChoice()

  static let path = "/mappings/publish"
  static let role = ViewerRole.editor
  static let parameters: [Parameter<Self>] =
    [
      .init("draft", \.draft, "Number of the draft.", in: 1...Int.max),
      .init("from", \.from, "Day from which devices use the version."),
    ] + Parameter.all(of: \.trial)

  static func title(_ texts: Texts) -> HTML { texts.publishTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    guard let draft = try context.draft(draft) else {
      return .redirect(EditorScreen.address(of: Int64(draft ?? 0)))
    }
    return .page(try page(draft, context))
  }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    guard let draft = try context.draft(draft) else {
      return .redirect(EditorScreen.address(of: Int64(draft ?? 0)))
    }
    let texts = context.texts
    let words = form["effective-from"] ?? ""
    guard let wanted = Day(words) else {
      return .page(try page(draft, context, Panel.banner(texts.publishNoDate), form))
    }
    let address = context.address.with("from", "\(wanted)")
    if form["do"] == "review" { return .redirect(address) }
    var same = self
    same.from = wanted
    guard form["reviewed"] == "\(wanted)", form["etag"] == draft.etag else {
      return .page(try same.page(draft, context, Panel.banner(texts.publishReviewAgain, .note)))
    }
    let review = try same.review(draft, context)
    let confirmed = Set(form.values("ack"))
    guard review.warnings.allSatisfy({ confirmed.contains($0.name) }) else {
      return .page(try same.page(draft, context, Panel.banner(texts.publishIncomplete), form))
    }
    let outcome = try context.publisher().publish(
      draft: draft.id, ifMatch: draft.etag,
      MappingPublisher.Order(effectiveFrom: wanted.start, by: context.author, note: form["note"] ?? ""),
      now: context.now)
    switch outcome {
    case .published:
      return .redirect(
        HandoverScreen.address(of: draft.app, version: review.number).with("published", "\(review.number)"))
    case .outdated:
      var page = try same.page(draft, context, "", form)
      page.status = 409
      return .page(page)
    default: return .page(try same.page(draft, context, Panel.banner(outcome.sentence(texts)), form))
    }
  }

  private func review(_ draft: StoredDraft, _ context: ScreenContext) throws -> PublicationReview {
    let mappings = try Self.versions(of: draft, context)
    return PublicationReview(
      draft.document, from: date(draft, mappings, context), over: mappings, now: context.now)
  }

  /// The versions as they are now: a form may have been sent while another editor published.
  private static func versions(of draft: StoredDraft, _ context: ScreenContext) throws -> [StoredMapping] {
    try LedgerReader(path: context.database).mappings().filter { $0.app == draft.app }
  }

  /// The day that was asked for; else the draft's, but not before tomorrow, nor one that a version has.
  private func date(_ draft: StoredDraft, _ versions: [StoredMapping], _ context: ScreenContext) -> Instant {
    if let from { return from.start }
    let own = MappingDocument.read(draft.document).document?.mapping.effectiveFrom.day
    let taken = Set(versions.map(\.effectiveFrom))
    var day = max(own ?? context.now.day.next, context.now.day.next)
    while taken.contains(day.start) { day = day.next }
    return day.start
  }

  // MARK: Page

  private func page(
    _ draft: StoredDraft, _ context: ScreenContext, _ message: HTML = "", _ form: FormBody? = nil
  ) throws -> Page {
    let texts = context.texts
    let versions = try Self.versions(of: draft, context)
    let day = date(draft, versions, context).day
    let review = PublicationReview(draft.document, from: day.start, over: versions, now: context.now)
    let isOutdated = versions.state(of: draft.app) != draft.baseState
    let app = context.called.app(draft.app.number)
    let taken: HTML =
      review.taken == nil
      ? ""
      : Panel.banner(
        texts.publishTakenBy(number: "\(review.number)", date: Marks.day(day, hasYear: true)), .bad)
    // With errors it is not known which version it becomes.
    let scope: HTML =
      review.mapping == nil
      ? texts.editorPublishBlocked
      : review.taken != nil
        ? texts.publishScopeTaken(app: app)
        : review.laterVersions > 0
          ? texts.publishScopeBetween(number: "\(review.number)", app: app)
          : texts.publishScope(number: "\(review.number)", app: app)
    let conflict: HTML = isOutdated ? self.conflict(draft, versions, context) : ""
    let missing = missing(review, isOutdated: isOutdated, texts)
    return Page(
      texts.publishHeading(name: "<bdi>\(draft.name)</bdi>"), scope: scope,
      actions:
        "<a class=\"btn\" href=\"\(EditorScreen.address(of: draft.id).text)\">\(texts.publishBack)</a>",
      body: """
        \(message)\(taken)\(conflict)\
        <form method="post" action="\(context.address.text)" class="two">\(context.formToken)\
        <input type="hidden" name="etag" value="\(draft.etag)"><input type="hidden" name="reviewed" value="\(String(describing: day))">\
        <ol class="stages"><li>\(changes(review, day, form?["effective-from"] ?? "\(day)", texts))</li>\
        <li>\(checks(review, draft, Set(form?.values("ack") ?? []), texts))</li>\
        <li>\(publishPart(review, day, missing, form, texts))</li></ol>\
        <div class="stack">\(try worth(draft, context))\(zones(review, texts))\
        \(Panel.section("then", texts.publishThen, "<p class=\"s\">\(texts.publishThenNote)</p>"))</div></form>
        """)
  }

  /// What keeps the draft from being published, besides warnings to confirm.
  private func missing(_ review: PublicationReview, isOutdated: Bool, _ texts: Texts) -> [HTML] {
    (review.mapping == nil ? [texts.editorPublishBlocked] : [])
      + (isOutdated ? [texts.publishOutdatedTitle] : [])
      + (review.taken == nil ? [] : [texts.publishTaken])
  }

  /// The version that another editor published since the draft was begun, and the way to go on.
  private func conflict(_ draft: StoredDraft, _ versions: [StoredMapping], _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let newest = versions.max { ($0.loadedAt, $0.effectiveFrom) < ($1.loadedAt, $1.effectiveFrom) }
    var link: HTML = ""
    if let newest, let place = versions.firstIndex(of: newest) {
      let old = place > 0 ? [("old", "\(place)")] : []
      let address = PageAddress(
        VersionsScreen.path, [("app", "\(draft.app.number)"), ("new", "\(place + 1)")] + old)
      link = """
        <p>\(texts.publishTheirVersion(number: "\(place + 1)", date: Marks.day(newest.effectiveFrom.day, hasYear: true), time: Marks.moment(newest.loadedAt))) \
        <a href="\(address.text)#h-differences">\(texts.publishTheirDifferences)</a></p>
        """
    }
    return """
      <div class="banner bad" role="alert"><div><p><b>\(texts.publishOutdatedTitle)</b> \(texts.publishOutdatedReason)</p>\(link)</div>\
      <form class="row" method="post" action="\(EditorScreen.address(of: draft.id).text)">\(context.formToken)\
      <input type="hidden" name="etag" value="\(draft.etag)">\
      <input type="hidden" name="state" value="\(versions.state(of: draft.app))">\
      <input type="hidden" name="next" value="\(context.address.text)">\
      <button class="btn" name="do" value="save">\(texts.publishKnow)</button></form></div>
      """
  }

  // MARK: 1. What changes

  private func changes(_ review: PublicationReview, _ day: Day, _ typed: String, _ texts: Texts) -> HTML {
    let date = Marks.day(day, hasYear: true)
    var rows: [(whom: HTML, what: HTML, when: HTML)] = []
    func line(_ kind: MeaningChange.Kind, _ words: (Int, HTML) -> HTML) -> HTML? {
      let values = review.values(kind)
      return values.isEmpty ? nil : words(values.count, MappingMarks.values(values))
    }
    let differences: [HTML?] = [
      line(.changed) { texts.publishDoesChange(count: $0, values: $1) },
      line(.gained) { texts.publishDoesGain(count: $0, values: $1) },
      line(.lost) { texts.publishDoesLose(count: $0, values: $1) },
      line(.kept) { count, _ in texts.publishDoesKeep(count: count) },
    ]
    let newUsers: HTML =
      review.previous == nil ? texts.publishNoPrevious : differences.compactMap { $0 }.joined(separator: " ")
    rows.append((texts.publishNewUsers, newUsers, texts.publishFrom(date: date)))
    if review.previous != nil {
      let before = "\(max(1, review.number - 1))"
      rows.append(
        (texts.publishOldUsers, texts.publishOldUsersWhat(number: "\(before)"), texts.publishForEver))
      let both = review.mixedZones.filter { $0.isInOld && $0.isInNew }
      if let first = both.map(\.from).min(), let last = both.map(\.to).max() {
        let changed = review.values(.changed)
        let what: HTML =
          changed.isEmpty
          ? texts.publishReportsSame : texts.publishReportsMixed(values: MappingMarks.values(changed))
        rows.append(
          (
            texts.publishReports, what,
            texts.publishSpan(
              from: Marks.day(first.day, hasYear: true), to: Marks.day(last.day, hasYear: true))
          ))
      }
      rows.append(
        (
          texts.publishApps, texts.publishAppsWhat(number: "\(review.number)", before: "\(before)"),
          texts.publishUntil(date: date)
        ))
    }
    let partners = review.mapping?.partners.map(\.rawValue) ?? []
    if !partners.isEmpty {
      rows.append(
        (
          texts.publishNetworks, texts.publishNetworksWhat(names: texts.list(partners.map { "\($0)" })),
          texts.publishUntil(date: date)
        ))
    }
    let list = rows.map { row -> HTML in
      "<dt>\(row.whom)</dt><dd><p>\(row.what)</p><p class=\"s soft\">\(row.when)</p></dd>"
    }
    let table: HTML =
      review.previous == nil
      ? ""
      : """
      <details class="more"><summary>\(texts.publishEachValue)</summary>\(MappingMarks.changes(review.changes, texts))</details>
      """
    return Panel.section(
      "changes", texts.publishWhat,
      """
      <div class="stack"><div class="row end">\(Panel.field("eff", "effective-from", texts.publishDate, typed, type: "date", more: " aria-describedby=\"eff-hint\""))\
      <button class="btn" name="do" value="review" formnovalidate>\(texts.publishShow)</button></div>\
      <p class="hint" id="eff-hint">\(texts.publishDateHint)</p><dl class="kv wide">\(list.joined())</dl>\(table)</div>
      """)
  }

  // MARK: 2. Confirm

  private func checks(
    _ review: PublicationReview, _ draft: StoredDraft, _ confirmed: Set<String>, _ texts: Texts
  ) -> HTML {
    let fix: HTML =
      "<a class=\"s\" href=\"\(EditorScreen.address(of: draft.id).text)#h-findings\">\(texts.publishFix)</a>"
    let errors = review.findings.filter { $0.severity == .error }.map { finding -> HTML in
      """
      <li><span class="badge bad">✕</span><b>\(texts.say(finding.sentence))</b>\(fix)<p>\(finding.hint.map { texts.say($0) } ?? "")</p></li>
      """
    }
    let warnings = review.warnings
    let boxes = warnings.enumerated().map { index, warning -> HTML in
      let (title, reason) = words(of: warning, texts)
      let checked: HTML = confirmed.contains(warning.name) ? " checked" : ""
      let link: HTML = if case .found = warning.kind { fix } else { "" }
      return """
        <li><input type="checkbox" id="a\(index)" name="ack" value="\(warning.name)" required aria-describedby="r\(index)"\(checked)>\
        <label for="a\(index)">\(title)</label>\(link)<div id="r\(index)">\(reason)</div></li>
        """
    }
    let note: HTML =
      !errors.isEmpty
      ? texts.editorPublishBlocked
      : warnings.isEmpty ? texts.publishNothingToConfirm : texts.publishConfirmNote(count: warnings.count)
    return Panel.section(
      "confirm", texts.publishConfirm, note: note, flush: true,
      errors.isEmpty && boxes.isEmpty ? "" : "<ul class=\"ack\">\(errors.joined())\(boxes.joined())</ul>")
  }

  private func words(of warning: PublicationReview.Warning, _ texts: Texts) -> (title: HTML, reason: HTML) {
    switch warning.kind {
    case .changed:
      return (
        texts.publishChanged(count: warning.values.count),
        "<p>\(MappingMarks.values(warning.values)). \(texts.publishChangedCure)</p>"
      )
    case .past: return (texts.publishPast, "<p>\(texts.publishPastCure)</p>")
    case .found:
      let sentences = warning.findings.map { finding -> HTML in "<li>\(texts.say(finding.sentence))</li>" }
      let cure: HTML = warning.findings.first?.hint.map { "<p>\(texts.say($0))</p>" } ?? ""
      guard let first = warning.findings.first else { return ("", cure) }
      guard warning.findings.count > 1 else { return (texts.say(first.sentence), cure) }
      let values: HTML = warning.values.isEmpty ? "" : "<p>\(MappingMarks.values(warning.values))</p>"
      return (
        texts.publishSeveral(sentence: texts.say(first.sentence), count: warning.findings.count - 1),
        "\(values)\(cure)<details class=\"more\"><summary>\(texts.publishEach)</summary><ul>\(sentences.joined())</ul></details>"
      )
    }
  }

  // MARK: 3. Publish

  private func publishPart(
    _ review: PublicationReview, _ day: Day, _ missing: [HTML], _ form: FormBody?, _ texts: Texts
  ) -> HTML {
    let count = review.warnings.count
    let hint =
      missing + (count > 0 ? [texts.publishConfirmFirst(count: count)] : [])
      + [texts.publishAppNeeds(date: Marks.day(day, hasYear: true))]
    let word =
      review.taken == nil && review.mapping != nil
      ? texts.publishButton(number: "\(review.number)") : texts.publishPublish
    // It stays in the tab order: pressed, the page states what is missing.
    let blocked: HTML = missing.isEmpty ? "" : " aria-disabled=\"true\""
    return Panel.section(
      "publish", texts.publishPublish,
      """
      <div class="stack">\(Panel.field("why", "note", texts.publishNote, form?["note"] ?? ""))\
      <p class="s soft" id="missing">\(hint.joined(separator: " "))</p>\
      <div class="row"><button class="btn primary" name="do" value="publish" aria-describedby="missing"\(blocked)>\(word)</button></div></div>
      """)
  }

  // MARK: Beside the form

  private func zones(_ review: PublicationReview, _ texts: Texts) -> HTML {
    guard !review.mixedZones.isEmpty else { return "" }
    return Panel.section(
      "zones", texts.publishWhen,
      Panel.list(
        review.mixedZones.map { zone in
          (
            name: texts.editorScheduleWindow(number: "\(zone.window.rawValue + 1)"),
            text: texts.publishSpan(
              from: Marks.day(zone.from.day, hasYear: true), to: Marks.day(zone.to.day, hasYear: true))
          )
        }))
  }

  /// The simulation of the draft against the version in force, where users were chosen in the editor.
  private func worth(_ draft: StoredDraft, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let inForce = try Self.versions(of: draft, context).filter { $0.effectiveFrom <= context.now }.last
      .flatMap { MappingDocument.read($0.document).document?.mapping }
    guard let answer = try trial.answer(to: draft.document, inForce: inForce, context),
      let result = answer.result
    else {
      return Panel.section("worth", texts.publishWorth, "<p class=\"s\">\(texts.publishNoUsers)</p>")
    }
    func change(_ cell: (TrialFigures) -> HTML) -> HTML {
      result.inForce.map { texts.publishBecomes(before: cell($0), after: cell(result.draft)) }
        ?? cell(result.draft)
    }
    return Panel.section(
      "worth", texts.publishWorth,
      """
      <div class="stack"><p><b>\(EditorParts.verdict(result, texts))</b></p>\
      \(Panel.list([
        (texts.editorShownShare, change { $0.visibleShare.map { Marks.share($0) } ?? Marks.none(texts) }),
        (texts.editorWithheld, change { $0.withheldShare.map { Marks.share($0) } ?? Marks.none(texts) }),
        (texts.editorLastNumbers, change { MappingMarks.days($0.lastHours, texts) }),
      ]))</div>
      """)
  }
}
