package import Estimates
package import Tables
package import Values

extension EstimateReport {
  /// What rows rest on, beside counts.
  package struct Basis: Sendable {
    let report: EstimateReport
    package let horizons: [EstimateHorizon]
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
    /// When the estimates were made, where conversions have arrived since then that are not in them.
    package let isWithoutNewerThan: Instant?

    package var estimator: Estimator { report.estimator }
  }

  package static let basis = Detail<Basis>("basis", Basis.columns)
}

extension EstimateReport.Basis {
  fileprivate static let columns = [event, horizons, windows, estimator, seed, ownUsers, withoutMapping]
  package static let event = Column<Self>(
    "event", "event", "Event whose users are estimated; none for revenue.", none: "revenue"
  ) { $0.report.event }
  package static let horizons = Column<Self>(
    "horizons", "horizon", "How long after the install counts: hours (h), days (d), or all of window 1."
  ) { $0.horizons.map(\.columnText) }
  package static let windows = Column<Self>("windows", "windows", "Windows whose postbacks are counted.") {
    _ in
    "1"
  }
  package static let estimator = Column<Self>("estimator", "estimator", "Estimator of withheld values.") {
    $0.estimator.name
  }
  package static let seed = Column<Self>("seed", "random seed", "Random seed.") {
    Identifier("\($0.report.seed)")
  }
  package static let ownUsers = Column<Self>(
    "own-users", "own users", "The advertiser's own users whose amounts the rows rest on.", \.ownUsers)
  package static let withoutMapping = Column<Self>(
    "without-mapping", "without mapping", "First postbacks that arrived while no mapping was in force."
  ) { ExpectedCount($0.withoutMapping) }
}
