import Estimates
import Values

/// Campaigns whose truth is known.
struct KnownCampaigns {
  let set: CampaignSet
  let truths: [Double]
  /// What the users of each cell paid, campaign by campaign.
  let cellTruths: [[Double]]

  /// What all 64 values are worth; those that no user has nothing.
  var worthOfAllValues: CodeWorth {
    let none = BucketWorth(mean: 0, spread: 0, low: 0, high: 0, users: 0)
    let buckets = set.worth.buckets
    return CodeWorth(buckets: buckets + [BucketWorth](repeating: none, count: 64 - buckets.count))
  }

  /// Makes campaigns of users of which most pay nothing and few pay much.
  static func random(
    _ random: inout SplitMix64, campaigns count: Int = 12, codes: Int = 9, cells: Int = 3, size: Int = 150,
    mechanism: NullMechanism = .soft(threshold: 30, slope: 0.35), spread: Double = 0.2
  ) throws -> Self {
    let users = (0..<4000).map { _ in
      // Three of four pay nothing; the others' code grows with the logarithm of what they pay.
      let code = random.happens(0.75) ? 0 : 1 + min(codes - 2, random.binomial(codes, 0.35))
      let amount = code == 0 ? 0 : Double(1 << min(code, 20)) * (1 + spread * (random.fraction() - 0.5))
      return UserPool.User(code: code, amount: amount)
    }
    var buckets: [BucketWorth] = []
    for code in 0..<codes {
      let amounts = users.filter { $0.code == code }.map(\.amount)
      let mean = amounts.reduce(0, +) / Double(max(1, amounts.count))
      let variance = amounts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, amounts.count))
      buckets.append(
        BucketWorth(
          mean: mean, spread: variance.squareRoot(), low: amounts.min() ?? 0, high: amounts.max() ?? 0,
          users: amounts.count))
    }
    guard let pool = UserPool(users: users) else { preconditionFailure("There are users.") }
    var made: [UserPool.Campaign] = []
    for campaign in 0..<count {
      let sizes = (0..<cells).map { _ in 1 + random.number(below: size) * (1 + campaign % 3) / 3 }
      made.append(
        pool.campaign(name: "c\(campaign)", sizes: sizes, codeCount: codes, mechanism: mechanism, &random))
    }
    return Self(
      set: try CampaignSet(campaigns: made.map(\.counts), worth: CodeWorth(buckets: buckets)),
      truths: made.map { $0.truth.reduce(0, +) }, cellTruths: made.map(\.truth))
  }
}
