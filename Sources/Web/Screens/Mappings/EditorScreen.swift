import Arguments
import JSONText
import Ledger
import MappingEditing
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
    guard let draft = try context.draft(draft) else { return .page(Self.gone(context)) }
    var screen = self
    screen.trial = trial.of(draft.app, context)
    return try screen.shown(draft, context)
  }

  private func shown(_ draft: StoredDraft, _ context: ScreenContext) throws -> PageAnswer {
    guard let parts = try parts(of: draft.document, draft, context) else { throw Superseded() }
    return .page(EditorPage(draft: draft, parts: parts, view: view, trial: trial, context: context).page)
  }

  /// The parts of the page for a text of the draft; `nil` where a newer text came meanwhile.
  private func parts(
    of document: [UInt8], _ draft: StoredDraft, _ context: ScreenContext, hasProposal: Bool = true
  ) throws -> EditorParts? {
    let inForce = try inForce(draft, context)
    let otherApp = trial.otherApp(than: draft.app)
    let answer = try trial.answer(
      to: document, of: "\(draft.id) \(context.session)", inForce: inForce, context)
    return try answer.map { answer in
      let currency = answer.result?.draft.currency ?? answer.mapping?.currency ?? inForce?.currency
      let basis = try (answer.mapping ?? inForce).map { mapping in
        try trial.basis(of: mapping, trial.users(for: draft.app, currency: currency, context), context)
      }
      return EditorParts(
        answer: answer, context: context, currency: currency?.text ?? "", basis: basis,
        otherApp: otherApp, proposal: hasProposal ? try proposal(draft, inForce, context) : nil)
    }
  }

  /// The search for a mapping of the draft, with what its outcome would show.
  func proposal(
    _ draft: StoredDraft, _ inForce: Mapping?, _ context: ScreenContext
  ) throws -> ProposalView {
    let state = context.trials.proposals.state(of: draft.id)
    var view = ProposalView(draft: draft, state: state, trial: trial, context: context)
    if let mapping = state?.mapping {
      view.proposed = try trial.answer(to: mapping.json.bytes(), inForce: inForce, context)?
        .result
    }
    return view
  }

  /// The mapping of the draft's app that is in force.
  func inForce(_ draft: StoredDraft, _ context: ScreenContext) throws -> Mapping? {
    let versions = try context.reader.mappings().filter {
      $0.app == draft.app && $0.effectiveFrom <= context.now
    }
    return versions.reversed().lazy.compactMap { MappingDocument.read($0.document).document?.mapping }.first
  }

  private static func gone(_ context: ScreenContext) -> Page {
    Page(
      context.texts.editorTitle, status: 404,
      body: Panel.empty(
        context.texts.editorGoneTitle, context.texts.editorGoneReason,
        "<a class=\"btn\" href=\"\(VersionsScreen.path)\">\(context.texts.editorToMappings)</a>"))
  }

  // MARK: Forms

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    var screen = self
    if let draft = try context.draft(draft) { screen.trial = trial.of(draft.app, context) }
    do { return try screen.edited(form, context) } catch let error as DraftError {
      if case .trial = EditorOrder(form) {
        return json(["rejected": .string(context.texts.say(phrase: error.sentence).text)])
      }
      return .page(rejected(error, context))
    }
  }

  private func edited(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    guard let draft = try context.draft(draft) else { return .page(Self.gone(context)) }
    let drafts = MappingDrafts(context.changes)
    let order = EditorOrder(form)
    if order == .importUsers { return try importUsers(form, draft, context) }
    var document = Self.text(form["document"]) ?? draft.document
    document = DraftChange.applied(to: document) { form[$0] }
    if order == .discard {
      if case .stale(let theirs) = try drafts.discard(draft.id, ifMatch: form["etag"]) {
        return stale(theirs, document, form, context)
      }
      return .redirect(PageAddress(VersionsScreen.path, [("app", "\(draft.app.number)")]))
    }
    if order == .merge, draft.etag == form["etag"],
      let merge = DraftMerge(base: Self.text(form["base"]), theirs: draft.document, mine: document)
    {
      let merged = merge.merged {
        form[ConflictView.name($0)].flatMap { DraftMerge.Side(rawValue: $0) }
      }
      guard let merged else { return stale(draft, document, form, context, isIncomplete: true) }
      document = merged
    }
    let step = order.step
    let before = document
    document = try stepped(document, step, draft, context)
    if case .trial = order {
      return try tried(
        document, step, form, draft, context, hasNothing: step?.changesText == true && document == before)
    }
    if order == .copy {
      let copy = try drafts.begin(
        .document(document), app: draft.app, by: context.author, now: context.now)
      return .redirect(context.address.with("draft", "\(copy.id)"))
    }
    switch try drafts.save(
      draft.id, ifMatch: form["etag"] ?? "", document: document, knowing: form["state"], by: context.author,
      now: context.now)
    {
    case .done:
      end(step, of: draft, context)
      if context.trials.proposals.state(of: draft.id) != nil, [.propose, .stop].contains(step?.search) {
        return .redirect(ProposalScreen.address(of: draft.id, trial))
      }
      let next = form["next"].flatMap { PageAddress(local: $0) } ?? context.address
      return .redirect(next.at(part: step?.part))
    // The button was pressed while a script saved the same text.
    case .stale(let theirs) where theirs.document == document: return .redirect(context.address)
    case .stale(let theirs): return stale(theirs, document, form, context)
    case .missing, .full: return .page(Self.gone(context))
    }
  }

  /// Keeps an events file of the app's users, if it can be read, and tries the draft on them.
  private func importUsers(
    _ form: FormBody, _ draft: StoredDraft, _ context: ScreenContext
  ) throws -> PageAnswer {
    guard case .bytes(let bytes)? = form.file("file")?.unpacked, !bytes.isEmpty else {
      throw DraftError.notImported(
        Sentence("the file is empty, damaged or longer than \(UploadedFile.mostBytes >> 20) MiB"))
    }
    let currency = MappingDocument.read(draft.document).document?.mapping.currency
    let name = try ImportedUsers(beside: context.database).keep(bytes, of: draft.app, currency: currency)
    return .redirect(context.address.with("sample", name))
  }

  /// The text after the step of a button; the same text where a button makes none.
  private func stepped(
    _ document: [UInt8], _ step: EditorStep?, _ draft: StoredDraft, _ context: ScreenContext
  ) throws -> [UInt8] {
    switch step {
    case .edit(let edit, _): return edit?.applied(to: document) ?? document
    case .repair(let index): return DraftFinding.repaired(document, index, now: context.now)
    case .repairAll(let index): return DraftFinding.repaired(document, all: index, now: context.now)
    case .model(let model):
      return model?.document(inPlaceOf: document, app: draft.app, now: context.now) ?? document
    case .search(.take):
      guard let mapping = context.trials.proposals.state(of: draft.id)?.mapping else { return document }
      return mapping.json.bytes(pretty: true) + [0x0A]
    case .search(.propose): try propose(document, draft, context)
    case .search(.stop): context.trials.proposals.stop(draft.id)
    case .search(.forget): context.trials.proposals.forget(draft.id)
    case nil: break
    }
    return document
  }

  /// Drops a proposal once the draft that has it is saved.
  private func end(_ step: EditorStep?, of draft: StoredDraft, _ context: ScreenContext) {
    if step?.search == .take { context.trials.proposals.forget(draft.id) }
  }

  /// Begins to make a mapping of the chosen users.
  private func propose(_ document: [UInt8], _ draft: StoredDraft, _ context: ScreenContext) throws {
    guard let like = try MappingDocument.read(document).document?.mapping ?? inForce(draft, context),
      let users = try trial.users(for: draft.app, currency: like.currency, context)
    else { return }
    let settings = try trial.basis(of: like, users, context).settings
    guard
      try context.trials.proposals.begin(
        for: draft.id, named: draft.name, like: like, of: users, settings.threshold,
        sizes: AppEvidence(app: draft.app, context: context).sizes())
    else { throw DraftError.busy }
  }

  /// Why a text is not kept; what is saved stays, and the browser still has the text.
  private func rejected(_ error: DraftError, _ context: ScreenContext) -> Page {
    let sentence = context.texts.say(
      error.cure.map { Sentence("\(error.sentence); \($0).") } ?? Sentence("\(error.sentence)."))
    return Page(
      context.texts.editorTitle, status: 413,
      body: """
        \(Panel.banner(sentence))\
        <p><a class="btn" href="\(context.address.text)">\(context.texts.publishBack)</a></p>
        """)
  }

  /// Answers a script: saves a text without errors, and gives the parts of the page anew.
  private func tried(
    _ document: [UInt8], _ step: EditorStep?, _ form: FormBody, _ draft: StoredDraft,
    _ context: ScreenContext, hasNothing: Bool
  ) throws -> PageAnswer {
    guard let parts = try parts(of: document, draft, context, hasProposal: step?.search != nil) else {
      return json(["superseded": true])
    }
    let answer = parts.answer
    var etag = form["etag"] ?? ""
    if let mapping = answer.mapping {
      let change = try MappingDrafts(context.changes).save(
        draft.id, ifMatch: etag, document: document, name: mapping.name, by: context.author, now: context.now)
      switch change {
      case .done(let saved):
        etag = saved.etag
        end(step, of: draft, context)
      // The answer to the same request was lost on its way.
      case .stale(let saved) where saved.document == document: etag = saved.etag
      default: return json(["conflict": true])
      }
    }
    let errors = answer.findings.filter { $0.finding.severity == .error }
    return json([
      "etag": .string(etag), "saved": .bool(answer.mapping != nil), "nothing": .bool(hasNothing),
      "document": .string(String(decoding: document, as: UTF8.self)),
      "errors": .array(
        errors.map { ["path": .string($0.finding.path.description), "cell": .optional($0.slot?.key)] }),
      "parts": .object(parts.all.map { .init($0.name, .string($0.markup.text)) }),
    ])
  }

  private func json(_ value: JSONOutput) -> PageAnswer {
    .file(name: "answer.json", contentType: "application/json", text: value.text())
  }

  /// The two versions of a draft that another editor saved meanwhile, field by field.
  private func stale(
    _ theirs: StoredDraft, _ mine: [UInt8], _ form: FormBody, _ context: ScreenContext,
    isIncomplete: Bool = false
  ) -> PageAnswer {
    var view = ConflictView(theirs: theirs, base: Self.text(form["base"]), mine: mine, context: context)
    view.chosen = { form[$0] }
    view.isIncomplete = isIncomplete
    return .page(view.page)
  }

  private static func text(_ field: String?) -> [UInt8]? {
    field.map { Array($0.replacing("\r\n", with: "\n").utf8) }
  }
}

/// A newer request of the same draft came while this one was answered.
private struct Superseded: Error, CustomStringConvertible {
  let description = "a newer request of this draft came; load the page again"
}
