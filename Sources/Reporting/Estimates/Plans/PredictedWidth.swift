/// How wide the interval of a changed campaign's return will be, by its middle.
struct PredictedWidth {
  /// That of the members' sum today.
  let now: Double
  let then: CampaignPlan.Predicted
  /// About how many days until its return is decided; `nil` where that is unknown, or over a year.
  let days: Int?

  private static let daysToArrive = 5.0
  private static let mostDays = 365.0

  init?(of change: PlanProposals.Change, _ ground: PlanGround) {
    let own = change.members.map { ground.campaigns[$0].money }
    let sums = own.compactMap(\.sum)
    guard sums.count == own.count, let now = EstimatedSum.width(of: sums),
      let then = ground.widths?.predicted(change.then)
    else { return nil }
    (self.now, self.then) = (now, then)
    days = Self.days(
      own, now: now, then: then.mean, of: Double(ground.forecast.days), target: ground.question.target)
  }

  /// The same law as that of a campaign's days to decide, for a campaign that begins anew.
  private static func days(
    _ own: [PlannedCampaign.Money], now: Double, then: Double, of days: Double, target: Double
  ) -> Int? {
    let paid = own.compactMap { money in money.returns.flatMap { value in money.spend.map { (value, $0) } } }
    let spend = paid.reduce(0) { $0 + $1.1 }
    guard paid.count == own.count, spend > 0 else { return nil }
    let value = paid.reduce(0) { $0 + $1.0 * $1.1 } / spend
    let half = then * value / 2
    guard half > 0 else { return nil }
    let sums = own.compactMap(\.sum)
    // What values are worth stays as uncertain as it is.
    let lasting = min(1, (sums.first?.lastingShare ?? 1) * (now / then) * (now / then))
    let wanted = (value - target) * (value - target) / (half * half)
    guard wanted > lasting else { return nil }
    let needed = (days * (1 - lasting) / (wanted - lasting)).rounded(.up) + daysToArrive
    return needed <= mostDays ? Int(needed) : nil
  }
}

extension EstimatedSum {
  /// The width of the interval of what sums come to together, by their worth.
  static func width(of sums: [EstimatedSum]) -> Double? {
    let whole = sums.count == 1 ? sums[0] : EstimatedSum(sums.flatMap(\.parts), isOfOneCampaign: false)
    guard let whole, let worth = whole.total, worth > 0, let interval = whole.interval else { return nil }
    return interval.width / worth
  }
}

extension PlannedCampaign {
  static let soon = 28

  /// Whether its return is decided, or will be in four weeks.
  var isDecidedSoon: Bool {
    money.isDecided || money.daysToDecide.map { $0 <= Self.soon } ?? false
  }
}
