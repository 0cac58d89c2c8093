import Mappings
import Markup
import Postbacks
import Simulation

/// The share of each window's postbacks that has arrived, by days after the conversion.
struct DelayCurve {
  private let curves: [(window: ConversionWindow, delays: DelayHistogram)]
  private let start: String

  /// Takes the windows that sent postbacks.
  init(_ study: VariantStudy) {
    start = study.configuration.mapping.device == .aak ? "install or re-engagement" : "install"
    curves = study.windows.map { ($0, study.total.sum[$0].delays) }.filter { $0.1.total > 0 }
  }

  var section: HTML {
    let heading = "Delay of postbacks"
    guard !curves.isEmpty else {
      return figure(heading, "No postback was sent, so there is no delay to show.", "")
    }
    let halves = curves.map { curve in
      let half = curve.delays.percentile(0.5).map { duration(hours: $0) } ?? ""
      let most = curve.delays.percentile(0.99).map { duration(hours: $0) } ?? ""
      return "Window \(curve.window.rawValue + 1): half within \(half), 99 % within \(most)"
    }
    return figure(
      heading,
      "The share of postbacks that has arrived, by the days since \(start). "
        + halves.joined(separator: ". ") + ".",
      """
      \(legend(curves.map { ("w\($0.window.rawValue + 1)", "window \($0.window.rawValue + 1)") }))\
      \(bothWidths(label: "share of postbacks that arrived by days since install", draw))
      """)
  }

  private func draw(width: Double) -> SVG {
    let longest = curves.map { Double($0.delays.percentile(1) ?? 0) / 24 }.max() ?? 1
    var plot = Plot(
      width: width, height: 300, x: Scale(0...longest, count: Int(width / 70), step: 1),
      y: Scale(0...100, count: 5), titles: ("days since \(start)", "arrived, % of the window's postbacks"))
    for curve in curves {
      plot.line(Self.points(curve.delays), style: "curve w\(curve.window.rawValue + 1)")
    }
    return plot.drawing
  }

  /// The curve in steps of two hours, without the flat parts' inner points.
  private static func points(_ delays: DelayHistogram) -> [(x: Double, y: Double)] {
    let total = Double(delays.total)
    var points: [(x: Double, y: Double)] = []
    var seen = 0
    var isFlat = true
    for start in stride(from: 0, to: delays.counts.count, by: 2) {
      let some = delays.counts[start..<min(start + 2, delays.counts.count)].reduce(0, +)
      if some == 0 {
        isFlat = true
        continue
      }
      if isFlat { points.append((Double(start) / 24, 100 * Double(seen) / total)) }
      isFlat = false
      seen += some
      points.append((Double(start + 2) / 24, 100 * Double(seen) / total))
    }
    return points
  }
}
