internal import System

/// How wide the intervals of own campaigns are, by how many values they show and by the share that is withheld.
///
/// A changed campaign will have the width of campaigns like it: least squares of the logarithm of widths on the logarithm of
/// values and on the share, with their prediction interval.
struct OwnWidths {
  /// A campaign whose interval is known.
  struct Known {
    let installs: Double
    /// Those that show a value.
    let values: Double
    /// The width of its interval by the middle.
    let width: Double
  }

  private typealias Place = (values: Double, withheld: Double)

  /// A campaign without a value has an interval too, of what all campaigns show; so many more values make it little narrower.
  private static let base = 10.0

  /// Of fewer campaigns nothing follows for others.
  private static let fewest = 8
  /// From here on a campaign is less like the others than they are among themselves.
  private static let farthest = 1.0

  private let count: Double
  private let middle: Place
  private let middleWidth: Double
  /// By how much the logarithm rises with each, and the squares that they rest on.
  private let slopes: Place
  private let squares: (values: Double, withheld: Double, both: Double)
  /// The variance about the fit, and of how many campaigns more than it has parameters.
  private let variance: Double
  private let freedom: Double

  /// `nil` where there are too few campaigns, or all are alike.
  init?(_ campaigns: [Known]) {
    let known = campaigns.filter { $0.installs > 0 && $0.width > 0 }.map { campaign in
      (
        place: Self.place(campaign.values, of: campaign.installs),
        width: naturalLogarithm(campaign.width)
      )
    }
    guard known.count >= Self.fewest else { return nil }
    let count = Double(known.count)
    let middle = Place(
      values: known.reduce(0) { $0 + $1.place.values } / count,
      withheld: known.reduce(0) { $0 + $1.place.withheld } / count)
    let middleWidth = known.reduce(0) { $0 + $1.width } / count
    func sum(_ product: (Place, Double) -> Double) -> Double {
      known.reduce(0) { sum, one in
        let place = Place(one.place.values - middle.values, one.place.withheld - middle.withheld)
        return sum + product(place, one.width - middleWidth)
      }
    }
    let squares = (
      values: sum { place, _ in place.values * place.values },
      withheld: sum { place, _ in place.withheld * place.withheld },
      both: sum { place, _ in place.values * place.withheld }
    )
    let rises = (values: sum { $0.values * $1 }, withheld: sum { $0.withheld * $1 })
    let area = squares.values * squares.withheld - squares.both * squares.both
    guard area > 1e-6 * squares.values * squares.withheld, area > 1e-9 else { return nil }
    let slopes = Place(
      values: (squares.withheld * rises.values - squares.both * rises.withheld) / area,
      withheld: (squares.values * rises.withheld - squares.both * rises.values) / area)
    let left = sum { place, width in
      let error = width - slopes.values * place.values - slopes.withheld * place.withheld
      return error * error
    }
    freedom = count - 3
    variance = left / freedom
    (self.count, self.middle, self.middleWidth) = (count, middle, middleWidth)
    (self.slopes, self.squares) = (slopes, squares)
  }

  private static func place(_ values: Double, of installs: Double) -> Place {
    Place(naturalLogarithm(values + base), 1 - values / installs)
  }

  /// The width that played days come to, by the middle of the interval; `nil` where no own campaigns are like it.
  ///
  /// - Parameter models: What the days show, once for each model.
  func predicted(_ models: [Shown]) -> CampaignPlan.Predicted? {
    let played = models.flatMap { zip($0.values, $0.installs) }.filter { $1 > 0 }
    guard !played.isEmpty else { return nil }
    let places = played.map { values, installs in
      let place = Self.place(values, of: installs)
      return Place(place.values - middle.values, place.withheld - middle.withheld)
    }
    let logs = places.map { middleWidth + slopes.values * $0.values + slopes.withheld * $0.withheld }
    let mean = logs.reduce(0, +) / Double(logs.count)
    let usual = Place(
      places.reduce(0) { $0 + $1.values } / Double(places.count),
      places.reduce(0) { $0 + $1.withheld } / Double(places.count))
    let distance = 1 / count + distance(usual)
    guard distance <= Self.farthest else { return nil }
    let reach =
      studentQuantile(0.95, freedom: freedom) * (variance * (1 + distance) + logs.variance).squareRoot()
    return CampaignPlan.Predicted(
      mean: exponential(mean),
      interval: Interval(low: exponential(mean - reach), high: exponential(mean + reach)))
  }

  private func distance(_ place: Place) -> Double {
    let area = squares.values * squares.withheld - squares.both * squares.both
    let both = 2 * squares.both * place.values * place.withheld
    return
      (squares.withheld * place.values * place.values - both + squares.values * place.withheld
      * place.withheld)
      / area
  }
}

extension OwnWidths.Known {
  init?(_ campaign: PlannedCampaign) {
    let counts = campaign.inPlay
    guard counts.total > 0, let sum = campaign.money.sum, let width = EstimatedSum.width(of: [sum]) else {
      return nil
    }
    self.init(installs: counts.total, values: counts.fine, width: width)
  }
}
