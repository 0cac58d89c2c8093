/// What reports would show of campaigns of one size under a mapping.
public struct DesignScore: Hashable, Sendable {
  /// The installs of a campaign, spread over a week.
  public let installs: Int
  /// The campaigns.
  public let campaigns: Int
  /// The error where every value is shown.
  public let errorWhenShown: CampaignError
  /// The error after the crowd, with nulls filled in from the values shown.
  public let error: CampaignError
  /// The share of postbacks without a value.
  public let nullShare: Double
  /// The hours from the install by which half of the first postbacks have arrived.
  public let medianDelay: Int
  /// The hours from the install by which 95 of 100 have.
  public let longDelay: Int
  /// How many of the values were shown at least once.
  public let valuesShown: Int
}
