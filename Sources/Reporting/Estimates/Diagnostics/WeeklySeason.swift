/// How days of a week differ, in all campaigns alike, by arrivals and by the installs behind them.
///
/// A day of arrival has half of the installs of a day and half of those of the day before. For A_w, the factor of a day of
/// arrival, the factors of installs q solve A_w = (q_w + q_{w-1}) / 2: q_w = A_w - A_{w-1} + A_{w-2} - ... over seven days.
/// A is the ratio of arrivals to the mean of the week around them, drawn towards 1 by what chance makes of it.
/// Source: James and Stein, "Estimation with quadratic loss", 1961, for the drawing.
struct WeeklySeason {
  private var arrivals = [Double](repeating: 1, count: days)
  private var installs = [Double](repeating: 1, count: days)

  private static let days = 7
  private static let held = 0.1...10.0

  /// Looks at consecutive days of arrival, which begin with some day.
  init(_ campaigns: [(first: Int, days: [Double])]) {
    var seen = [Double](repeating: 0, count: Self.days)
    var expected = seen
    var weeks: [(place: Int, seen: Double, mean: Double)] = []
    for (first, days) in campaigns where days.count >= Self.days {
      for day in 3..<(days.count - 3) {
        let mean = days[(day - 3)...(day + 3)].reduce(0, +) / Double(Self.days)
        let place = Self.place(first + day)
        seen[place] += days[day]
        expected[place] += mean
        weeks.append((place, days[day], mean))
      }
    }
    guard expected.allSatisfy({ $0 > 0 }) else { return }
    let ratios = zip(seen, expected).map { $0 / $1 }
    let (scatter, scale) = weeks.reduce((0.0, 0.0)) { sums, week in
      let mean = week.mean * ratios[week.place]
      return (sums.0 + (week.seen - mean) * (week.seen - mean), sums.1 + mean)
    }
    let noise = max(1, scatter / max(scale, 1e-9)) * expected.reduce(0) { $0 + 1 / $1 } / Double(Self.days)
    let variance = ratios.reduce(0) { $0 + ($1 - 1) * ($1 - 1) } / Double(Self.days - 1)
    let kept = variance > noise ? 1 - noise / variance : 0
    let drawn = ratios.map { 1 + kept * ($0 - 1) }
    let solved = drawn.indices.map { day in
      (0..<Self.days).reduce(0) { $0 + ($1 % 2 == 0 ? 1 : -1) * drawn[Self.place(day - $1)] }
    }
    // Few arrivals can leave a factor without sense.
    let bounded = solved.map { min(Self.held.upperBound, max(Self.held.lowerBound, $0)) }
    let mean = bounded.reduce(0, +) / Double(Self.days)
    installs = bounded.map { $0 / mean }
    arrivals = installs.indices.map { (installs[$0] + installs[Self.place($0 - 1)]) / 2 }
  }

  private static func place(_ day: Int) -> Int { (day % days + days) % days }

  /// By what a day of arrival differs from the mean of its week.
  func ofArrivals(_ day: Int) -> Double { arrivals[Self.place(day)] }

  /// By what installs differ whose first arrivals are of the day.
  func ofInstalls(_ day: Int) -> Double { installs[Self.place(day)] }
}
