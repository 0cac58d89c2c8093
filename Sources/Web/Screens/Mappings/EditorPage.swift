import Ledger
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// The page of the mapping editor around the parts that follow from a draft.
struct EditorPage {
  let draft: StoredDraft
  let parts: EditorParts
  let view: EditorScreen.View
  let trial: TrialChoice
  let context: ScreenContext

  private var texts: Texts { context.texts }

  var page: Page {
    let readOnly: HTML = context.mayEdit ? "" : Panel.banner(texts.editorReadOnly, .note)
    let body: HTML = """
      \(readOnly)\(signIn)<div class="answer" id="part-strip">\(parts.strip)</div>\(filters)\(users)
      <div class="build"><div class="left">\(source)</div><div class="stack right">\
      \(Panel.section("map", texts.editorMap, "<div id=\"part-map\">\(parts.map)</div>"))\
      \(Panel.section("proposal", texts.proposalTitle, "<div id=\"part-proposal\" class=\"stack\" data-address=\"\(proposalAddress)\">\(parts.proposal?.markup ?? "")</div>"))\
      \(Panel.section("findings", texts.editorFindings, flush: true, "<div id=\"part-findings\">\(parts.findings)</div>"))\
      <section class="panel" aria-labelledby="h-result" id="live" aria-busy="false"><header>\
      <h2 id="h-result">\(texts.editorResult)</h2><span class="badge info busy">\(texts.editorComputing)</span></header>\
      <p class="in s" id="shown" hidden>\(texts.editorShown)</p>\
      <div class="in stack" id="part-result">\(parts.result)</div></section>\
      \(Panel.section("schedule", texts.editorSchedule, "<div id=\"part-schedule\">\(parts.schedule)</div>"))\
      </div></div>
      """
    return Page(
      "<bdi>\(draft.name)</bdi>", scope: stateLine, actions: actions,
      scripts: [.mapScript] + (context.mayEdit ? [.editorScript] : []), isWide: true, body: body)
  }

  /// What a script looks at while the search runs.
  private var proposalAddress: String { ProposalScreen.address(of: draft.id, trial).text }

  private var actions: HTML {
    guard context.mayEdit else { return "" }
    let publish = PageAddress(
      PublishScreen.path, [("draft", "\(draft.id)")] + trial.items)
    let disabled: HTML = parts.answer.errors > 0 ? " aria-disabled=\"true\"" : " href=\"\(publish.text)\""
    return """
      <button class="btn small" type="button" id="undo" hidden>\(texts.editorUndo)</button>\
      <button class="btn small" type="button" id="redo" hidden>\(texts.editorRedo)</button>\
      <a class="btn primary" id="publish" data-href="\(publish.text)"\(disabled)>\(texts.editorPublish)</a>
      """
  }

  private var stateLine: HTML {
    let based: HTML =
      draft.baseFrom.map {
        "<span>\(texts.editorBased(date: Marks.day($0.day, hasYear: true)))</span>"
      } ?? ""
    return """
      <span class="stateline"><a href="\(VersionsScreen.path)?app=\("\(draft.app.number)" as String)">\(texts.mappingsTitle)</a>\
      <span class="badge info">\(texts.mappingsDraft)</span>\(based)\
      <span id="saved" role="status" data-saved="\(texts.editorSaved)" data-saving="\(texts.editorSaving)" \
      data-unsaved="\(texts.editorUnsaved)" data-lost="\(texts.editorLost)" data-signed-out="\(texts.editorSignedOut)" \
      data-not-accepted="\(texts.editorNotAccepted)" data-nothing="\(texts.editorNothing)">\
      \(texts.mappingsSaved(time: Marks.moment(draft.savedAt), name: "<bdi>\(draft.savedBy)</bdi>"))</span>\
      <span class="sr" id="heard" role="status"></span></span>
      """
  }

  /// What a script shows where the session has ended: the page and what was typed stay.
  private var signIn: HTML {
    guard context.mayEdit else { return "" }
    return """
      <form class="row" id="signed-out" method="post" action="/sign-in" data-failed="\(texts.signInRejected)" data-too-many="\(texts.signInLater)" hidden>\
      <div class="field"><label for="again">\(texts.signInToken)</label><input id="again" name="token" type="password" \
      autocomplete="current-password" autocapitalize="none" spellcheck="false" required></div>\
      <button class="btn small">\(texts.signInButton)</button><span class="s" role="status"></span>\
      <p class="hint">\(texts.editorSignIn)</p></form>
      """
  }

  private var filters: HTML {
    var form = FilterForm(context.address, texts)
    trial.add(to: &form, parts.basis, context)
    form.links(
      "view", texts.editorView, view.rawValue, [("form", texts.editorForm), ("json", texts.editorJson)])
    return form.markup(summary: "\(trial.sample ?? "")")
  }

  /// Where an editor adds the app's users, with no need of an operator.
  private var users: HTML {
    guard context.mayEdit else { return "" }
    return """
      <details class="more" id="users"><summary>\(texts.editorImportUsers)</summary>\
      <form class="row" method="post" action="\(context.address.text)" enctype="multipart/form-data">\(context.formToken)\
      <div class="field"><label for="u-file">\(texts.dataFile)</label><input type="file" id="u-file" name="file" required></div>\
      <button class="btn" name="do" value="users">\(texts.editorImportUsersButton)</button>\
      <p class="hint">\(texts.editorImportUsersHint)</p></form></details>
      """
  }

  /// The draft as fields, or as text.
  ///
  /// Fields go with the text that they were made of: put into another one's text, they would mix with its edits.
  private var source: HTML {
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
    let buttons: HTML =
      isLocked
      ? ""
      : """
      <div class="row"><button class="btn" name="do" value="save">\(texts.editorSave)</button>\
      <button class="btn small" name="do" value="discard">\(texts.mappingsDiscard)</button></div>
      """
    // The first button of a form is what Enter in a field presses.
    let first: HTML =
      isLocked
      ? "" : "<button class=\"sr\" name=\"do\" value=\"save\" tabindex=\"-1\" aria-hidden=\"true\"></button>"
    return Panel.section(
      "source", texts.editorMapping,
      """
      <form class="stack" id="draft" method="post" action="\(context.address.text)">\(first)\(context.formToken)\
      <input type="hidden" name="etag" value="\(draft.etag)">\
      <input type="hidden" name="base" value="\(isLocked ? "" : .value(text))">\(isLocked ? "" : start)\(content)\(buttons)</form>
      """)
  }

  /// Ready-made mappings: each takes the place of the draft's text.
  private var start: HTML {
    let isNew = parts.answer.mapping.map { $0.fine.count <= 1 } ?? false
    return """
      <details class="more" id="start"\(isNew ? " open" : "")><summary>\(texts.editorStart)</summary><div class="stack">\
      \(ModelChoice.markup(texts))<div class="row"><button class="btn small" \(EditorStep.attributes("model"))>\(texts.editorUseModel)</button></div>\
      <p class="hint">\(texts.editorModelHint)</p></div></details>
      """
  }
}
