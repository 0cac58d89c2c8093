import Arguments
import Ledger
import Markup
import Pages
import Routing
import Values

/// Views of a page that people saved by name: the query of its address, which can be shared like any other.
///
/// A view is of the person who saved it, by token or proxy. Editors can show theirs to all; viewers whose token is limited to apps
/// see their own alone, because names of views can be about other apps. Those of networks have none.
struct SavedViews {
  private let context: ScreenContext
  private let views: [SavedView]

  /// Letters of a name, and views of a person on one page.
  private static let (mostLetters, mostViews) = (80, 50)

  init(_ context: ScreenContext) throws {
    self.context = context
    views = try context.reader.imported(SavedView.self).filter { view in
      view.path == context.address.path
        && (view.owner == context.viewer.viewOwner || view.isShared && context.viewer.limit.isNone)
    }.sorted { ($0.name, $0.owner.stored) < ($1.name, $1.owner.stored) }
  }

  /// What a view keeps of this address.
  private var query: String {
    context.address.without(["page", "format", "lang"]).query
  }

  // MARK: Markup

  private var current: SavedView? { views.first { $0.query == query } }

  /// Links to the views; nothing where there is none.
  var list: HTML {
    let texts = context.texts
    let links = views.compactMap { view -> HTML? in
      guard let address = PageAddress(local: "\(view.path)?\(view.query)") else { return nil }
      let mark: HTML = view == current ? " aria-current=\"page\"" : ""
      let owner: HTML =
        view.owner == context.viewer.viewOwner
        ? "" : " <span class=\"soft xs\"><bdi>\(view.owner.name)</bdi></span>"
      return "<li><a href=\"\(address.text)\"\(mark)><bdi>\(view.name)</bdi>\(owner)</a></li>"
    }
    guard !links.isEmpty else { return "" }
    return "<nav class=\"views\" aria-label=\"\(texts.viewsTitle)\"><ul>\(links.joined())</ul></nav>\n"
  }

  /// A button that opens the forms: save this view, and delete it where it is a saved one.
  var button: HTML {
    guard context.viewer.limit.networks.isEmpty else { return "" }
    let removal = current.flatMap { mayRemove($0) ? removeForm($0) : nil } ?? ""
    return """
      <details class="pop"><summary class="btn">\(context.texts.viewsSave)</summary><div>\(saveForm)\(removal)</div></details>
      """
  }

  private var saveForm: HTML {
    let texts = context.texts
    // Without a sign-in all have the same name, so that every view is for all.
    let sharing: HTML =
      context.mayEdit && context.isSignedIn
      ? """
      <label class="check"><input type="checkbox" name="shared" value="1"> \(texts.viewsShared)</label>
      """ : ""
    return """
      <form class="stack" method="post" action="\(context.address.text)">\(context.formToken)\
      \(Panel.field("view-name", "view", texts.viewsName, "", more: " required maxlength=\"\(String(Self.mostLetters))\""))\
      \(sharing)<p class="hint">\(texts.viewsHint)</p>\
      <button class="btn small" name="do" value="save">\(texts.viewsSave)</button></form>
      """
  }

  private func removeForm(_ view: SavedView) -> HTML {
    """
    <form method="post" action="\(context.address.text)">\(context.formToken)\
    <input type="hidden" name="view" value="\(.value(view.name))">\
    <input type="hidden" name="owner" value="\(.value(view.owner.stored))">\
    <button class="btn small danger" name="do" value="remove">\(context.texts.viewsRemove(name: "<bdi>\(view.name)</bdi>"))</button></form>
    """
  }

  // MARK: Changes

  private func mayRemove(_ view: SavedView) -> Bool {
    view.owner == context.viewer.viewOwner || context.mayEdit && view.isShared
  }

  /// Saves the address under a name, or removes a view.
  ///
  /// - Throws: ``ParameterError`` for a name that no view can have, or one view too many.
  func answer(_ form: FormBody) throws -> PageAnswer {
    let name = (form["view"] ?? "").split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let store = ReferenceStore(context.changes)
    if form["do"] == "remove" {
      let owner = form["owner"].map(ViewOwner.init) ?? context.viewer.viewOwner
      _ = try store.remove(views.filter { $0.name == name && $0.owner == owner && mayRemove($0) })
      return .redirect(PageAddress(context.address.path))
    }
    guard (1...Self.mostLetters).contains(name.count) else {
      throw ParameterError(
        "view", Sentence("found \(name.count) letters; give a name of 1 to \(Self.mostLetters)."))
    }
    let own = views.filter { $0.owner == context.viewer.viewOwner }
    guard own.count < Self.mostViews || own.contains(where: { $0.name == name }) else {
      throw ParameterError(
        "view", Sentence("found \(own.count) views; remove one before you save another."))
    }
    let isShared = context.mayEdit && (form["shared"] == "1" || !context.isSignedIn)
    try store.put([
      SavedView(
        path: context.address.path, owner: context.viewer.viewOwner, name: name, query: query,
        isShared: isShared)
    ])
    return .redirect(context.address)
  }
}
