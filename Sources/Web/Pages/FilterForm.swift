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
  package mutating func choice(_ name: String, _ label: HTML, among known: [String], _ chosen: [String]) {
    let all = known + chosen.filter { !known.contains($0) }
    choice(
      name, label, chosen.joined(separator: ","), [("", texts.filterAll)] + all.map { ($0, "\($0)") })
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
  package func markup(summary: HTML, dropping dropped: Set<String> = []) -> HTML {
    let kept = address.without(names.union(dropped)).items.map { item -> HTML in
      "<input type=\"hidden\" name=\"\(item.name)\" value=\"\(.value(item.value))\">"
    }
    return """
      <details class="filters" open><summary class="btn">\(texts.filterTitle) <span class="soft">\(summary)</span></summary>\
      <form class="scope" method="get" action="\(address.path)" aria-label="\(texts.filterTitle)">\(kept.joined())\(fields)\
      <button class="btn push">\(texts.filterApply)</button></form></details>

      """
  }
}
