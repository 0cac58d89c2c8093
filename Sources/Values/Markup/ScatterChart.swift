import Values

/// Points over a logarithmic axis, each with an interval and a link, for shares against sizes; or shares against shares.
package struct ScatterChart: Sendable {
  private struct Point: Sendable {
    let x: Double
    let y: Double
    let range: ClosedRange<Double>?
    let link: String?
    let isBeyond: Bool
    let label: HTML
    let name: String
  }

  private let titles: (x: HTML, y: HTML)
  private let bound: Double?
  private var points: [Point] = []
  private var uprights: [Double] = []

  /// - Parameter bound: Where both axes end if both are of shares; `nil` for sizes on a logarithmic axis.
  package init(x: HTML, y: HTML, sharesUpTo bound: Double? = nil) {
    titles = (x, y)
    self.bound = bound
  }

  /// Adds a point; one on a logarithmic axis has to be above 0.
  ///
  /// - Parameters:
  ///   - range: The interval of its share.
  ///   - isBeyond: Whether it is a ring at the end of the axes.
  ///   - label: A sentence for those who cannot see it.
  ///   - name: What is written beside it.
  package mutating func point(
    x: Double, y: Double, range: ClosedRange<Double>? = nil, link: String? = nil, isBeyond: Bool = false,
    label: HTML, name: String = ""
  ) {
    guard x > 0 || bound != nil else { return }
    points.append(
      Point(x: x, y: y, range: range, link: link, isBeyond: isBeyond, label: label, name: name))
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
    let ends = points.map { $0.range?.upperBound ?? $0.y }
    let up = Scale(0...(max(0.01, bound ?? min(1, max(0.05, ends.max() ?? 1))) * 100), count: 4)
    let across = bound == nil ? Scale(decadesOf: least...max(most, least * 1.01)) : up
    let factor = bound == nil ? 1.0 : 100
    let last = bound == nil ? 0 : estimatedWidth("\(up.marks.last?.label ?? "") %", size: 11.5) / 2
    let (left, right, top, bottom) = (44.0, width - max(16, last + 4), 24.0, height - 46)
    func x(_ value: Double) -> Double { left + across.place(value * factor) * (right - left) }
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
    var free = 0.0
    for mark in across.marks {
      let (place, label) = (x(mark.value / factor), bound == nil ? mark.label : "\(mark.label) %")
      let half = estimatedWidth(label, size: 11.5) / 2
      // A label that would touch its neighbour is left out.
      guard place - half >= free else { continue }
      free = place + half + 6
      body += """
        <text class="ax" x="\(at(place))" y="\(at(bottom + 18))" text-anchor="middle">\(label)</text>
        """
    }
    if bound != nil {
      body += "<path class=\"mark\" d=\"M\(at(left)) \(at(bottom))L\(at(right)) \(at(top))\"/>"
    }
    for value in uprights { body += "<path class=\"mark\" d=\"M\(at(x(value))) \(at(top))V\(at(bottom))\"/>" }
    var taken: [(x: Double, y: Double)] = []
    for point in points {
      let (px, py) = (x(point.x), y(point.y))
      var name: HTML = ""
      let isLeft = px >= right - 40
      // A name that would lie on another one is left out; the table has all.
      if !point.name.isEmpty, !isLeft || point.isBeyond,
        !taken.contains(where: { ($0.x - px).magnitude < 48 && ($0.y - py).magnitude < 14 })
      {
        let (place, anchor): (Double, HTML) = isLeft ? (px - 9, " text-anchor=\"end\"") : (px + 9, "")
        name = "<text class=\"lab\" x=\"\(at(place))\" y=\"\(at(py + 4))\"\(anchor)>\(point.name)</text>"
        taken.append((px, py))
      }
      let range: HTML =
        point.range.map {
          "<path class=\"k1 thin\" d=\"M\(at(px)) \(at(y($0.lowerBound)))V\(at(y($0.upperBound)))\"/>"
        }
        ?? ""
      let circle: HTML = """
        \(range)<circle class="\(point.isBeyond ? "beyond" : "f1 pt")" cx="\(at(px))" cy="\(at(py))" r="5"/>\(name)
        """
      body +=
        point.link.map { link in
          """
          <a class="dot" href="\(link)" aria-label="\(point.label)"><rect class="hit" x="\(at(px - 12))" y="\(at(py - 12))" \
          width="24" height="24"/>\(circle)</a>
          """
        } ?? "<g role=\"img\"><title>\(point.label)</title>\(circle)</g>"
    }
    return """
      <svg class="\(style)" viewBox="0 0 \(at(width)) \(at(height))" role="group" aria-label="\(label)">\(body)</svg>
      """
  }
}
