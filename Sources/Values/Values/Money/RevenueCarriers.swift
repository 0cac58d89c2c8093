/// How much of some users' revenue a few of them have, and what that does to the total of others.
public struct RevenueCarriers: Equatable, Sendable {
  /// The part of the revenue that the ten highest payers have.
  public let highest: Double
  /// By what part of the total the total of as many other users differs, as one standard deviation.
  ///
  /// Payers come by chance (a compound Poisson law), so that the variance of their sum is the sum of their squares.
  public let deviation: Double

  /// From this deviation on a total is in doubt for the few payers alone.
  private static let notable = 0.1
  private static let many = 10

  /// Takes users by their sums; `nil` where the deviation is small, or where none paid.
  ///
  /// - Parameters:
  ///   - sum: What they paid.
  ///   - squares: The sum of the squares of what each paid.
  ///   - amounts: What each paid, or at least what the ten highest did.
  public init?(sum: Double, squares: Double, amounts: some Sequence<Double>) {
    guard sum > 0, squares.squareRoot() >= Self.notable * sum else { return nil }
    let highest = amounts.sorted(by: >).prefix(Self.many).reduce(0, +)
    self.highest = min(1, highest / sum)
    deviation = squares.squareRoot() / sum
  }

  /// In words, without a full stop.
  package var sentence: Sentence {
    Sentence(
      "\(Self.many) users have \(number: percent(highest, 0)) of the revenue, so the total of as many other users "
        + "differs by ±\(number: percent(deviation, 0)) for that alone (one standard deviation), and by more if one of "
        + "them pays more than any of these")
  }
}
