import Values

/// A drawing of a fixed size, whose elements take their looks from the page's style by class.
package struct SVG: Sendable {
  /// Where a text lies relative to its place.
  package enum Anchor: String, Sendable { case start, middle, end }

  /// The width, in the units that everything is placed in.
  package let width: Double
  package let height: Double
  private var body: HTML = ""

  /// Makes an empty drawing.
  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The element, with a name for those who can't see it.
  package func markup(label: String, style: String = "") -> HTML {
    """
    <svg class="\(style)" viewBox="0 0 \(place(width)) \(place(height))" role="img" \
    aria-label="\(label)">\(body)</svg>\n
    """
  }

  /// Draws a rectangle; a negative size counts as 0.
  package mutating func rect(
    x: Double, y: Double, width: Double, height: Double, style: String, radius: Double = 0,
    title: String? = nil
  ) {
    element(
      """
      <rect x="\(place(x))" y="\(place(y))" width="\(place(max(0, width)))" \
      height="\(place(max(0, height)))" rx="\(place(radius))" class="\(style)"
      """, "rect", title)
  }

  package mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, style: String) {
    element(
      """
      <line x1="\(place(x1))" y1="\(place(y1))" x2="\(place(x2))" y2="\(place(y2))" class="\(style)"
      """, "line", nil)
  }

  package mutating func circle(x: Double, y: Double, radius: Double, style: String, title: String? = nil) {
    element(
      """
      <circle cx="\(place(x))" cy="\(place(y))" r="\(place(radius))" class="\(style)"
      """, "circle", title)
  }

  /// Draws straight lines from point to point.
  package mutating func path(_ points: [(x: Double, y: Double)], style: String) {
    let list = points.map { "\(place($0.x)),\(place($0.y))" }.joined(separator: " ")
    element(
      """
      <polyline points="\(list)" class="\(style)"
      """, "polyline", nil)
  }

  /// Writes a text whose baseline lies at `y`.
  package mutating func text(
    _ text: String, x: Double, y: Double, style: String = "", anchor: Anchor = .start
  ) {
    body += """
      <text x="\(place(x))" y="\(place(y))" text-anchor="\(anchor.rawValue)" class="\(style)">\(text)</text>
      """
  }

  /// Opens a group, whose title is shown for all that is drawn until it is closed.
  package mutating func open(title: String) { body += "<g><title>\(title)</title>" }

  /// Closes the group opened last.
  package mutating func close() { body += "</g>\n" }

  private mutating func element(_ start: HTML, _ name: String, _ title: String?) {
    if let title {
      body += "\(start)><title>\(title)</title></\(name)>\n"
    } else {
      body += "\(start)/>\n"
    }
  }

  private func place(_ value: Double) -> String { trimmed(value.isFinite ? value : 0, 1) }
}

/// Returns about how wide a text is, rather more than less, because the reader's font is not known.
package func estimatedWidth(_ text: String, size: Double) -> Double {
  text.unicodeScalars.reduce(0) { width, scalar in
    switch scalar {
    case "i", "j", "l", "t", "f", "r", "I", ".", ",", " ", "-", "(", ")", "'": width + 0.45 * size
    case "m", "w", "M", "W", "%", "@", "&": width + size
    case "A"..."Z": width + 0.8 * size
    default: width + (scalar.isASCII ? 0.66 : 1.1) * size
    }
  }
}

/// Returns a text that is cut with an ellipsis where it would be wider.
package func fitted(_ text: String, width: Double, size: Double) -> String {
  guard estimatedWidth(text, size: size) > width else { return text }
  var short = text
  while !short.isEmpty, estimatedWidth(short + "…", size: size) > width { short.removeLast() }
  return short + "…"
}
