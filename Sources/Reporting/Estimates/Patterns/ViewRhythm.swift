internal import System

/// By how much installs by views follow the installs of others from day to day, more than installs by clicks do.
///
/// The slope of log(views / clicks) on log(installs of others), after the mean of the seven days around and the day of
/// the week are taken out of both. Demand that lifts all ads alike lifts views and clicks alike, so that the slope is 0. Where
/// a share ρ of views are installs that came anyway, it is ρ.
struct ViewRhythm: Hashable, Sendable {
  let slope: PatternEffect

  private static let side = 3
  private static let week = 2 * side + 1
  private static let fewestDays = 28
  /// The fewest views, and clicks, of a day on average: below, a logarithm of counts bends.
  private static let fewest = 8.0
  private static let fewestOfDay = 10.0
  private static let largestError = 0.5

  /// Looks at consecutive days; nil where they are too few, too small, or too even to show anything.
  init?(views: [Double], clicks: [Double], others: [Double?]) {
    let days = min(views.count, clicks.count, others.count)
    var y = [Double?](repeating: nil, count: days)
    var (x, weights) = (y, [Double](repeating: 0, count: days))
    var sums = (views: 0.0, clicks: 0.0, days: 0.0)
    for day in 0..<days where views[day] + clicks[day] >= Self.fewestOfDay {
      guard let others = others[day], others > 0 else { continue }
      y[day] = naturalLogarithm((views[day] + 0.5) / (clicks[day] + 0.5))
      x[day] = naturalLogarithm(others)
      weights[day] = (views[day] + 0.5) * (clicks[day] + 0.5) / (views[day] + clicks[day] + 1)
      sums = (sums.views + views[day], sums.clicks + clicks[day], sums.days + 1)
    }
    guard sums.days > 0, min(sums.views, sums.clicks) >= Self.fewest * sums.days else { return nil }
    var points: [Point] = []
    for day in 0..<days {
      guard let y = Self.centred(y, day), let x = Self.centred(x, day) else { continue }
      points.append(Point(day: day, x: x, y: y, weight: weights[day]))
    }
    let freedom = Double(points.count) * Double(Self.week - 1) / Double(Self.week) - Double(Self.week) - 1
    guard points.count >= Self.fewestDays, freedom > 3 else { return nil }
    Self.takeOutWeekdays(&points)
    let scale = points.reduce(0) { $0 + $1.weight * $1.x * $1.x }
    guard scale > 0 else { return nil }
    let value = points.reduce(0) { $0 + $1.weight * $1.x * $1.y } / scale
    var (scatter, weeks) = (0.0, [Int: Double]())
    for point in points {
      let residual = point.y - value * point.x
      scatter += point.weight * residual * residual
      weeks[point.day / Self.week, default: 0] += point.weight * point.x * residual
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
    var x: Double
    var y: Double
    let weight: Double
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
    var sums = [(weight: Double, x: Double, y: Double)](repeating: (0, 0, 0), count: week)
    for point in points {
      let place = point.day % week
      sums[place].weight += point.weight
      sums[place].x += point.weight * point.x
      sums[place].y += point.weight * point.y
    }
    for index in points.indices {
      let sum = sums[points[index].day % week]
      guard sum.weight > 0 else { continue }
      points[index].x -= sum.x / sum.weight
      points[index].y -= sum.y / sum.weight
    }
  }
}
