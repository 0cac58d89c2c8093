package import Markup
import Values

/// The form above a screen whose fields are parameters of its address; it needs no script.
package struct FilterForm: Sendable {
  package static let environments = ["production", "test", "development", "claimed"]

  private let texts: Texts
  private let address: PageAddress
  private var fields: HTML = ""
  private var names: Set<String> = []

  package init(_ address: PageAddress, _ texts: Texts) {
    self.address = address
    self.texts = texts
  }

  package mutating func day(_ name: String, _ label: HTML, _ value: String) {
    names.insert(name)
    fields += Panel.field("f-\(name)", name, label, value, type: "date")
  }

  package mutating func search(_ name: String, _ label: HTML, _ value: String) {
    names.insert(name)
    fields += Panel.field("f-\(name)", name, label, value, type: "search", more: " size=\"12\"")
  }

  /// Adds a field for a number; empty for the usual one.
  package mutating func number(_ name: String, _ label: HTML, _ value: String) {
    names.insert(name)
    fields += Panel.field("f-\(name)", name, label, value, more: " size=\"6\" inputmode=\"decimal\"")
  }

  /// Adds a choice; an empty value leaves the parameter out.
  package mutating func choice(
    _ name: String, _ label: HTML, _ value: String, _ options: [(value: String, word: HTML)]
  ) {
    names.insert(name)
    fields += Panel.choice("f-\(name)", name, label, value, options)
  }

  /// Adds a choice among all that there is, and what is chosen although there is no such thing.
  ///
  /// - Parameter called: What people call each of them, which also orders them.
  package mutating func choice(
    _ name: String, _ label: HTML, among known: [String], _ chosen: [String],
    called: ((String) -> HTML)? = nil
  ) {
    let all = known + chosen.filter { !known.contains($0) }
    let words = all.map { (value: $0, word: called?($0) ?? "\($0)") }
    let sorted = called == nil ? words : words.sorted { ($0.word.text, $0.value) < ($1.word.text, $1.value) }
    choice(name, label, chosen.joined(separator: ","), [("", texts.filterAll)] + sorted)
  }

  /// Adds the choice of whose keys signed the postbacks.
  package mutating func environment(_ current: String) {
    choice(
      "environment", texts.filterEnvironment, current == "production" ? "" : current,
      Self.environments.map { ($0 == "production" ? "" : $0, "\($0)") })
  }

  /// Adds the choice of how many digits of source identifiers count.
  package mutating func digits(_ current: Int) {
    choice("digits", texts.filterDigits, "\(current)", [("2", "2"), ("3", "3"), ("4", "4")])
  }

  /// Puts what is needed less often behind a button.
  package mutating func more(_ add: (inout Self) -> Void) {
    let row = fields
    fields = ""
    add(&self)
    fields = """
      \(row)<details class="pop"><summary class="btn">\(texts.filterMore)</summary><div class="further">\(fields)</div></details>
      """
  }

  /// Adds links that set a parameter at once, and leave others out.
  package mutating func links(
    _ name: String, _ label: HTML, _ value: String, _ options: [(value: String, word: HTML)],
    without others: Set<String> = []
  ) {
    let links = options.map { option -> HTML in
      let current: HTML = option.value == value ? " aria-current=\"true\"" : ""
      let target = address.without(others).with(name, option.value)
      return "<a href=\"\(target.text)\"\(current)>\(option.word)</a>"
    }
    fields += """
      <div class="field"><span class="label" id="f-\(name)">\(label)</span>\
      <span class="seg" role="group" aria-labelledby="f-\(name)">\(links.joined())</span></div>
      """
  }

  /// Adds the choice of columns behind a button; the parameter has those that are checked, in the order of the form.
  ///
  /// The chosen ones come first, each with links that move it. A link shows its column again, which opens the choice.
  package mutating func columns(
    _ name: String, _ chosen: [String], _ options: [(value: String, word: HTML)]
  ) {
    names.insert(name)
    let shown = chosen.compactMap { value in options.first { $0.value == value } }
    let others = options.filter { !chosen.contains($0.value) }
    let rows = (shown + others).enumerated().map { place, option -> HTML in
      func move(to target: Int, _ mark: HTML, _ word: HTML) -> HTML {
        guard place < shown.count, shown.indices.contains(target) else { return "" }
        var moved = shown.map(\.value)
        moved.swapAt(place, target)
        let link = address.with(name, moved.joined(separator: ",")).at(part: "\(name)-\(option.value)")
        return """
          <a class="btn small" href="\(link.text)"><span aria-hidden="true">\(mark)</span><span class="sr">\(word)</span></a>
          """
      }
      let checked: HTML = place < shown.count ? " checked" : ""
      return """
        <li id="\(name)-\(option.value)"><label class="check"><input type="checkbox" name="\(name)" \
        value="\(.value(option.value))"\(checked)> \(option.word)</label><span>\
        \(move(to: place - 1, "↑", texts.columnsUp(name: option.word)))\
        \(move(to: place + 1, "↓", texts.columnsDown(name: option.word)))</span></li>
        """
    }
    let usual = address.without([name])
    fields += """
      <details class="pop"><summary class="btn">\(texts.filterColumns)</summary><div><ul class="order">\(rows.joined())</ul>\
      <div class="row between"><a href="\(usual.text)">\(texts.columnsUsual)</a>\
      <button class="btn small">\(texts.filterApply)</button></div></div></details>
      """
  }

  /// Adds boxes to check behind a button; the parameter has all that are checked.
  package mutating func boxes(
    _ name: String, _ label: HTML, _ values: Set<String>, _ options: [(value: String, word: HTML)]
  ) {
    names.insert(name)
    let boxes = options.map { option -> HTML in
      let checked: HTML = values.contains(option.value) ? " checked" : ""
      return """
        <label class="check"><input type="checkbox" name="\(name)" value="\(.value(option.value))"\(checked)> \(option.word)</label>
        """
    }
    fields +=
      "<details class=\"pop\"><summary class=\"btn\">\(label)</summary><div>\(boxes.joined())</div></details>"
  }

  /// The form; `summary` is what is set, for narrow screens where the form is closed.
  ///
  /// - Parameter name: What distinguishes it from another such form of the page.
  package func markup(summary: HTML, dropping dropped: Set<String> = [], named name: HTML? = nil) -> HTML {
    let kept = address.without(names.union(dropped)).items.map { item -> HTML in
      "<input type=\"hidden\" name=\"\(item.name)\" value=\"\(.value(item.value))\">"
    }
    return """
      <details class="filters" open><summary class="btn">\(texts.filterTitle) <span class="soft">\(summary)</span></summary>\
      <form class="scope" method="get" action="\(address.path)" aria-label="\(name ?? texts.filterTitle)">\(kept.joined())\(fields)\
      <button class="btn push">\(texts.filterApply)</button></form></details>

      """
  }
}
