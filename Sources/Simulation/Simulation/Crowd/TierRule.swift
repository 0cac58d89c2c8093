/// Apple's four tiers, with numbers that are a guess: Apple publishes none.
///
/// Source for the rule: Apple, "Receiving postbacks in multiple conversion windows".
public struct TierRule: Equatable, Sendable {
  /// The installs of a day from which a group is in tier 1.
  public let first: Int
  /// The installs of a day from which a group is in tier 2.
  public let second: Int
  /// The installs of a day from which a group is in tier 3.
  public let third: Int

  /// The numbers that are taken when none are given.
  public static let standard = TierRule(first: 10, second: 45, third: 200)

  private init(first: Int, second: Int, third: Int) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// Joins the three numbers; `nil` unless they are above 0 and do not fall.
  public init?(_ first: Int, _ second: Int, _ third: Int) {
    guard first > 0, first <= second, second <= third else { return nil }
    self.init(first: first, second: second, third: third)
  }

  /// The tier of a group, 0 through 3.
  public func tier(of installs: Int) -> Int {
    if installs >= third { return 3 }
    if installs >= second { return 2 }
    return installs >= first ? 1 : 0
  }

  /// Picks among the forms of a source identifier.
  ///
  /// The highest tier wins; among equals the most digits; with 0 or 1 there are two digits.
  ///
  /// - Parameter crowds: The installs of the last two, three and four digits; shorter when the identifier is.
  /// - Returns: The tier and how many digits are sent.
  public func pick(_ crowds: [Int]) -> (tier: Int, digits: Int) {
    var best = (tier: 0, digits: 2)
    for (index, installs) in crowds.enumerated() where tier(of: installs) >= best.tier {
      best = (tier(of: installs), index + 2)
    }
    return best.tier <= 1 ? (best.tier, 2) : best
  }
}
