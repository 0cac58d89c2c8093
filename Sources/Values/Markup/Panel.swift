/// Parts that pages are put together from.
package enum Panel {
  /// A section with a heading; `flush` for tables and lists, which reach its edges.
  package static func section(
    _ id: String, _ heading: HTML, note: HTML = "", link: HTML = "", flush isFlush: Bool = false,
    _ content: HTML
  ) -> HTML {
    let note: HTML = note.text.isEmpty ? "" : "<p>\(note)</p>"
    return """
      <section class="panel" aria-labelledby="h-\(id)"><header><h2 id="h-\(id)">\(heading)</h2>\(link)\(note)</header>\
      <div class="\(isFlush ? "flush" : "in")">\(content)</div></section>

      """
  }

  /// What is shown where there is nothing: why, and what may help.
  package static func empty(_ heading: HTML, _ reason: HTML, _ action: HTML = "") -> HTML {
    "<section class=\"panel empty\"><h2>\(heading)</h2><p>\(reason)</p>\(action)</section>"
  }

  /// Notes of a report below its table.
  package static func notes(_ notes: [HTML]) -> HTML {
    guard !notes.isEmpty else { return "" }
    let notes = notes.map { note -> HTML in "<p class=\"note\">\(note)</p>" }
    return "<div class=\"notes\">\(notes.joined())</div>"
  }

  /// Names, each with its text.
  package static func list(_ entries: [(name: HTML, text: HTML)]) -> HTML {
    let lines = entries.map { entry -> HTML in "<dt>\(entry.name)</dt><dd>\(entry.text)</dd>" }
    return "<dl class=\"kv\">\(lines.joined())</dl>"
  }

  /// Large figures in a row, each of them a ``figure(_:_:_:)``.
  package static func figures(_ figures: [HTML], label: HTML = "") -> HTML {
    let style: HTML =
      switch figures.count {
      case ...2: "pair"
      case 3: "three"
      case 5: "five"
      default: "four"
      }
    let name: HTML = label.text.isEmpty ? "" : " aria-label=\"\(label)\""
    return "<dl class=\"figs \(style)\"\(name)>\(figures.joined())</dl>\n"
  }

  /// A large figure with its title; `notes` are small lines below it.
  package static func figure(_ title: HTML, _ value: HTML, _ notes: HTML..., more: HTML = "") -> HTML {
    let notes = notes.filter { !$0.text.isEmpty }.map { note -> HTML in "<dd class=\"s\">\(note)</dd>" }
    return """
      <div class="fig"><dt>\(title)</dt><dd class="v">\(value)</dd>\(notes.joined())\(more)</div>
      """
  }

  /// A field of a form with its label.
  package static func field(
    _ id: String, _ name: String, _ label: HTML, _ value: String, type: HTML = "text", more: HTML = ""
  ) -> HTML {
    // What people write has its own direction.
    let direction: HTML = ["text", "search"].contains(type.text) ? " dir=\"auto\"" : ""
    return """
      <div class="field"><label for="\(id)">\(label)</label>\
      <input id="\(id)" name="\(name)" type="\(type)" value="\(.value(value))"\(direction)\(more)></div>
      """
  }

  package static func choice(
    _ id: String, _ name: String, _ label: HTML, _ value: String, _ options: [(value: String, word: HTML)]
  ) -> HTML {
    let list = options.map { option -> HTML in
      let selected: HTML = option.value == value ? " selected" : ""
      return "<option value=\"\(.value(option.value))\"\(selected)>\(option.word)</option>"
    }
    return """
      <div class="field"><label for="\(id)">\(label)</label><select id="\(id)" name="\(name)">\(list.joined())</select></div>
      """
  }

  /// What the parts of a drawing stand for.
  package static func legend(_ entries: [(sample: LegendSample, word: HTML)], style: HTML = "legend") -> HTML
  {
    let items = entries.map { entry -> HTML in "<li>\(entry.sample.markup)\(entry.word)</li>" }
    return "<ul class=\"\(style)\">\(items.joined())</ul>"
  }

  /// A message at the top of a page.
  package static func banner(_ message: HTML, _ kind: BannerKind = .error) -> HTML {
    let (style, role): (HTML, HTML) =
      switch kind {
      case .error: (" bad", " role=\"alert\"")
      case .bad: (" bad", "")
      case .warning: (" warn", "")
      case .done: (" info", " role=\"status\"")
      case .note: ("", " role=\"status\"")
      }
    return "<div class=\"banner\(style)\"\(role)><div><p>\(message)</p></div></div>"
  }

  package enum BannerKind: Sendable {
    /// The last action failed, which is announced at once.
    case error
    case bad, warning, done, note
  }
}

/// What is drawn in a legend before a word.
package enum LegendSample: Sendable {
  case bar(String)
  case line(String)
  /// A line in a band, such as an estimate with its interval.
  case band(String, line: String)

  fileprivate var markup: HTML {
    switch self {
    case .bar(let style):
      "<svg viewBox=\"0 0 22 12\" aria-hidden=\"true\"><rect class=\"\(style)\" x=\"3\" width=\"16\" height=\"12\"/></svg>"
    case .line(let style):
      "<svg viewBox=\"0 0 22 12\" aria-hidden=\"true\"><path class=\"\(style)\" d=\"M0 6H22\"/></svg>"
    case .band(let band, let line):
      "<svg viewBox=\"0 0 22 12\" aria-hidden=\"true\"><rect class=\"band \(band)\" width=\"22\" height=\"12\"/><path class=\"\(line)\" d=\"M0 6H22\"/></svg>"
    }
  }
}
