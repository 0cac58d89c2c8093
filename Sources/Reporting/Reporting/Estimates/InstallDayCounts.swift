import Estimates
import Ledger
import MappingLibrary
import Postbacks
package import Values

/// Installs by day of all campaigns together, inferred from the hours of arrival like those of estimates, without what
/// withheld values are worth: that takes a fit of every campaign.
package struct InstallDayCounts: Sendable {
  /// Winning first postbacks by the day of the install, of those that have arrived.
  package let installs: [Day: Double]
  /// The share of each day's first postbacks that is expected to have come by now.
  package let completeness: [Day: Double]
  /// Campaigns by days: what an estimate of all campaigns takes time for.
  package let campaignDays: Int

  /// Counts a ledger's installs.
  ///
  /// - Parameters:
  ///   - days: The days of install.
  ///   - scope: The environment, and the apps and networks whose installs count.
  ///   - source: The ledger.
  /// - Throws: ``LedgerError``.
  package init(_ days: Range<Day>, _ scope: Scope, from source: ReportSource) throws {
    let reader = source.reader
    let (catalog, summary) = try reader.consistently { () throws(LedgerError) in
      (try MappingCatalog(from: reader), try reader.firstWindowSummary(scope.environment, of: scope.networks))
    }
    campaignDays = summary.campaigns * summary.days
    let found = InstallCells(ofAllCampaigns: summary, catalog, scope.environment.timers, now: source.now)
    var (installs, completeness): ([Day: Double], [Day: Double]) = ([:], [:])
    for (scheme, campaigns) in found.cells.sorted(by: { $0.key.app < $1.key.app })
    where scope.apps.isEmpty || scope.apps.contains(scheme.app) {
      for (day, counts) in campaigns[.all(of: scheme.app)] ?? [:] where days.contains(day) {
        installs[day, default: 0] +=
          counts.revealed.reduce(0, +) + counts.nulls + counts.coarse + counts.unmapped
        completeness[day] = found.completeness[scheme.app]?[day] ?? completeness[day]
      }
    }
    (self.installs, self.completeness) = (installs, completeness)
  }
}
