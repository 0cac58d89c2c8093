import Campaigns
import Estimates
import Postbacks
import Values

/// What an answer follows from beside a fit.
struct EstimateQuestion: Hashable, Sendable {
  private let days: [Day?]
  private let apps: [AppID]
  private let networks: [String]
  private let by: [EstimateDimension]
  private let part: EstimateReport.Part
  private let currency: CurrencyCode?
  /// What rows are judged by and chosen by, which notes state.
  private let words: [String]
  private let leastInstalls: Int
  private let today: Day
  /// When the fit was made, where newer conversions are not in it.
  private let madeAt: Instant?
  /// How often spend, names and rates changed.
  private let rowChanges: Int64

  init(_ report: EstimateReport, today: Day, madeAt: Instant?, rowChanges: Int64) {
    days = [report.period.from, report.period.to]
    apps = report.scope.apps
    networks = report.scope.networks.map(\.canonical)
    (by, part) = (report.by, report.part)
    currency = report.currency
    words = [report.target.parameterText] + report.verdicts.map(\.rawValue)
    leastInstalls = report.leastInstalls
    (self.today, self.madeAt, self.rowChanges) = (today, madeAt, rowChanges)
  }
}
