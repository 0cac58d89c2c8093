import Arguments
import JSONText
import Ledger
import MappingLibrary
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// The mapping editor: a draft as a form or as JSON, its 64 values, findings, schedule, and what reports would show.
struct EditorScreen: FormScreen {
  /// As what a draft is edited.
  enum View: String, CaseIterable, ParameterValue, Sendable { case form, json }

  var draft: Int?
  var view = View.form
  var trial = TrialChoice()
  var value: Int?

  static let path = "/mappings/editor"
  static let repeatsForms = true
  static let parameters: [Parameter<Self>] =
    [
      .init("draft", \.draft, "Number of the draft.", in: 1...Int.max),
      .init("view", \.view, "As what the draft is edited."),
      .init("value", \.value, "Value that is pinned.", in: 0...63),
    ] + Parameter.all(of: \.trial)

  static func title(_ texts: Texts) -> HTML { texts.editorTitle }

  static func address(of draft: Int64) -> PageAddress { PageAddress(path, [("draft", "\(draft)")]) }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    guard let draft = try context.draft(draft) else { return .page(gone(context)) }
    return .page(try page(draft, context))
  }

  /// The mapping of the draft's app that is in force.
  private func inForce(_ draft: StoredDraft, _ context: ScreenContext) throws -> Mapping? {
    let versions = try context.reader.mappings().filter {
      $0.app == draft.app && $0.effectiveFrom <= context.now
    }
    return versions.reversed().lazy.compactMap { MappingDocument.read($0.document).document?.mapping }.first
  }

  private func gone(_ context: ScreenContext) -> Page {
    Page(
      context.texts.editorTitle, status: 404,
      body: Panel.empty(
        context.texts.editorGoneTitle, context.texts.editorGoneReason,
        "<a class=\"btn\" href=\"\(VersionsScreen.path)\">\(context.texts.editorToMappings)</a>"))
  }

  // MARK: Forms

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    do { return try edited(form, context) } catch let error as DraftError {
      if form["do"] == "try" { return json(["rejected": .string(error.message)]) }
      return .page(rejected(error, context))
    }
  }

  private func edited(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    guard let draft = try context.draft(draft) else { return .page(gone(context)) }
    let drafts = MappingDrafts(database: context.database)
    let word = form["do"] ?? "save"
    var document = form["document"].map { Array($0.replacing("\r\n", with: "\n").utf8) } ?? draft.document
    document = DraftField.applied(to: document) { form[$0] }
    if word == "discard" {
      if case .stale(let theirs) = try drafts.discard(draft.id, ifMatch: form["etag"]) {
        return .page(stale(theirs, document, context))
      }
      return .redirect(PageAddress(VersionsScreen.path, [("app", "\(draft.app.number)")]))
    }
    if word.hasPrefix("repair:"), let index = Int(word.dropFirst(7)) {
      document = Self.repaired(document, index, now: context.now)
    }
    if word == "propose", let sample = trial.sample {
      let own = MappingDocument.read(document).document?.mapping
      if let like = try own ?? inForce(draft, context),
        let users = try context.trials.users(of: sample, currency: like.currency),
        let mapping = MappingProposal.mapping(named: draft.name, like: like, for: users)
      {
        document = mapping.json.bytes(pretty: true) + [0x0A]
      }
    }
    if word == "try" { return try tried(document, form, draft, context) }
    if word == "copy" {
      let copy = try drafts.begin(
        .document(document), app: draft.app, by: context.author, now: context.now)
      return .redirect(context.address.with("draft", "\(copy.id)"))
    }
    switch try drafts.save(
      draft.id, ifMatch: form["etag"] ?? "", document: document, knowing: form["state"], by: context.author,
      now: context.now)
    {
    case .done: return .redirect(form["next"].flatMap { PageAddress(local: $0) } ?? context.address)
    case .stale(let theirs): return .page(stale(theirs, document, context))
    case .missing, .full: return .page(gone(context))
    }
  }

  /// Why a text is not kept; what is saved stays, and the browser still has the text.
  private func rejected(_ error: DraftError, _ context: ScreenContext) -> Page {
    let sentence: HTML = "\(error.message)\(error.remedy.map { "; \($0)" } ?? "")."
    return Page(
      context.texts.editorTitle, status: 413,
      body: """
        \(Panel.banner(sentence))\
        <p><a class="btn" href="\(context.address.text)">\(context.texts.publishBack)</a></p>
        """)
  }

  private static func repaired(_ document: [UInt8], _ index: Int, now: Instant) -> [UInt8] {
    let findings = MappingDocument.check(document, at: now).findings
    guard findings.indices.contains(index) else { return document }
    return findings[index].repair?.applied(to: document) ?? document
  }

  /// Answers a script: saves a text without errors, and gives the parts of the page anew.
  private func tried(
    _ document: [UInt8], _ form: FormBody, _ draft: StoredDraft, _ context: ScreenContext
  ) throws -> PageAnswer {
    guard let parts = try parts(of: document, draft, context) else { return json(["superseded": true]) }
    let answer = parts.answer
    var etag = form["etag"] ?? ""
    if let mapping = answer.mapping {
      let change = try MappingDrafts(database: context.database).save(
        draft.id, ifMatch: etag, document: document, name: mapping.name, by: context.author, now: context.now)
      guard case .done(let saved) = change else { return json(["conflict": true]) }
      etag = saved.etag
    }
    return json([
      "etag": .string(etag), "saved": .bool(answer.mapping != nil),
      "document": .string(String(decoding: document, as: UTF8.self)),
      "answer": [
        "errors": .integer(Int64(answer.errors)), "findings": .array(answer.findings.map(Self.json)),
      ],
      "parts": [
        "map": .string(parts.map.text), "findings": .string(parts.findings.text),
        "schedule": .string(parts.schedule.text), "result": .string(parts.result.text),
        "fields": .string(parts.fields.text),
      ],
    ])
  }

  /// What a script needs to mark fields and cells, and to make a change without the form.
  private static func json(_ found: DraftFinding) -> JSONOutput {
    let repair = found.repair.map { repair -> JSONOutput in
      [
        "start": .integer(Int64(repair.range.lowerBound)), "end": .integer(Int64(repair.range.upperBound)),
        "text": .string(repair.text),
      ]
    }
    return [
      "severity": .string(found.finding.severity.rawValue),
      "path": .string(found.finding.path.description), "cell": .optional(found.slot?.key),
      "repair": repair ?? nil,
    ]
  }

  private func json(_ value: JSONOutput) -> PageAnswer {
    .file(name: "answer.json", contentType: "application/json", text: value.text())
  }

  /// The parts of the page for a text of the draft; `nil` where a newer text came meanwhile.
  private func parts(
    of document: [UInt8], _ draft: StoredDraft, _ context: ScreenContext
  ) throws -> EditorParts? {
    let inForce = try inForce(draft, context)
    let answer = try trial.answer(
      to: document, of: "\(draft.id) \(context.session)", inForce: inForce, context)
    return answer.map { answer in
      let currency = answer.result?.draft.currency ?? answer.mapping?.currency ?? inForce?.currency
      return EditorParts(answer: answer, context: context, currency: currency?.text ?? "")
    }
  }

  // MARK: Page

  private func page(_ draft: StoredDraft, _ context: ScreenContext) throws -> Page {
    let texts = context.texts
    guard let parts = try parts(of: draft.document, draft, context) else { throw Superseded() }
    var actions: HTML = ""
    let publish = PageAddress(
      PublishScreen.path, [("draft", "\(draft.id)")] + (trial.sample.map { [("sample", $0)] } ?? []))
    if context.mayEdit {
      let disabled: HTML = parts.answer.errors > 0 ? " aria-disabled=\"true\"" : " href=\"\(publish.text)\""
      actions = """
        <button class="btn small" type="button" id="undo" hidden>\(texts.editorUndo)</button>\
        <button class="btn small" type="button" id="redo" hidden>\(texts.editorRedo)</button>\
        <a class="btn primary" id="publish" data-href="\(publish.text)"\(disabled)>\(texts.editorPublish)</a>
        """
    }
    let readOnly: HTML = context.mayEdit ? "" : Panel.banner(texts.editorReadOnly, .note)
    let body: HTML = """
      \(readOnly)\(filters(context))
      <div class="edit">\(source(draft, parts, context))\
      <div class="stack mid">\
      \(Panel.section("map", texts.editorMap, "<div id=\"part-map\">\(parts.map)</div>"))\
      \(Panel.section("findings", texts.editorFindings, flush: true, "<div id=\"part-findings\" aria-live=\"polite\">\(parts.findings)</div>"))\
      \(Panel.section("schedule", texts.editorSchedule, "<div id=\"part-schedule\">\(parts.schedule)</div>"))</div>\
      <div class="stack live"><section class="panel" aria-labelledby="h-result" id="live" aria-busy="false"><header>\
      <h2 id="h-result">\(texts.editorResult)</h2><span class="badge info busy">\(texts.editorComputing)</span></header>\
      <p class="in s" id="shown" hidden>\(texts.editorShown)</p>\
      <div class="in stack" id="part-result">\(parts.result)</div></section></div></div>
      """
    return Page(
      "<bdi>\(draft.name)</bdi>", scope: stateLine(draft, texts), actions: actions,
      scripts: [.mapScript] + (context.mayEdit ? [.editorScript] : []), isWide: true, body: body)
  }

  private func stateLine(_ draft: StoredDraft, _ texts: Texts) -> HTML {
    let based: HTML =
      draft.baseFrom.map {
        "<span>\(texts.editorBased(date: Marks.day($0.day, hasYear: true)))</span>"
      } ?? ""
    return """
      <span class="stateline"><a href="\(VersionsScreen.path)?app=\("\(draft.app.number)" as String)">\(texts.mappingsTitle)</a>\
      <span class="badge info">\(texts.mappingsDraft)</span>\(based)\
      <span id="saved" role="status" data-saved="\(texts.editorSaved)" data-saving="\(texts.editorSaving)" \
      data-unsaved="\(texts.editorUnsaved)" data-lost="\(texts.editorLost)" data-signed-out="\(texts.editorSignedOut)" \
      data-not-accepted="\(texts.editorNotAccepted)">\
      \(texts.mappingsSaved(time: Marks.moment(draft.savedAt), name: "<bdi>\(draft.savedBy)</bdi>"))</span>\
      <a id="signed-out" href="/sign-in" target="_blank" rel="noopener" hidden>\(texts.editorSignIn)</a></span>
      """
  }

  private func filters(_ context: ScreenContext) -> HTML {
    let texts = context.texts
    var form = FilterForm(context.address, texts)
    trial.add(to: &form, context)
    form.links(
      "view", texts.editorView, view.rawValue, [("form", texts.editorForm), ("json", texts.editorJson)])
    return form.markup(summary: "\(trial.sample ?? "")")
  }

  /// The draft as fields, or as text.
  ///
  /// Fields go with the text that they were made of: put into another one's text, they would mix with its edits.
  private func source(
    _ draft: StoredDraft, _ parts: EditorParts, _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    let isLocked = !context.mayEdit
    let text = String(decoding: draft.document, as: UTF8.self)
    let lines = (1...max(1, text.utf8.count { $0 == 10 } + 1)).map { "\($0)" }.joined(separator: "\n")
    let lock: HTML = isLocked ? " readonly" : ""
    let content: HTML =
      view == .json
      ? """
      <label class="sr" for="src">\(texts.editorJson)</label>\
      <div class="code" id="json"><div class="ln" aria-hidden="true">\(lines)</div>\
      <textarea id="src" name="document" spellcheck="false" autocapitalize="off" wrap="off"\(lock)>\n\(.value(text))</textarea></div>
      """
      : """
      <input type="hidden" name="document" value="\(.value(text))">\
      <div id="part-fields" class="stack">\(parts.fields)</div>
      """
    let propose: HTML =
      trial.sample == nil
      ? ""
      : """
      <div class="row"><button class="btn small" name="do" value="propose">\(texts.editorPropose)</button></div>\
      <p class="hint">\(texts.editorProposeHint)</p>
      """
    let buttons: HTML =
      isLocked
      ? ""
      : """
      <div class="row"><button class="btn" name="do" value="save">\(texts.editorSave)</button>\
      <button class="btn small" name="do" value="discard">\(texts.mappingsDiscard)</button></div>\
      \(propose)
      """
    return Panel.section(
      "source", texts.editorMapping,
      """
      <form class="stack" id="draft" method="post" action="\(context.address.text)">\(context.formToken)\
      <input type="hidden" name="etag" value="\(draft.etag)">\(content)\(buttons)</form>
      """)
  }

  private func stale(_ theirs: StoredDraft, _ mine: [UInt8], _ context: ScreenContext) -> Page {
    let texts = context.texts
    let mineText = String(decoding: mine, as: UTF8.self)
    return Page(
      texts.editorStaleTitle(name: "<bdi>\(theirs.savedBy)</bdi>"), scope: texts.editorStaleReason,
      status: 409,
      body: """
        <form class="stack" method="post" action="\(context.address.text)">\(context.formToken)\
        <input type="hidden" name="etag" value="\(theirs.etag)"><div class="two">\
        \(MappingMarks.readOnlyText("theirs", texts.editorTheirs(name: "<bdi>\(theirs.savedBy)</bdi>"), theirs.document))\
        <div class="field"><label for="mine">\(texts.editorYours)</label>\
        <textarea id="mine" name="document" rows="16" spellcheck="false">\n\(.value(mineText))</textarea></div></div>\
        <div class="row"><button class="btn" name="do" value="copy">\(texts.editorNewDraft)</button>\
        <button class="btn" name="do" value="save">\(texts.editorKeepMine)</button>\
        <a class="btn" href="\(context.address.text)">\(texts.editorKeepTheirs)</a></div></form>
        """)
  }
}

/// A newer request of the same draft came while this one was answered.
private struct Superseded: Error, CustomStringConvertible {
  let description = "a newer request of this draft came; load the page again"
}
