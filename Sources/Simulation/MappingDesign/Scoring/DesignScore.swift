/// What reports would show of campaigns of one size under a mapping.
package struct DesignScore: Equatable, Sendable {
  /// The installs of a campaign, spread over a week.
  package let installs: Int
  package let campaigns: Int
  /// The error where every value is shown.
  package let errorWhenShown: CampaignError
  /// The error under the privacy threshold model, with nulls filled in from the values shown.
  package let error: CampaignError
  /// The share of postbacks without a value.
  package let nullShare: Double
  /// The hours from the install by which half of the first postbacks have arrived.
  package let medianDelay: Int
  /// The hours from the install by which 95 of 100 have.
  package let longDelay: Int
  /// How many of the values were shown at least once.
  package let valuesShown: Int
}
