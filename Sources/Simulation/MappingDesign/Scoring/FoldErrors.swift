import System

/// The errors of a way to cut on parts of the users that it was not made of, and the choice between ways.
struct FoldErrors {
  let choice: DesignChoice
  /// The root mean squared error over all parts, in the geometric mean over sizes of campaigns.
  let error: Double
  /// The logarithm of each part's error, in the mean over sizes of campaigns.
  private let logarithms: [Double]

  /// The way that is taken unless another is surely better: chance moves it least.
  static let usual = DesignChoice(scheme: .smooth)
  /// By how much the error of any other way that makes an error small has to be lower than that of the usual one.
  private static let handicap = 0.05
  /// How many standard errors of their difference another way has to be better than the usual one: four parts alone show the
  /// standard error, and the best of some twenty ways is better than the usual one by one of them by chance.
  private static let evidence = 2.0
  /// Lower errors make no difference: nothing is measured as exactly.
  private static let least = 1e-18

  /// Joins mean squared errors of each part, of each size of campaigns.
  init(choice: DesignChoice, squares: [[Double]]) {
    self.choice = choice
    let count = Double(max(1, squares.count))
    let means = (squares.first ?? []).indices.map { size in
      max(Self.least, squares.reduce(0) { $0 + $1[size] } / count)
    }
    let sizes = Double(max(1, means.count))
    error = exponential(means.reduce(0) { $0 + naturalLogarithm($1) } / (2 * sizes))
    logarithms = squares.map { part in
      part.reduce(0) { $0 + naturalLogarithm(max(Self.least, $1)) } / (2 * sizes)
    }
  }

  /// The mean logarithm of the errors, in which a part with a payer that no other part has weighs no more than others:
  /// such a payer makes all ways wrong alike, and hides how they differ.
  private var typical: Double {
    let mean = logarithms.reduce(0, +) / Double(max(1, logarithms.count))
    let isHandicapped = choice.scheme.cost != nil && choice != Self.usual
    return mean + (isHandicapped ? naturalLogarithm(1 + Self.handicap) : 0)
  }

  /// Chooses a way: the usual one, unless another is better by more than ``evidence`` standard errors of their difference.
  ///
  /// - Parameters:
  ///   - folds: Into how many parts users are divided. Dividing them again makes the same users no new evidence, so that
  ///     it does not make the standard error smaller.
  /// - Returns: The choice; without the usual way the best one, and `nil` without ways.
  static func best(_ ways: [FoldErrors], folds: Int) -> DesignChoice? {
    guard let usual = ways.first(where: { $0.choice == Self.usual }) else {
      return ways.min { $0.typical < $1.typical }?.choice
    }
    let better = ways.filter { way in
      let gains = zip(usual.logarithms, way.logarithms).map { $0 - $1 }
      let mean = gains.reduce(0, +) / Double(max(1, gains.count))
      let squares = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let standardError = (squares / Double(max(1, gains.count - 1)) / Double(max(1, folds))).squareRoot()
      return usual.typical - way.typical > evidence * standardError
    }
    return (better.min { $0.typical < $1.typical } ?? usual).choice
  }
}
