import Markup
import Simulation
import Values

/// A variant against the first one: each campaign's error under both, and which is better.
struct ComparisonView {
  private static let most = 1000
  /// Campaigns beyond the axes that are named.
  private static let named = 5

  private let comparison: VariantComparison

  /// Takes what is drawn.
  init(_ comparison: VariantComparison) { self.comparison = comparison }

  var section: HTML {
    let heading = "\(comparison.nameOfA) or \(comparison.nameOfB)?"
    guard let paired = comparison.paired else { return figure(heading, comparison.sentence, "") }
    let rows = Array(paired.rows.prefix(Self.most))
    let folded = paired.rows.count - rows.count
    let bound = Self.bound(rows.map(\.worse))
    let beyond = rows.filter { $0.worse > bound }
    return figure(
      heading, comparison.sentence,
      """
      <p>Each point is a campaign; below the diagonal \(comparison.nameOfB) has the smaller error, above it \
      \(comparison.nameOfA).\(folded > 0 ? " \(folded) campaigns are not shown." : "")\(remark(beyond))</p>
      <div class="square">\(bothWidths(label: "error by campaign under both mappings") { draw(rows, bound, width: $0) })</div>
      """)
  }

  /// Where the axes may end: at the largest error, unless few campaigns with far larger ones than the others' would
  /// squeeze these into a corner.
  ///
  /// The rule is that of a box plot's whiskers: numbers above the upper quartile by more than 1.5 times the distance
  /// of the quartiles are far. Source: Tukey, "Exploratory Data Analysis" (1977).
  static func bound(_ errors: [Double]) -> Double {
    let sorted = errors.sorted()
    guard let largest = sorted.last else { return 0 }
    let (lower, upper) = (sorted[(sorted.count - 1) / 4], sorted[(sorted.count - 1) * 3 / 4])
    let near = sorted.last { $0 <= upper + 1.5 * (upper - lower) } ?? largest
    // An axis that would hardly be longer shows everything.
    return largest > 2 * near && near > 0 ? near : largest
  }

  private func remark(_ beyond: [PairedComparison.Row]) -> String {
    guard !beyond.isEmpty else { return "" }
    let named = beyond.prefix(Self.named).map { row in
      "\(printable(row.campaign)) (\(comparison.nameOfA) \(percent(row.errorOfA)), \(comparison.nameOfB) "
        + "\(percent(row.errorOfB)))"
    }
    let others = beyond.count - named.count
    return " Rings at the edge are outside the plot: " + named.joined(separator: ", ")
      + (others > 0 ? " and \(counted(others, "other"))." : ".")
  }

  private func draw(_ rows: [PairedComparison.Row], _ bound: Double, width: Double) -> SVG {
    let scale = Scale(0...max(1, bound * 100), count: 5)
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
    // What lies beyond comes last, so that no point at the edge covers it.
    for row in rows.filter({ $0.worse <= bound }) + rows.filter({ $0.worse > bound }) {
      let title =
        "\(printable(row.campaign))\n\(comparison.nameOfA): \(percent(row.errorOfA))\n"
        + "\(comparison.nameOfB): \(percent(row.errorOfB))"
      let (x, y) = (row.errorOfA * 100, row.errorOfB * 100)
      if row.worse > bound {
        plot.beyond(x, y, label: percent(row.worse), title: title)
      } else {
        plot.point(x, y, style: "dot", title: title)
      }
    }
    return plot.drawing
  }
}

extension PairedComparison.Row {
  fileprivate var worse: Double { max(errorOfA, errorOfB) }
}
