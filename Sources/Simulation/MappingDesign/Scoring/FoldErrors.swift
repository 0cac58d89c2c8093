import System

/// The errors of a way to cut on parts of the users that it was not made of, and the choice between ways.
struct FoldErrors {
  let choice: DesignChoice
  /// The root mean squared error over all parts, in the geometric mean over sizes of campaigns.
  let error: Double
  /// By what share of itself each part raises the error.
  private let influences: [Double]

  /// By how much the error of any other way that makes an error small has to be lower than that of the smooth one over
  /// revenue alone, which is the least moved by chance.
  private static let handicap = 0.05
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
    influences = squares.map { part in
      zip(part, means).reduce(0) { $0 + ($1.0 / $1.1 - 1) } / (2 * sizes)
    }
  }

  private var handicapped: Double {
    choice == DesignChoice(scheme: .smooth) ? error : error * (1 + Self.handicap)
  }

  /// Chooses a way: the best that makes an error small if it is better than the best simple one by more than a standard
  /// error of their difference, and that simple one if not.
  ///
  /// - Parameters:
  ///   - folds: Into how many parts users are divided. Dividing them again makes the same users no new evidence, so that
  ///     it does not make the standard error smaller.
  /// - Returns: The choice; `nil` without ways.
  static func best(_ ways: [FoldErrors], folds: Int) -> DesignChoice? {
    let simple = ways.filter { $0.choice.scheme.cost == nil }.min { $0.error < $1.error }
    let optimal = ways.filter { $0.choice.scheme.cost != nil }.min { $0.handicapped < $1.handicapped }
    guard let simple, let optimal else { return (simple ?? optimal)?.choice }
    let differences = zip(simple.influences, optimal.influences).map { $0 - $1 }
    let mean = differences.reduce(0, +) / Double(max(1, differences.count))
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let standardError = (squares / Double(max(1, differences.count - 1)) / Double(max(1, folds))).squareRoot()
    return naturalLogarithm(simple.error / optimal.error) > standardError ? optimal.choice : simple.choice
  }
}
