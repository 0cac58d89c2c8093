/// What a plan is asked for.
package struct PlanQuestion: Sendable {
  /// The share of values that shall be shown, between 0 and 1.
  package var share = 0.8
  /// How many days are played, and how many a budget is for.
  package var days = 28
  /// The return that decides about a campaign.
  package var target = 1.0
  package var seed: UInt64 = 1
  package var budget: Double?
  /// Given costs per install by network; they count in place of those of own spend.
  package var costs: [String: Double] = [:]
  /// How many campaigns a network can have at most, by network; as many as there are two digits where it is not there.
  package var ids: [String: Int] = [:]
  /// The proposals that are predicted together; the usual choice where there are none.
  package var chosen: [String] = []

  /// From how many users of a campaign and week on a value is shown, where own postbacks show such a rule.
  package var sharing: Int?
  /// The fine values of the mapping in force, by app.
  package var values: [Int64: [Int]] = [:]
  package init() {}
}
