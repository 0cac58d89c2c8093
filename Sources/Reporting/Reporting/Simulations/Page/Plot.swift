import Markup

/// A drawing with two axes.
struct Plot: Sendable {
  private static let labelSize = 12.0

  private(set) var drawing: SVG
  /// The axis below.
  let x: Scale
  /// The axis at the left.
  let y: Scale
  private let left: Double
  private let right: Double
  private let top = 30.0
  /// Where labels of points lie.
  private var labels: [(left: Double, right: Double, y: Double)] = []
  private let bottom: Double

  /// Draws the axes with their grid.
  ///
  /// - Parameters:
  ///   - width: The width of the drawing; 340 for phones.
  ///   - x: The axis below.
  ///   - y: The axis at the left.
  ///   - titles: What the axes count, with the unit.
  init(width: Double, height: Double, x: Scale, y: Scale, titles: (x: String, y: String)) {
    self.x = x
    self.y = y
    drawing = SVG(width: width, height: height)
    let widest = y.marks.map { estimatedWidth($0.label, size: Self.labelSize) }.max() ?? 0
    left = widest + 12
    let last = x.marks.last.map { estimatedWidth($0.label, size: Self.labelSize) / 2 } ?? 0
    right = width - max(12, last + 2)
    bottom = height - 44
    drawing.text(fitted(titles.y, width: width - 4, size: Self.labelSize), x: 2, y: 14, style: "axis")
    drawing.text(
      fitted(titles.x, width: width - 4, size: Self.labelSize), x: width - 2, y: height - 6, style: "axis",
      anchor: .end)
    for mark in y.marks {
      let (_, at) = place(x.low, mark.value)
      drawing.line(x1: left, y1: at, x2: right, y2: at, style: "grid")
      drawing.text(mark.label, x: left - 6, y: at + 4, style: "tick", anchor: .end)
    }
    var free = 0.0
    for mark in x.marks {
      let (at, _) = place(mark.value, y.low)
      drawing.line(x1: at, y1: bottom, x2: at, y2: bottom + 5, style: "grid")
      let half = estimatedWidth(mark.label, size: Self.labelSize) / 2
      // A label that would touch its neighbour is left out; its mark stays.
      guard at - half >= free else { continue }
      drawing.text(mark.label, x: at, y: bottom + 18, style: "tick", anchor: .middle)
      free = at + half + 6
    }
  }

  /// Where a pair of numbers lies in the drawing.
  func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (left + self.x.place(x) * (right - left), bottom - self.y.place(y) * (bottom - top))
  }

  /// Joins points by straight lines.
  mutating func line(_ points: [(x: Double, y: Double)], style: String) {
    drawing.path(points.map { place($0.x, $0.y) }, style: style)
  }

  mutating func point(_ x: Double, _ y: Double, style: String, title: String) {
    let at = place(x, y)
    drawing.circle(x: at.x, y: at.y, radius: 5, style: style, title: title)
  }

  /// Draws a point that lies beyond an axis as a ring at its end, with its value where there is room.
  mutating func beyond(_ x: Double, _ y: Double, label: String, title: String) {
    let at = place(x, y)
    drawing.circle(x: at.x, y: at.y, radius: 5, style: "beyond", title: title)
    let length = estimatedWidth(label, size: 13)
    let start = at.x + 9 + length <= right ? at.x + 9 : at.x - 9 - length
    let isFree = labels.allSatisfy { other in
      start > other.right || start + length < other.left || (at.y - other.y).magnitude > 16
    }
    guard isFree else { return }
    labels.append((start, start + length, at.y))
    drawing.text(label, x: start, y: at.y + 4)
  }

  /// Draws a line from the bottom to the top.
  mutating func upright(_ x: Double, style: String) {
    let at = place(x, y.low).x
    drawing.line(x1: at, y1: top, x2: at, y2: bottom, style: style)
  }
}

/// Both forms of a figure: one for wide screens and paper, one for phones; the style shows one of them.
func bothWidths(label: String, _ draw: (_ width: Double) -> SVG) -> HTML {
  "\(draw(760).markup(label: label, style: "wide"))\(draw(340).markup(label: label, style: "narrow"))"
}

/// What the colours of a figure stand for: a style and a word for each.
func legend(_ entries: [(style: String, word: String)]) -> HTML {
  let items = entries.map { entry -> HTML in
    "<span><i class=\"\(entry.style)\"></i>\(entry.word)</span>"
  }
  return "<p class=\"legend\">\(items.joined())</p>\n"
}

/// A figure with its heading, what it shows and what it is drawn with.
func figure(_ heading: String, _ explanation: String, _ content: HTML) -> HTML {
  "<section><h2>\(heading)</h2>\n<p>\(.prose(explanation))</p>\n\(content)</section>\n"
}
