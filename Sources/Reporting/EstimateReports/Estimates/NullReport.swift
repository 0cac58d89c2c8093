import Arguments
package import Campaigns
package import Estimates
package import Ledger
import MappingLibrary
import Mappings
package import Postbacks
package import Values

/// How many values are withheld, where that changed, and the evidence for Apple's threshold.
package struct NullReport: Sendable {
  package var period = Period<Day>()
  package var scope = Scope()
  package var breakdown = Breakdown.campaign
  package var digits = 2
  /// Networks that report a withheld value as 0.
  package var nullIsZero: [AdNetworkID] = []
  package var seed = 1

  package init() {}

  /// What a row is about.
  package enum Breakdown: String, CaseIterable, ParameterValue { case campaign, day }

  /// One campaign, or one of its days of arrival.
  package struct Row: Sendable {
    let campaign: EstimatedCampaign
    /// What people call the campaign on the last day.
    let name: CampaignNames.Match
    /// The UTC day of arrival; `nil` for all that were asked for.
    package let day: Day?
    /// Winning first postbacks.
    package let postbacks: Int64
    /// Those of them without any value: withheld, or never set by the app.
    package let nulls: Int64
    /// The 90 % interval of the share of nulls.
    package let interval: Estimates.Interval
    /// Those of them with a coarse value: a group of tier 1, not a null.
    package let coarse: Int64
    /// Those of them with the value 0.
    package let zeroes: Int64
    /// Those of them with a value that no version of the mapping knows; 0 without a mapping.
    package let unmapped: Int64
    /// The days on which the share changed permanently.
    package let changes: [Change]
    /// How likely so large a change of the mix of values from the first half of the days to the second is by chance;
    /// `nil` where there are too few values.
    package let drift: Double?
  }

  /// A day on which a share changed permanently.
  package struct Change: Hashable, Sendable {
    let campaign: EstimatedCampaign
    let name: CampaignNames.Match
    /// The first day of the new share.
    package let day: Day
    let before: Double
    let after: Double
  }

  /// The evidence of all campaigns together on the rule by which Apple withholds values.
  package struct Evidence: Sendable {
    /// The size of a campaign's day of installs from which values are shown; `nil` where none is visible.
    package let threshold: CrowdThreshold?
    /// How few users of a campaign and week a value was shown for.
    package let sharing: FewestSharing
    /// Non-winning postbacks, which never have a value; by their nature, not for the size of a group.
    package let nonWinning: Int64
    /// The random seed of the tests of changes and of the threshold.
    package let seed: Int
  }

  /// The size of a campaign's day of installs from which values are shown; `nil` where none is visible.
  ///
  /// - Parameter now: The end of the days where none is asked for.
  package func threshold(from reader: LedgerReader, now: Instant) throws -> CrowdThreshold? {
    try counted(from: reader, now: now, hasRows: false).evidence.threshold
  }

  /// Counts a ledger's nulls, by app, network, campaign and day of arrival.
  ///
  /// - Parameters:
  ///   - now: The end of the days where none is asked for.
  ///   - hasRows: Whether rows are wanted besides the evidence of all.
  func counted(
    from reader: LedgerReader, now: Instant, hasRows: Bool = true
  ) throws -> (rows: [Row], evidence: Evidence) {
    let query = CampaignQuery(
      environment: scope.environment, from: period.from, to: period.to, apps: scope.apps,
      networks: scope.networks, dimensions: [])
    let zeroMeansNull = Set(nullIsZero.map(\.canonical))
    let (counts, catalog, names, nonWinning) = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      let counts = try catalog.firstWindowCounts(query, digits: digits, from: reader)
      let whole = try reader.campaigns(query, decodingFor: []) { _, _ in }
      let names = try CampaignNames.of(reader)
      return (counts, catalog, names, whole.rows.reduce(0) { $0 + $1.counts.assists })
    }
    let last = Day(number: min(period.to?.number ?? .max, now.day.next.number) - 1)
    var rows: [Row] = []
    var cells: [[ThresholdFit.Cell]] = []
    var firstDays: [Int] = []
    // What is not asked for, or still to come, is not known.
    var sharing = FewestSharing(
      known: Int(
        period.from?.number ?? 0)..<max(
          Int(period.from?.number ?? 0), Int(min(period.to ?? now.day, now.day).number)))
    ArrivedDays.forEach(
      of: counts, catalog, scope.environment.timers, zeroMeansNull: zeroMeansNull
    ) { arrived in
      firstDays.append(arrived.firstNumber)
      // A coarse value is of tier 1, between all and nothing, so it is no evidence on the threshold.
      let days = arrived.consecutive
      cells.append(
        days.map { tally in
          let known = tally.postbacks - tally.coarse
          return ThresholdFit.Cell(total: known, revealed: known - tally.nulls)
        })
      sharing.add(days.map(\.fine), from: arrived.firstNumber)
      guard hasRows else { return }
      let name = names.match(arrived.campaign, on: last)
      switch breakdown {
      case .day:
        rows += arrived.days.map { day in
          Row(
            ArrivedDays(campaign: arrived.campaign, days: [day]), name, day: day.key, seed: UInt64(seed))
        }
      case .campaign: rows.append(Row(arrived, name, day: nil, seed: UInt64(seed)))
      }
    }
    let evidence = Evidence(
      threshold: CrowdThreshold(cells, from: firstDays, seed: UInt64(seed)), sharing: sharing,
      nonWinning: nonWinning, seed: seed)
    return (rows, evidence)
  }
}

extension NullReport.Row {
  fileprivate init(
    _ arrived: ArrivedDays, _ name: CampaignNames.Match, day: Day?, seed: UInt64
  ) {
    let sum = arrived.days.reduce(ArrivedDays.Tally()) { $0 + $1.value }
    let campaign = arrived.campaign
    (self.campaign, self.name, self.day) = (campaign, name, day)
    postbacks = Int64(sum.postbacks)
    nulls = Int64(sum.nulls)
    interval = Estimates.Interval(shareOf: sum.nulls, in: sum.postbacks)
    coarse = Int64(sum.coarse)
    zeroes = Int64(sum.fine[0])
    unmapped = Int64(sum.unmapped)
    guard let first = arrived.days.first?.key, day == nil else {
      changes = []
      drift = nil
      return
    }
    let span = arrived.consecutive
    changes = ChangePoint.find(in: span.map { (count: $0.nulls, total: $0.postbacks) }, seed: seed).map {
      NullReport.Change(
        campaign: campaign, name: name, day: Day(number: first.number + Int32($0.day)), before: $0.before,
        after: $0.after
      )
    }
    let middle = span.count / 2
    func fine(_ days: ArraySlice<ArrivedDays.Tally>) -> [Double] {
      days.reduce(ArrivedDays.Tally()) { $0 + $1 }.fine
    }
    drift = MixDrift(fine(span[..<middle]), fine(span[middle...]))?.probability
  }
}
