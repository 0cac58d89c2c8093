import Campaigns
import Estimates
import Ledger
import Postbacks
import Values

/// What a fit follows from beside the database; nothing of it is of days, rows, money or verdicts.
struct FitSettings: Hashable, Sendable {
  let environment: Environment
  /// Last digits of a source identifier that distinguish campaigns.
  let digits: Int
  /// What distinguishes postbacks of a campaign.
  let traits: [CampaignDimension]
  /// Whether cells have parts by what only some postbacks show.
  let isDivided: Bool
  /// Networks in lower case whose zeroes count as withheld.
  let nullIsZero: Set<String>
  /// The event whose users are estimated; `nil` for revenue.
  let event: String?
  let horizon: WorthHorizon
  let zone: ReportingZone
  let estimator: Estimator
  let seed: Int

  init(_ report: EstimateReport) {
    environment = report.scope.environment
    digits = report.digits
    traits = report.by.ofPostbacks
    isDivided = report.by.contains(where: \.isPartlyShown)
    nullIsZero = Set(report.nullIsZero.map(\.canonical))
    event = report.event
    horizon = report.days.map { .days($0) } ?? .firstWindow
    zone = report.zone
    (estimator, seed) = (report.estimator, report.seed)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(environment)
    hasher.combine(digits)
    hasher.combine(traits)
    hasher.combine(horizon)
    hasher.combine(event)
  }
}
