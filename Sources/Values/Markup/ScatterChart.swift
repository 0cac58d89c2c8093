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

  private static let labelSize = 12.0
  private static let height = 320.0

  /// The drawing; what is written keeps its size at every width.
  package func markup(label: HTML) -> HTML {
    let all = points.map(\.x) + uprights
    guard let least = all.min(), let most = all.max() else { return "" }
    let ends = points.map { $0.range?.upperBound ?? $0.y }
    let up = Scale(0...(max(0.01, bound ?? min(1, max(0.05, ends.max() ?? 1))) * 100), count: 4)
    let across = bound == nil ? Scale(decadesOf: least...max(most, least * 1.01)) : up
    let factor = bound == nil ? 1.0 : 100
    let (top, bottom) = (24.0, Self.height - 46)
    func x(_ value: Double) -> Double { across.place(value * factor) }
    func y(_ share: Double) -> Double { bottom - up.place(share * 100) * (bottom - top) }
    let axis = up.marks.map { mark -> HTML in
      """
      <text class="ax" x="40" y="\(at(y(mark.value / 100) + 4))" text-anchor="end">\(mark.label) %</text>
      """
    }
    var body = up.marks.map { mark -> HTML in
      let place = at(y(mark.value / 100))
      return "<line class=\"\(mark.value == 0 ? "z" : "g")\" x2=\"100%\" y1=\"\(place)\" y2=\"\(place)\"/>"
    }.joined()
    body +=
      "<text class=\"ax\" x=\"100%\" y=\"\(at(Self.height - 6))\" text-anchor=\"end\">\(titles.x)</text>"
    body += names(of: across, bottom, x: { x($0 / factor) })
    if bound != nil { body += "<line class=\"mark\" y1=\"\(at(bottom))\" x2=\"100%\" y2=\"\(at(top))\"/>" }
    for value in uprights {
      body += """
        <line class="mark" x1="\(part(x(value)))" x2="\(part(x(value)))" y1="\(at(bottom))" y2="\(at(top))"/>
        """
    }
    let written = places(of: points.map { (x($0.x), y($0.y)) })
    for (point, name) in zip(points, written) { body += dot(point, name, x(point.x), y) }
    return """
      <div class="plot"><svg width="46" height="\(at(Self.height))" aria-hidden="true">\
      <text class="ax" x="2" y="12">\(titles.y)</text>\(axis.joined())</svg>\
      <svg class="canvas" height="\(at(Self.height))" role="group" aria-label="\(label)">\(body)</svg></div>
      """
  }

  /// The labels of the axis below that have room, at the least width where they have it.
  private func names(of scale: Scale, _ bottom: Double, x: (Double) -> Double) -> HTML {
    var taken: [(place: Double, half: Double, width: PlotWidth)] = []
    return scale.marks.map { mark -> HTML in
      let text = bound == nil ? mark.label : "\(mark.label) %"
      let place = x(mark.value)
      let half = estimatedWidth(text, size: Self.labelSize) / 2
      // A share at the end is written before it, or it would reach beyond the panel.
      let isAtEnd = bound != nil && place > 0.999
      let width = PlotWidth.allCases.first { width in
        taken.allSatisfy { other in
          let distance = (other.place - place).magnitude * width.least - (isAtEnd ? half : 0)
          return other.width.rawValue > width.rawValue || distance >= other.half + half + 6
        }
      }
      guard let width else { return "" }
      taken.append((place, half, width))
      let anchor: HTML = isAtEnd ? "end" : "middle"
      return """
        <text class="ax\(width.style)" x="\(part(place))" y="\(at(bottom + 18))" text-anchor="\(anchor)">\(text)</text>
        """
    }.joined()
  }

  /// A point in a drawing of its own, so that what belongs to it keeps its size and distance.
  private func dot(_ point: Point, _ name: Name?, _ x: Double, _ y: (Double) -> Double) -> HTML {
    let height = y(point.y)
    let range: HTML =
      point.range.map {
        "<path class=\"k1 thin\" d=\"M0 \(at(y($0.lowerBound) - height))V\(at(y($0.upperBound) - height))\"/>"
      } ?? ""
    var text: HTML = ""
    if let name {
      let (place, anchor): (Int, HTML) = name.isLeft ? (-9, " text-anchor=\"end\"") : (9, "")
      text = "<text class=\"lab\(name.width.style)\" x=\"\(place)\" y=\"4\"\(anchor)>\(point.name)</text>"
    }
    let circle: HTML = "\(range)<circle class=\"\(point.isBeyond ? "beyond" : "f1 pt")\" r=\"5\"/>\(text)"
    let place: HTML = "x=\"\(part(x))\" y=\"\(at(height))\" width=\"1\" height=\"1\""
    return point.link.map { link in
      """
      <a class="dot" href="\(link)" aria-label="\(point.label)"><svg \(place)><rect class="hit" x="-12" y="-12" width="24" \
      height="24"/>\(circle)</svg></a>
      """
    } ?? "<g role=\"img\"><title>\(point.label)</title><svg \(place)>\(circle)</svg></g>"
  }

  /// Where a name is written: beside its point, from which width on.
  private struct Name {
    let isLeft: Bool
    let width: PlotWidth
  }

  /// Where each name has room at some width and all larger ones; `nil` for one that would lie on another name or on a
  /// point everywhere, which the table has.
  private func places(of centers: [(x: Double, y: Double)]) -> [Name?] {
    var found = [Name?](repeating: nil, count: points.count)
    func span(_ index: Int, _ isLeft: Bool, _ width: Double) -> ClosedRange<Double> {
      let length = estimatedWidth(points[index].name, size: Self.labelSize)
      let center = centers[index].x * width
      return isLeft ? center - 9 - length...center - 9 : center + 9...center + 9 + length
    }
    func isFree(_ index: Int, _ isLeft: Bool, at width: Double) -> Bool {
      let own = span(index, isLeft, width)
      guard own.lowerBound >= 0, own.upperBound <= width else { return false }
      return points.indices.allSatisfy { other in
        let distance = (centers[other].y - centers[index].y).magnitude
        guard other != index, distance < 14 else { return true }
        let center = centers[other].x * width
        if distance < 10, own.overlaps(center - 6...center + 6) { return false }
        return found[other].map { !span(other, $0.isLeft, width).overlaps(own) } ?? true
      }
    }
    for width in PlotWidth.allCases {
      for index in points.indices where found[index] == nil && !points[index].name.isEmpty {
        for isLeft in [false, true] where width.shown.allSatisfy({ isFree(index, isLeft, at: $0) }) {
          found[index] = Name(isLeft: isLeft, width: width)
          break
        }
      }
    }
    return found
  }
}
