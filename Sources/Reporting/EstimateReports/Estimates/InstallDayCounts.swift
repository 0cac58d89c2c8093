package import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Postbacks
package import Values

/// Installs by day of all campaigns together, inferred from the hours of arrival like those of estimates, without what
/// withheld values are worth: that takes a fit of every campaign.
package struct InstallDayCounts: Sendable {
  package struct Arrived: Sendable {
    /// Winning first postbacks that have arrived.
    package fileprivate(set) var installs = 0.0
    /// Those with what is still to come, added up app by app; `nil` while too little of an app's has arrived.
    package fileprivate(set) var expected: Double? = 0
    /// The shares of the apps' first postbacks that are expected to have come by now.
    fileprivate var shares: Set<Double> = []

    /// The share of the first postbacks that is expected to have come by now; `nil` where apps whose numbers are not
    /// known yet have different shares.
    package var completeness: Double? {
      if let expected, expected > 0 { return installs / expected }
      return shares.count == 1 ? shares.first : nil
    }

    /// Shares up to this one are too small to estimate from what has arrived how much will.
    private static let leastShare = 0.05

    fileprivate mutating func add(_ installs: Double, arrived share: Double) {
      self.installs += installs
      shares.insert(share)
      expected = share > Self.leastShare ? expected.map { $0 + installs / share } : nil
    }
  }

  /// The days on which an app has postbacks, of all apps together; each app by its own share, because apps send at
  /// different times after an install.
  package let days: [Day: Arrived]

  private struct Question: Hashable, Sendable {
    let days: Range<Day>
    let apps: [AppID]
    let networks: [String]
    let environment: Environment
  }

  private final class Kept: KeptPart {
    let counts: InstallDayCounts

    init(_ counts: InstallDayCounts) { self.counts = counts }

    var bytes: Int { 200 * counts.days.count }
    var isForOthers: Bool { true }
    func shrink() -> Bool { false }
  }

  /// The installs as the source keeps them, or counted now.
  package static func of(_ days: Range<Day>, _ scope: Scope, from source: ReportSource) throws -> Self {
    guard let keeper = source.keeper else { return try Self(days, scope, from: source) }
    let question = Question(
      days: days, apps: scope.apps, networks: scope.networks.map(\.canonical), environment: scope.environment)
    let state = PartKeeper.State(try source.reader.estimateInputs(), source.now.startOfHour)
    return try keeper.part(
      question, of: state, now: source.now, canBeBehind: source.canBeBehind, mayMake: source.makesParts
    ) {
      Kept(try Self(days, scope, from: source))
    }.part.counts
  }

  /// Counts a ledger's installs.
  ///
  /// - Parameters:
  ///   - scope: The environment, and the apps and networks whose installs count.
  package init(_ days: Range<Day>, _ scope: Scope, from source: ReportSource) throws {
    let reader = source.reader
    let (catalog, counts) = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      // Two digits are what postbacks without a value have.
      let query = CampaignQuery(environment: scope.environment)
      return (catalog, try catalog.firstWindowCounts(query, digits: 2, from: reader))
    }
    let found = InstallCells(
      ofAllCampaigns: counts, of: scope.networks, catalog, scope.environment.timers, now: source.now)
    var installs: [AppID: [Day: Double]] = [:]
    for (scheme, campaigns) in found.cells where scope.apps.isEmpty || scope.apps.contains(scheme.app) {
      for (day, counts) in campaigns[.all(of: scheme.app)] ?? [:] where days.contains(day) {
        installs[scheme.app, default: [:]][day, default: 0] +=
          counts.postbacks
      }
    }
    var arrived: [Day: Arrived] = [:]
    for (app, installs) in installs.ordered(by: { $0.key < $1.key }) {
      // Days without a postback of this app count too: some may be still to come.
      for (day, share) in found.completeness[app] ?? [:] where days.contains(day) {
        arrived[day, default: Arrived()].add(installs[day] ?? 0, arrived: share)
      }
    }
    self.days = arrived
  }
}
