import Markup
import Simulation
import Values

/// The share of null postbacks against the size of a campaign.
struct NullScatter {
  /// More points could not be distinguished.
  private static let most = 1000

  private struct Point {
    let name: String
    let perDay: Double
    let share: Double
  }

  private let points: [Point]
  private let folded: Int
  /// The size at which the privacy threshold model shows values, if it has one.
  private let threshold: Double?
  private let hasCrowd: Bool

  /// Takes the campaigns that sent postbacks.
  init(_ study: VariantStudy) throws {
    var points: [Point] = []
    var folded = 0
    try study.forEachRow { row in
      guard let perDay = row.figures.installsPerDay, perDay > 0,
        let share = row.figures.share(row.figures.nulls)
      else { return }
      guard points.count < Self.most else { return folded += 1 }
      points.append(Point(name: printable(row.campaign), perDay: perDay, share: share))
    }
    self.points = points
    self.folded = folded
    hasCrowd = study.configuration.crowd != .none
    threshold =
      switch study.configuration.crowd {
      case .hard(let rule): Double(rule.installsPerDay)
      case .logistic(let rule): rule.median
      case .none, .tiers, .value: nil
      }
  }

  var section: HTML {
    let heading = "Withheld values by campaign size"
    // Without a model all points would lie on the axis, and the picture would suggest no loss.
    guard hasCrowd else {
      return figure(
        heading,
        "No privacy threshold model is selected, so no value is withheld. Simulate with `--threshold "
          + "default` to see which campaigns are below the threshold.", "")
    }
    guard !points.isEmpty else {
      return figure(heading, "No campaign sent a postback, so there is no share to show.", "")
    }
    let text =
      "Each point is a campaign: the share of its postbacks without a value, by its mean installs on "
      + "days with installs."
      + (folded > 0 ? " The \(Self.most) largest campaigns; \(folded) smaller ones are not shown." : "")
      + (threshold.map { " Dashed line: the threshold of \(trimmed($0, 1)) installs a day." } ?? "")
    return figure(
      heading, text, bothWidths(label: "share of null postbacks by installs a day") { draw(width: $0) })
  }

  private func draw(width: Double) -> SVG {
    let sizes = points.map(\.perDay) + (threshold.map { [$0] } ?? [])
    var plot = Plot(
      width: width, height: 300, x: Scale(decadesOf: (sizes.min() ?? 1)...(sizes.max() ?? 1)),
      y: Scale(0...100, count: 5),
      titles: ("installs a day", width < 500 ? "null postbacks, %" : "share of postbacks without a value, %"))
    if let threshold { plot.upright(threshold, style: "limit") }
    for point in points {
      plot.point(
        point.perDay, point.share * 100, style: "dot",
        title: "\(point.name)\n\(trimmed(point.perDay, 1)) installs a day, \(percent(point.share)) null")
    }
    return plot.drawing
  }
}
