import Values

extension EstimateReport {
  /// What rows rest on, beside counts.
  package struct Basis: Sendable {
    let report: EstimateReport
    let horizons: [EstimateHorizon]
    /// First postbacks of a time, or of an app, without a mapping.
    let withoutMapping: Double
    /// The advertiser's own users behind the amounts, over all versions of mappings that rows rest on.
    let ownUsers: Int
    /// How few of them have much of the revenue; `nil` where they are many, or none is known.
    let carriers: RevenueCarriers?
    /// Whether what own users of a value paid adds up to more than the largest amount.
    let didWorthSaturate: Bool
    /// What the totals have and no row, because all values of a row are withheld; by currency and horizon.
    let notDivided: [NotDivided]
    /// Whether a return leaves out installs or spend that the other side lacks.
    let hasOneSided: Bool
    /// Of how many campaigns own users are who show how far users of a value differ; 0 where none shows it.
    let ownCampaigns: Int
    let spend: EstimateSpend
    /// Versions of mappings whose postbacks have no figures, because nothing is known of their users by the horizon.
    let leftOut: [LeftOutVersion]
    /// Whether re-engagements have no row, because nothing is known of their revenue by the horizon.
    let leavesOutReengagements: Bool
    /// Campaigns with estimates, if they are so many that intervals are calibrated on some of them.
    let sampledCampaigns: Int?
  }
}
