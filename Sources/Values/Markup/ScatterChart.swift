import Values

/// Points over a logarithmic axis, each with an interval and a link, for shares against sizes.
package struct ScatterChart: Sendable {
  private struct Point: Sendable {
    let x: Double
    let y: Double
    let low: Double
    let high: Double
    let link: String
    let label: HTML
    let name: String
  }

  private let titles: (x: HTML, y: HTML)
  private var points: [Point] = []
  private var uprights: [Double] = []

  package init(x: HTML, y: HTML) { titles = (x, y) }

  /// Adds a point.
  ///
  /// - Parameters:
  ///   - x: Its place on the logarithmic axis, above 0.
  ///   - y: Its share, 0 to 1.
  ///   - low: The lower end of its interval.
  ///   - high: The upper end.
  ///   - link: Where it leads.
  ///   - label: A sentence for those who cannot see it.
  ///   - name: What is written beside it.
  package mutating func point(
    x: Double, y: Double, low: Double, high: Double, link: String, label: HTML, name: String
  ) {
    guard x > 0 else { return }
    points.append(Point(x: x, y: y, low: low, high: high, link: link, label: label, name: name))
  }

  /// Draws a line from the bottom to the top.
  package mutating func upright(_ x: Double) { if x > 0 { uprights.append(x) } }

  /// Both drawings, of which the style shows one.
  package func markup(label: HTML) -> HTML {
    "<div class=\"plot\">\(drawing(720, 340, "wide", label))\(drawing(340, 280, "narrow", label))</div>"
  }

  private func drawing(_ width: Double, _ height: Double, _ style: String, _ label: HTML) -> HTML {
    let all = points.map(\.x) + uprights
    guard let least = all.min(), let most = all.max() else { return "" }
    let across = Scale(decadesOf: least...max(most, least * 1.01))
    let highest = min(1, max(0.05, (points.map(\.high).max() ?? 1)))
    let up = Scale(0...(highest * 100), count: 4)
    let (left, right, top, bottom) = (44.0, width - 16, 24.0, height - 46)
    func x(_ value: Double) -> Double { left + across.place(value) * (right - left) }
    func y(_ share: Double) -> Double { bottom - up.place(share * 100) * (bottom - top) }
    var body: HTML = "<text class=\"ax\" x=\"2\" y=\"12\">\(titles.y)</text>"
    body +=
      "<text class=\"ax\" x=\"\(at(right))\" y=\"\(at(height - 6))\" text-anchor=\"end\">\(titles.x)</text>"
    for mark in up.marks {
      let line: HTML = mark.value == 0 ? "z" : "g"
      body += """
        <path class="\(line)" d="M\(at(left)) \(at(y(mark.value / 100)))H\(at(right))"/>\
        <text class="ax" x="\(at(left - 6))" y="\(at(y(mark.value / 100) + 4))" text-anchor="end">\(mark.label) %</text>
        """
    }
    for mark in across.marks {
      body += """
        <text class="ax" x="\(at(x(mark.value)))" y="\(at(bottom + 18))" text-anchor="middle">\(mark.label)</text>
        """
    }
    for value in uprights { body += "<path class=\"mark\" d=\"M\(at(x(value))) \(at(top))V\(at(bottom))\"/>" }
    var taken: [(x: Double, y: Double)] = []
    for point in points {
      let (px, py) = (x(point.x), y(point.y))
      var name: HTML = ""
      // A name that would lie on another one is left out; the table has all.
      if !taken.contains(where: { ($0.x - px).magnitude < 48 && ($0.y - py).magnitude < 14 }), px < right - 40
      {
        name = "<text class=\"lab\" x=\"\(at(px + 9))\" y=\"\(at(py + 4))\">\(point.name)</text>"
        taken.append((px, py))
      }
      body += """
        <a class="dot" href="\(point.link)" aria-label="\(point.label)"><rect class="hit" x="\(at(px - 12))" y="\(at(py - 12))" \
        width="24" height="24"/><path class="k1 thin" d="M\(at(px)) \(at(y(point.low)))V\(at(y(point.high)))"/>\
        <circle class="f1 pt" cx="\(at(px))" cy="\(at(py))" r="5"/>\(name)</a>
        """
    }
    return """
      <svg class="\(style)" viewBox="0 0 \(at(width)) \(at(height))" role="group" aria-label="\(label)">\(body)</svg>
      """
  }
}

private func at(_ value: Double) -> String { trimmed(value.isFinite ? value : 0, 1) }
