internal import System

/// By how much installs by views follow the installs of others from day to day, beyond what installs by clicks do.
///
/// The slope of log(views) on log(installs of others), with log(clicks) as a second regressor, after the mean of the seven
/// days around and the day of the week are taken out of all three. Budgets and demand that lift all ads of the network alike
/// lift its clicks, too. Where a share ρ of views are installs that came anyway, the slope is near ρ. Few clicks show demand
/// badly, so that honest slopes are above 0, which is why they are compared with those of other networks.
struct ViewRhythm: Equatable, Sendable {
  let slope: PatternEffect

  private static let side = 3
  private static let week = 2 * side + 1
  private static let fewestDays = 28
  /// The fewest views, and clicks, of a day on average: below, a logarithm of counts bends.
  private static let fewest = 8.0
  private static let fewestOfDay = 10.0
  /// By how much views of a day differ beyond chance, as a part of them, for weights alone.
  private static let dayScatter = 0.1
  private static let largestError = 0.5

  /// Looks at consecutive days; nil where they are too few, too small, or too even to show anything.
  init?(views: [Double], clicks: [Double], others: [Double?]) {
    let days = min(views.count, clicks.count, others.count)
    var y = [Double?](repeating: nil, count: days)
    var (x, z, weights) = (y, y, [Double](repeating: 0, count: days))
    var sums = (views: 0.0, clicks: 0.0, days: 0.0)
    for day in 0..<days where views[day] + clicks[day] >= Self.fewestOfDay {
      guard let others = others[day], others > 0 else { continue }
      y[day] = naturalLogarithm(views[day] + 0.5)
      z[day] = naturalLogarithm(clicks[day] + 0.5)
      x[day] = naturalLogarithm(others)
      weights[day] = 1 / (1 / (views[day] + 0.5) + Self.dayScatter * Self.dayScatter)
      sums = (sums.views + views[day], sums.clicks + clicks[day], sums.days + 1)
    }
    guard sums.days > 0, min(sums.views, sums.clicks) >= Self.fewest * sums.days else { return nil }
    var points: [Point] = []
    for day in 0..<days {
      guard let y = Self.centred(y, day), let x = Self.centred(x, day), let z = Self.centred(z, day)
      else { continue }
      points.append(Point(day: day, values: [x, z, y], weight: weights[day]))
    }
    let freedom = Double(points.count) * Double(Self.week - 1) / Double(Self.week) - Double(Self.week) - 2
    guard points.count >= Self.fewestDays, freedom > 3 else { return nil }
    Self.takeOutWeekdays(&points)
    // What clicks explain of both (Frisch, Waugh and Lovell).
    for place in [0, 2] {
      let slope = Self.sum(points, 1, place) / max(1e-12, Self.sum(points, 1, 1))
      for index in points.indices { points[index].values[place] -= slope * points[index].values[1] }
    }
    let scale = Self.sum(points, 0, 0)
    guard scale > 0 else { return nil }
    let value = Self.sum(points, 0, 2) / scale
    var (scatter, weeks) = (0.0, [Int: Double]())
    for point in points {
      let residual = point.values[2] - value * point.values[0]
      scatter += point.weight * residual * residual
      weeks[point.day / Self.week, default: 0] += point.weight * point.values[0] * residual
    }
    let even = scatter / freedom / scale
    let groups = Double(weeks.count)
    // Days of a week can go together (Liang and Zeger, "Longitudinal data analysis using generalized linear models", 1986).
    let clustered =
      groups > 1
      ? weeks.values.reduce(0) { $0 + $1 * $1 } / (scale * scale) * groups / (groups - 1) : 0
    let variance = max(even, clustered)
    guard variance > 0, variance.squareRoot() <= Self.largestError else { return nil }
    slope = PatternEffect(
      value: value, variance: variance, freedom: clustered > even ? groups - 1 : freedom)
  }

  private struct Point {
    let day: Int
    /// Logarithms of installs of others, clicks and views.
    var values: SIMD3<Double>
    let weight: Double
  }

  private static func sum(_ points: [Point], _ a: Int, _ b: Int) -> Double {
    points.reduce(0) { $0 + $1.weight * $1.values[a] * $1.values[b] }
  }

  /// A day's value less the mean of the seven days around it; nil where any of them has none.
  private static func centred(_ values: [Double?], _ day: Int) -> Double? {
    guard day >= side, day + side < values.count, let own = values[day] else { return nil }
    var sum = 0.0
    for near in values[(day - side)...(day + side)] {
      guard let near else { return nil }
      sum += near
    }
    return own - sum / Double(week)
  }

  private static func takeOutWeekdays(_ points: inout [Point]) {
    var sums = [(weight: Double, values: SIMD3<Double>)](repeating: (0, .zero), count: week)
    for point in points {
      sums[point.day % week].weight += point.weight
      sums[point.day % week].values += point.weight * point.values
    }
    for index in points.indices {
      let sum = sums[points[index].day % week]
      if sum.weight > 0 { points[index].values -= sum.values / sum.weight }
    }
  }
}
