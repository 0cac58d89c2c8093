import Platform
import Simulation

/// A variant against the first one: each campaign's error under both, and which is better.
struct ComparisonView {
  private static let most = 1000

  private let comparison: VariantComparison

  /// Takes what is drawn.
  init(_ comparison: VariantComparison) { self.comparison = comparison }

  /// The section.
  var section: HTML {
    let heading = "\(comparison.nameOfA) or \(comparison.nameOfB)?"
    guard let paired = comparison.paired else { return figure(heading, comparison.sentence, "") }
    let rows = Array(paired.rows.prefix(Self.most))
    let folded = paired.rows.count - rows.count
    return figure(
      heading, comparison.sentence,
      """
      <p>Every point is a campaign; below the diagonal \(comparison.nameOfB) comes closer to the truth, above it \
      \(comparison.nameOfA).\(folded > 0 ? " \(folded) campaigns are left out." : "")</p>
      <div class="square">\(bothWidths(label: "error by campaign under both mappings") { draw(rows, width: $0) })</div>
      """)
  }

  private func draw(_ rows: [PairedComparison.Row], width: Double) -> SVG {
    let highest = rows.map { max($0.errorOfA, $0.errorOfB) }.max() ?? 0
    let scale = Scale(0...max(1, highest * 100), count: 5)
    let isNarrow = width < 500
    let size = min(width, 480)
    let half = size / 2
    var plot = Plot(
      width: size, height: isNarrow ? size : 440, x: scale, y: scale,
      titles: (
        "error under \(fitted(comparison.nameOfA, width: half, size: 12)), %",
        "error under \(fitted(comparison.nameOfB, width: half, size: 12)), %"
      ))
    plot.line([(scale.low, scale.low), (scale.high, scale.high)], style: "limit")
    for row in rows {
      plot.point(
        row.errorOfA * 100, row.errorOfB * 100, style: "dot",
        title: "\(printable(row.campaign))\n\(comparison.nameOfA): \(percent(row.errorOfA))\n"
          + "\(comparison.nameOfB): \(percent(row.errorOfB))")
    }
    return plot.drawing
  }
}
