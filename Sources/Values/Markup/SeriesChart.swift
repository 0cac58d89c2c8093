import Values

/// A chart over a row of places such as days: bars, lines, bands, and what is still to come.
///
/// It is drawn twice, for wide screens and for phones; the style shows one of them. Colours are classes of the stylesheet.
package struct SeriesChart: Sendable {
  /// A value for each place; `nil` leaves the place free.
  private struct Series: Sendable {
    let values: [Double?]
    let style: String
  }

  private let labels: [String]
  private let least: Double
  private let most: Double
  private var bars: [Series] = []
  private var lines: [Series] = []
  private var bands: [(range: ClosedRange<Int>, style: String)] = []
  private var areas: [(low: [Double?], high: [Double?], style: String)] = []

  /// Begins a chart.
  ///
  /// - Parameters:
  ///   - labels: What is written below the places; some are left out where there is no room.
  ///   - least: The smallest value where it is below 0.
  ///   - most: The largest value.
  package init(_ labels: [String], least: Double = 0, most: Double) {
    self.labels = labels
    self.least = min(0, least)
    self.most = most
  }

  /// Adds a bar at each place; later ones lie before earlier ones.
  package mutating func bars(_ values: [Double?], style: String = "f1") {
    bars.append(Series(values: values, style: style))
  }

  /// Adds a line through the places.
  package mutating func line(_ values: [Double?], style: String) {
    lines.append(Series(values: values, style: style))
  }

  /// Marks some places from the bottom to the top.
  package mutating func band(_ range: ClosedRange<Int>, style: String) { bands.append((range, style)) }

  /// Fills what lies between two lines.
  package mutating func area(_ low: [Double?], _ high: [Double?], style: String) {
    areas.append((low, high, style))
  }

  /// Both drawings with a sentence for those who cannot see them.
  package func markup(label: HTML) -> HTML {
    "<div class=\"plot\">\(drawing(720, 250, "wide", label))\(drawing(340, 220, "narrow", label))</div>"
  }

  private func drawing(_ width: Double, _ height: Double, _ style: String, _ label: HTML) -> HTML {
    // Counts need a scale of at least one; differences around 0 can be small.
    let scale = Scale(least...max(most, least < 0 ? 0 : 1), count: 4, label: { Self.label($0) })
    let widest = scale.marks.map { estimatedWidth($0.label, size: 11.5) }.max() ?? 0
    let (left, right, top, bottom) = (widest + 10, width - 8, 14.0, height - 30)
    let step = (right - left) / Double(max(1, labels.count))
    func x(_ index: Int) -> Double { left + (Double(index) + 0.5) * step }
    func y(_ value: Double) -> Double { bottom - scale.place(value) * (bottom - top) }
    var body: HTML = ""
    for band in bands {
      let start = x(band.range.lowerBound) - step / 2
      body += """
        <rect class="\(band.style)" x="\(at(start))" y="\(at(top))" width="\(at(step * Double(band.range.count)))" \
        height="\(at(bottom - top))"/>
        """
    }
    for mark in scale.marks {
      let line: HTML = mark.value == 0 ? "z" : "g"
      body += """
        <path class="\(line)" d="M\(at(left)) \(at(y(mark.value)))H\(at(right))"/>\
        <text class="ax" x="\(at(left - 6))" y="\(at(y(mark.value) + 4))" text-anchor="end">\(mark.label)</text>
        """
    }
    for area in areas { body += Self.area(area.low, area.high, area.style, x, y) }
    for series in bars {
      for (index, value) in series.values.enumerated() {
        guard let value else { continue }
        body += """
          <rect class="\(series.style)" x="\(at(x(index) - step * 0.36))" y="\(at(y(value)))" width="\(at(step * 0.72))" \
          height="\(at(max(0, bottom - y(value))))"/>
          """
      }
    }
    for series in lines { body += Self.line(series.values, series.style, x, y) }
    body += names(left, bottom, right, x)
    body += """
      <path class="cur" data-x0="\(at(x(0)))" data-step="\(fixed(step, 4))" d="M\(at(x(labels.count - 1))) \(at(top))V\(at(bottom))" hidden=""/>
      """
    return """
      <svg class="\(style)" viewBox="0 0 \(at(width)) \(at(height))" role="img" aria-label="\(label)">\(body)</svg>
      """
  }

  /// The labels below, as many as there is room for.
  private func names(_ left: Double, _ bottom: Double, _ right: Double, _ x: (Int) -> Double) -> HTML {
    var markup: HTML = ""
    var free = 0.0
    for (index, label) in labels.enumerated() {
      let half = estimatedWidth(label, size: 11.5) / 2
      guard x(index) - half >= free, x(index) + half <= right + 8 else { continue }
      markup +=
        "<text class=\"ax\" x=\"\(at(x(index)))\" y=\"\(at(bottom + 18))\" text-anchor=\"middle\">\(label)</text>"
      free = x(index) + half + 24
    }
    return markup
  }

  private static func line(
    _ values: [Double?], _ style: String, _ x: (Int) -> Double, _ y: (Double) -> Double
  ) -> HTML {
    var path = ""
    var isOpen = false
    for (index, value) in values.enumerated() {
      guard let value else {
        isOpen = false
        continue
      }
      path += "\(isOpen ? "L" : "M")\(at(x(index))) \(at(y(value)))"
      isOpen = true
    }
    return path.isEmpty ? "" : "<path class=\"\(style)\" d=\"\(path)\"/>"
  }

  private static func area(
    _ low: [Double?], _ high: [Double?], _ style: String, _ x: (Int) -> Double, _ y: (Double) -> Double
  ) -> HTML {
    let places = low.indices.filter { low[$0] != nil && high[$0] != nil }
    guard places.count > 1 else { return "" }
    let upper = places.map { "\(at(x($0))) \(at(y(high[$0] ?? 0)))" }
    let lower = places.reversed().map { "\(at(x($0))) \(at(y(low[$0] ?? 0)))" }
    return "<path class=\"\(style)\" d=\"M\((upper + lower).joined(separator: "L"))Z\"/>"
  }

  private static func label(_ value: Double) -> String {
    let text = value == value.rounded() && value.magnitude < 1e6 ? grouped(Int64(value)) : Scale.short(value)
    return text.replacing("-", with: "−")
  }
}
