import Values

/// A chart over a row of places such as days: bars, lines, what is still to come, and what happened.
///
/// It fills its box while its texts and lines keep their size. Colours are classes of the stylesheet.
package struct SeriesChart: Sendable {
  /// A value for each place; `nil` leaves the place free.
  private struct Series: Sendable {
    let values: [Double?]
    let style: String
  }

  private static let labelSize = 12.0
  private static let height = 250.0
  /// What lines and areas are drawn in, which is stretched over the width.
  private static let units = 1000.0

  private let labels: [String]
  private let least: Double
  private let most: Double
  private var bars: [Series] = []
  private var lines: [Series] = []
  private var areas: [(low: [Double?], high: [Double?], style: String)] = []
  private var marked: [Int] = []
  private var firstOpen: Int?
  /// How the language of the page writes a number of the axis.
  package var style: @Sendable (String) -> String = { $0 }

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

  /// Fills what lies between two lines.
  package mutating func area(_ low: [Double?], _ high: [Double?], style: String) {
    areas.append((low, high, style))
  }

  /// Hatches the places from one on, of which not everything is known yet.
  package mutating func open(from place: Int) { firstOpen = place }

  /// Draws a line with a number, from 1, at each of these places; a list beside the chart has what they mean.
  package mutating func marks(_ places: [Int]) { marked = places }

  /// The drawing with a sentence for those who cannot see it.
  package func markup(label: HTML) -> HTML {
    // Counts need a scale of at least one; differences around 0 can be small.
    let scale = Scale(least...max(most, least < 0 ? 0 : 1), count: 4, label: { style(Self.label($0)) })
    let widest = scale.marks.map { estimatedWidth($0.label, size: Self.labelSize) }.max() ?? 0
    let (top, bottom) = (marked.isEmpty ? 14.0 : 28, Self.height - 30)
    let count = Double(max(1, labels.count))
    func x(_ index: Int) -> Double { (Double(index) + 0.5) / count }
    func y(_ value: Double) -> Double { bottom - scale.place(value) * (bottom - top) }
    let axis = scale.marks.map { mark -> HTML in
      """
      <text class="ax" x="\(at(widest + 4))" y="\(at(y(mark.value) + 4))" text-anchor="end">\(mark.label)</text>
      """
    }
    let grid = scale.marks.map { mark -> HTML in
      "<line class=\"\(mark.value == 0 ? "z" : "g")\" x2=\"100%\" y1=\"\(at(y(mark.value)))\" y2=\"\(at(y(mark.value)))\"/>"
    }
    let columns = bars.map { series -> HTML in
      series.values.enumerated().map { index, value -> HTML in
        value.map { value in
          """
          <rect class="\(series.style)" x="\(part(x(index) - 0.36 / count))" y="\(at(y(value)))" \
          width="\(part(0.72 / count))" height="\(at(max(0, bottom - y(value))))"/>
          """
        } ?? ""
      }.joined()
    }
    let open: HTML =
      firstOpen.map { place in
        let start = Double(place) / count
        return """
          <rect class="hf open" x="\(part(start))" y="\(at(top))" width="\(part(max(0, 1 - start)))" height="\(at(bottom - top))"/>
          """
      } ?? ""
    func across(_ index: Int) -> Double { x(index) * Self.units }
    let cursor: HTML = """
      <path class="cur" data-x0="\(at(across(0)))" data-step="\(fixed(Self.units / count, 4))" \
      d="M\(at(across(labels.count - 1))) \(at(top))V\(at(bottom))" hidden=""/>
      """
    let curves: HTML = """
      <svg width="100%" height="\(at(Self.height))" viewBox="0 0 \(at(Self.units)) \(at(Self.height))" preserveAspectRatio="none">\
      \(areas.map { Self.area($0.low, $0.high, $0.style, across, y) }.joined())\
      \(lines.map { Self.line($0.values, $0.style, across, y) }.joined())\(cursor)</svg>
      """
    return """
      <div class="plot"><svg width="\(at(widest + 10))" height="\(at(Self.height))" aria-hidden="true">\(axis.joined())</svg>\
      <svg class="canvas" height="\(at(Self.height))" role="img" aria-label="\(label)">\(grid.joined())\
      \(open)\(columns.joined())\(curves)\(drawn(top, bottom, x))\(names(bottom, x))</svg></div>
      """
  }

  /// The lines of what happened, with their numbers.
  private func drawn(_ top: Double, _ bottom: Double, _ x: (Int) -> Double) -> HTML {
    // Numbers have room like the labels below; the line is there all the same.
    var numbers = labels.map { _ in "" }
    for (number, place) in marked.enumerated() where numbers.indices.contains(place) {
      numbers[place] = "\(number + 1)"
    }
    let widths = Self.widths(of: numbers, x)
    return zip(marked, 1...).map { place, number -> HTML in
      guard numbers.indices.contains(place) else { return "" }
      let text: HTML =
        widths[place].map { width in
          "<text class=\"b\(width.style)\" x=\"\(part(x(place)))\" y=\"\(at(top - 14))\" text-anchor=\"middle\">\(number)</text>"
        } ?? ""
      return """
        <line class="mark" x1="\(part(x(place)))" x2="\(part(x(place)))" y1="\(at(top - 10))" y2="\(at(bottom))"/>\(text)
        """
    }.joined()
  }

  /// The least width at which each text has room, the first ones before later ones.
  private static func widths(of texts: [String], _ x: (Int) -> Double) -> [PlotWidth?] {
    var found = [PlotWidth?](repeating: nil, count: texts.count)
    for width in PlotWidth.allCases {
      for place in texts.indices where found[place] == nil && !texts[place].isEmpty {
        let half = estimatedWidth(texts[place], size: labelSize) / 2
        let isFree = !texts.indices.contains { other in
          found[other] != nil
            && (x(other) - x(place)).magnitude * width.least
              < half + estimatedWidth(texts[other], size: labelSize) / 2 + 3
        }
        if isFree { found[place] = width }
      }
    }
    return found
  }

  /// The labels below, as many as there is room for.
  private func names(_ bottom: Double, _ x: (Int) -> Double) -> HTML {
    zip(labels, PlotWidth.evenly(labels, size: Self.labelSize)).enumerated().map { index, entry -> HTML in
      guard let width = entry.1 else { return "" }
      return """
        <text class="ax\(width.style)" x="\(part(x(index)))" y="\(at(bottom + 18))" text-anchor="middle">\(entry.0)</text>
        """
    }.joined()
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
