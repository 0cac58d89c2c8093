import System
import Values

/// When users pay after their install: what a user pays on average up to each of some ages.
package struct PaymentAges: Sendable {
  /// What own users with a history so long paid.
  package struct Age: Sendable {
    /// Whole days since install.
    package let days: Int
    /// What a user paid up to then on average.
    package let mean: Double
    /// The mean of the squares of what each paid.
    package let square: Double
    package let users: Double

    package init(days: Int, mean: Double, square: Double, users: Double) {
      (self.days, self.mean, self.square, self.users) = (days, mean, square, users)
    }
  }

  /// What is taken for what own users do not show.
  package struct Shape: Sendable, Equatable {
    /// Whether payments between two known ages are as many every day, and not fewer and fewer.
    let isEven: Bool
    /// How far the growth before the last known age goes on behind it, by its power.
    let tail: Double

    /// Payments fade, and end with the last known age.
    package static let fading = Shape(isEven: false, tail: 0)
    /// ``fading``, and the ends of what is possible, one for each of what it takes.
    package static let all = [fading, Shape(isEven: true, tail: 0), Shape(isEven: false, tail: 0.5)]
  }

  /// Ages rising, and means with them.
  package let ages: [Age]
  /// Payments are looked for up to so many times the longest known age.
  private static let reach = 3

  /// - Returns: `nil` without two ages, or without revenue.
  package init?(_ ages: [Age]) {
    var rising: [Age] = []
    for age in ages.ordered(by: { $0.days < $1.days }) where age.days > (rising.last?.days ?? 0) {
      // Users with a longer history are others, and can have paid less.
      let (mean, square) = (rising.last?.mean ?? 0, rising.last?.square ?? 0)
      rising.append(
        Age(days: age.days, mean: max(age.mean, mean), square: max(age.square, square), users: age.users))
    }
    guard rising.count > 1, let last = rising.last, last.mean > 0 else { return nil }
    self.ages = rising
  }

  /// The longest age that payments are known of, in days.
  package var longest: Int { ages.last?.days ?? 0 }

  /// What a user pays up to an age.
  ///
  /// Between two known ages it grows by the power of the age that both have; before the first one by that of the next
  /// ones, at most evenly.
  package func paid(upTo days: Int, _ shape: Shape = .fading) -> Double {
    guard days > 0, let last = ages.last else { return 0 }
    if days > last.days {
      let before = ages[ages.count - 2]
      return last.mean
        * Self.grown(
          from: last.days, to: min(days, Self.reach * last.days), by: shape.tail * Self.power(before, last))
    }
    let place = ages.firstIndex { days <= $0.days } ?? 0
    let age = ages[place]
    if place == 0 {
      let power = shape.isEven ? 1 : min(1, Self.power(age, ages[1]))
      return age.mean * Self.grown(from: age.days, to: days, by: power)
    }
    let before = ages[place - 1]
    if shape.isEven || before.mean <= 0 {
      let part = Double(days - before.days) / Double(age.days - before.days)
      return before.mean + (age.mean - before.mean) * part
    }
    return before.mean * Self.grown(from: before.days, to: days, by: Self.power(before, age))
  }

  /// What a user pays on one day of age, from 0 on.
  package func paid(on day: Int, _ shape: Shape = .fading) -> Double {
    day < 0 ? 0 : paid(upTo: day + 1, shape) - paid(upTo: day, shape)
  }

  private static func power(_ before: Age, _ age: Age) -> Double {
    guard before.mean > 0 else { return 1 }
    return naturalLogarithm(age.mean / before.mean)
      / naturalLogarithm(Double(age.days) / Double(before.days))
  }

  private static func grown(from days: Int, to others: Int, by power: Double) -> Double {
    exponential(power * naturalLogarithm(Double(others) / Double(days)))
  }

  /// What users pay up to an age: the mean of their squares by their mean.
  ///
  /// So much money comes from one user, and by chance.
  package func clump(upTo days: Int) -> Double {
    let known = ages.last { $0.days <= days } ?? ages[0]
    return known.mean > 0 ? known.square / known.mean : 0
  }

  /// The same of what they pay behind an age.
  ///
  /// Half of what squares grow by is that of later payments, the other half of their product with earlier ones.
  package func clump(behind days: Int) -> Double {
    guard let last = ages.last else { return 0 }
    let known = ages.last { $0.days <= days } ?? ages[0]
    return last.mean > known.mean ? (last.square - known.square) / (2 * (last.mean - known.mean)) : 0
  }

  /// The relative error of what own users pay behind an age, as the part of all that they pay.
  ///
  /// It is doubled, as that of the worths of values, for users of other weeks and channels.
  package func relativeVariance(behind days: Int) -> Double {
    guard let last = ages.last else { return 0 }
    let known = ages.last { $0.days <= days } ?? ages[0]
    let later = last.mean - known.mean
    return 2 * max(later * later, last.square - known.square) / max(1, last.users) / (last.mean * last.mean)
  }

  /// What a user pays on each day of age by each of some shapes, up to the last age that is looked for.
  package func daily(_ shapes: [Shape]) -> [[Double]] {
    shapes.map { shape in (0..<farthest).map { paid(on: $0, shape) } }
  }

  /// The last age that payments are looked for, in days.
  package var farthest: Int { Self.reach * longest }

  /// How the payments of a day divide by the users' installs.
  ///
  /// - Parameters:
  ///   - day: The day of payment.
  ///   - installs: Installs of a day of install.
  ///   - daily: What a user pays on each day of age.
  ///   - horizon: Days since install whose payments are asked for.
  ///   - counts: Whether an install day is asked for.
  /// - Returns: The share of the day's payments that is asked for, and that of such days that is paid later.
  package static func shares(
    paidOn day: Int, installs: (Int) -> Double, daily: [Double], horizon: Int, counts: (Int) -> Bool
  ) -> (within: Double, later: Double) {
    var (all, within, later) = (0.0, 0.0, 0.0)
    for (age, amount) in daily.enumerated() {
      let paid = installs(day - age) * amount
      all += paid
      guard counts(day - age) else { continue }
      if age < horizon { within += paid } else { later += paid }
    }
    return all > 0 ? (within / all, later / all) : (0, 0)
  }
}
