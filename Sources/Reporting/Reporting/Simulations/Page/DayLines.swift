import Markup
import Simulation
import Values

/// Installs and arriving postbacks day by day.
struct DayLines {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private let days: [DayFigures]

  /// Takes what is drawn, in the order of the days.
  init(_ days: [DayFigures]) { self.days = days }

  var section: HTML {
    let heading = "Day by day"
    guard let first = days.first, let last = days.last else {
      return figure(heading, "No day has installs or postbacks.", "")
    }
    return figure(
      heading,
      "Postbacks follow installs by days, so a day's postbacks belong to earlier installs. From "
        + "\(Self.whole(first.day)) to \(Self.whole(last.day)), UTC.",
      """
      \(legend([("installs", "installs"), ("arrived", "postbacks that arrived")]))\
      \(bothWidths(label: "installs and postbacks by day", draw))
      """)
  }

  private func draw(width: Double) -> SVG {
    let first = Double(days.first?.day.number ?? 0)
    let last = Double(days.last?.day.number ?? 0)
    let highest = days.map { max($0.installs, $0.postbacks) }.max() ?? 1
    var plot = Plot(
      width: width, height: 300, x: Self.scale(first, last, count: Int(width / 80)),
      y: Scale(0...max(1, highest), count: 5, step: 1), titles: ("day, UTC", "installs and postbacks a day"))
    plot.line(points(\.installs), style: "curve installs")
    plot.line(points(\.postbacks), style: "curve arrived")
    return plot.drawing
  }

  /// The days as points; days in between on which nothing happened lie at zero.
  private func points(_ count: KeyPath<DayFigures, Double>) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    for day in days {
      let x = Double(day.day.number)
      if let previous = points.last?.x, x > previous + 1 {
        points.append((previous + 1, 0))
        if x > previous + 2 { points.append((x - 1, 0)) }
      }
      points.append((x, day[keyPath: count]))
    }
    // A line of one day has no length; a day before makes it one.
    return points.count == 1 ? [(points[0].x - 1, 0)] + points : points
  }

  /// Days with marks at whole ones, a week apart, or more.
  private static func scale(_ first: Double, _ last: Double, count: Int) -> Scale {
    let length = max(1, last - first)
    let first = last == first ? first - 1 : first
    let step =
      [1.0, 2, 7, 14, 28, 91, 182, 364].first { length / $0 <= Double(count) }
      ?? 364 * (length / 364 / Double(count)).rounded(.up)
    let marks = (0...Int(length / step)).map { index in
      let day = first + Double(index) * step
      return Scale.Mark(value: day, label: label(Day(number: Int32(day)), withYear: length > 300))
    }
    return Scale(low: first, high: max(last, first + 1), marks: marks)
  }

  /// A date that no line breaks after one of its hyphens.
  private static func whole(_ day: Day) -> String { "\(day)".replacing("-", with: "\u{2011}") }

  private static func label(_ day: Day, withYear: Bool) -> String {
    let parts = "\(day)".split(separator: "-").map(String.init)
    // Days before 1970 are written in full, because their years may have a sign.
    guard day.number > 0, parts.count == 3, let month = Int(parts[1]), let date = Int(parts[2]),
      (1...12).contains(month)
    else {
      return "\(day)"
    }
    return withYear ? "\(months[month - 1]) \(parts[0])" : "\(date) \(months[month - 1])"
  }
}
