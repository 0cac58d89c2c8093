import JSONText
import Ledger
import Markup
import Pages

/// The form of a draft that two editors changed: what differs, before and on each side, and the choice of one.
struct ConflictView {
  let theirs: StoredDraft
  let base: [UInt8]?
  let mine: [UInt8]
  let context: ScreenContext
  /// What is chosen already, by the names of fields.
  var chosen: (String) -> String? = { _ in nil }
  /// Whether saving was asked for while a choice was missing.
  var isIncomplete = false

  private var texts: Texts { context.texts }

  static func name(_ path: JSONPath) -> String { "pick:\(path)" }

  var page: Page {
    let name: HTML = "<bdi>\(theirs.savedBy)</bdi>"
    let merge = DraftMerge(base: base, theirs: theirs.document, mine: mine)
    let save: HTML =
      merge == nil
      ? "" : "<button class=\"btn primary\" name=\"do\" value=\"merge\">\(texts.conflictSave)</button>"
    return Page(
      texts.editorStaleTitle(name: name), scope: texts.editorStaleReason, status: 409,
      body: """
        <form class="stack" method="post" action="\(context.address.text)">\(context.formToken)\
        <input type="hidden" name="etag" value="\(theirs.etag)">\(texts(merge))\(merge.map { fields($0) } ?? both)\
        <div class="row">\(save)\
        <button class="btn" name="do" value="copy" formnovalidate>\(texts.editorNewDraft)</button>\
        <button class="btn" name="do" value="save" formnovalidate>\(texts.editorKeepMine)</button>\
        <a class="btn" href="\(context.address.text)">\(texts.editorKeepTheirs)</a></div></form>
        """)
  }

  /// The texts that the choice is made between, which go along with the form.
  private func texts(_ merge: DraftMerge?) -> HTML {
    guard merge != nil else { return "" }
    let base: HTML =
      base.map {
        "<input type=\"hidden\" name=\"base\" value=\"\(.value(String(decoding: $0, as: UTF8.self)))\">"
      } ?? ""
    return """
      \(base)<input type="hidden" name="document" value="\(.value(String(decoding: mine, as: UTF8.self)))">
      """
  }

  /// Where the texts cannot be compared by field.
  private var both: HTML {
    """
    <div class="two">\
    \(MappingMarks.readOnlyText("theirs", texts.editorTheirs(name: "<bdi>\(theirs.savedBy)</bdi>"), theirs.document))\
    <div class="field"><label for="mine">\(texts.editorYours)</label>\
    <textarea id="mine" name="document" rows="16" spellcheck="false">\n\(.value(String(decoding: mine, as: UTF8.self)))</textarea></div></div>
    """
  }

  private func fields(_ merge: DraftMerge) -> HTML {
    let open = merge.differences.filter { side($0) == nil }
    let links = open.map { difference -> HTML in
      "<a href=\"#\(.value(Self.name(difference.path)))\"><bdi>\(words(difference.path))</bdi></a>"
    }
    let list = links.enumerated().map { index, link -> HTML in index == 0 ? link : ", \(link)" }.joined()
    let banner: HTML =
      open.isEmpty
      ? ""
      : Panel.banner("\(texts.conflictChoose(count: open.count)) \(list)", isIncomplete ? .error : .warning)
    let rows = merge.differences.map { row($0) }
    return """
      \(banner)<section class="panel" aria-labelledby="h-differences"><header>\
      <h2 id="h-differences">\(texts.conflictDifferences)</h2></header><div class="flush"><div class="scroll">\
      <table class="merge"><caption class="sr">\(texts.conflictDifferences)</caption><thead><tr>\
      <th scope="col">\(texts.conflictField)</th>\
      <th scope="col">\(texts.editorTheirs(name: "<bdi>\(theirs.savedBy)</bdi>"))</th>\
      <th scope="col">\(texts.editorYours)</th><th scope="col">\(texts.conflictBefore)</th></tr></thead>\
      <tbody>\(rows.joined())</tbody></table></div></div></section>
      """
  }

  private func side(_ difference: DraftMerge.Difference) -> DraftMerge.Side? {
    chosen(Self.name(difference.path)).flatMap { DraftMerge.Side(rawValue: $0) } ?? difference.changed
  }

  private func row(_ difference: DraftMerge.Difference) -> HTML {
    let name = Self.name(difference.path)
    let place = words(difference.path)
    let side = side(difference)
    func choice(_ value: JSONOutput?, _ own: DraftMerge.Side) -> HTML {
      let checked: HTML = side == own ? " checked" : ""
      let id: HTML = own == .theirs ? " id=\"\(.value(name))\"" : ""
      return """
        <td><label class="pick"><input type="radio" name="\(.value(name))" value="\(own.rawValue)"\(id)\(checked) required>\
        \(shown(value))</label></td>
        """
    }
    let style: HTML = difference.changed == nil ? " class=\"both\"" : ""
    return """
      <tr\(style)><th scope="row"><bdi>\(place)</bdi></th>\(choice(difference.theirs, .theirs))\
      \(choice(difference.mine, .mine))<td>\(shown(difference.before))</td></tr>
      """
  }

  private func shown(_ value: JSONOutput?) -> HTML {
    guard let value else { return "<span class=\"soft\">\(texts.conflictNone)</span>" }
    let text: String =
      switch value {
      case .string(let text): text
      default: value.text()
      }
    let short = String(text.unicodeScalars.prefix(300))
    return "<bdi>\(short)\(short == text ? "" : "…")</bdi>"
  }

  /// A place as people call it: `Value 12, label`.
  private func words(_ path: JSONPath) -> String {
    var names: [String] = []
    let roots = [mine, theirs.document].compactMap { try? JSONReader.read($0) }
    var place = JSONPath.root
    for (index, step) in path.steps.enumerated() {
      switch step {
      // A whole rule is known by its number.
      case .member(let number) where index == 1 && path.steps[0] == .member("fine"):
        names.append("\(texts.mappingsValue.text) \(number)")
      case .member(let number) where index == 1 && path.steps[0] == .member("coarse"):
        names.append("\(texts.mappingsWindow.text) \(number)")
      case .member(let number) where index == 1 && path.steps[0] == .member("grids"):
        names.append("\(texts.editorRanges.text) \(number)–")
      case .member(let name):
        place = place.member(name)
        if index > 0 || path.steps.count == 1 { names.append(name) }
      case .element(let number):
        place = place.element(number)
        let rule = roots.lazy.compactMap { $0.value(at: place) }.first
        func part(_ name: String) -> String? { rule?[name]?.plainText }
        switch path.steps.first {
        case .member("fine") where index == 1:
          names.append("\(texts.mappingsValue.text) \(part("value") ?? "")")
        case .member("coarse") where index == 1:
          names.append("\(texts.mappingsWindow.text) \(part("window") ?? "")")
        case .member("grids") where index == 1:
          names.append("\(texts.editorRanges.text) \(part("first-value") ?? "")–")
        default: names.append("\(number + 1)")
        }
      }
    }
    return names.joined(separator: ", ")
  }
}
