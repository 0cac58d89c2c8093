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
    /// The smallest number of users of a campaign and week that a value was shown for; `nil` without values.
    package let smallest: SmallestCell?
    /// Non-winning postbacks, which never have a value; by their nature, not for the size of a group.
    package let nonWinning: Int64
    /// The random seed of the tests of changes and of the threshold.
    package let seed: Int
  }

  /// One campaign's day.
  fileprivate struct Tally {
    var postbacks = 0.0
    var nulls = 0.0
    var coarse = 0.0
    var unmapped = 0.0
    var fine = [Double](repeating: 0, count: 64)

    static func + (a: Tally, b: Tally) -> Tally {
      var sum = a
      sum.postbacks += b.postbacks
      sum.nulls += b.nulls
      sum.coarse += b.coarse
      sum.unmapped += b.unmapped
      sum.fine.add(b.fine)
      return sum
    }
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
    let (counts, meanings, names, nonWinning) = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      let counts = try catalog.firstWindowCounts(query, digits: digits, from: reader)
      let meanings = counts.kinds.map { Tally.Meaning($0, catalog, scope.environment.timers) }
      let whole = try reader.campaigns(query, decodingFor: []) { _, _ in }
      let names = try CampaignNames.of(reader)
      return (counts, meanings, names, whole.rows.reduce(0) { $0 + $1.counts.assists })
    }
    let campaigns = counts.campaigns.map(EstimatedCampaign.init)
    let last = Day(number: min(period.to?.number ?? .max, now.day.next.number) - 1)
    var rows: [Row] = []
    var cells: [[ThresholdFit.Cell]] = []
    var firstDays: [Int] = []
    var weeks: [[Double]] = []
    for place in campaigns.indices.sorted(by: { campaigns[$0] < campaigns[$1] }) {
      // One campaign at a time: the days of all of them together would take much memory.
      let campaign = campaigns[place]
      let zeroIsNull = zeroMeansNull.contains(campaign.network)
      var days: [Day: Tally] = [:]
      counts.forEach(ofCampaign: place) { kind, hour, postbacks in
        days[hour.day, default: Tally()].add(
          Double(postbacks), meanings[kind], zeroIsNull: zeroIsNull)
      }
      let sorted = days.sorted { $0.key < $1.key }
      firstDays.append(Int(sorted.first?.key.number ?? 0))
      // A coarse value is of tier 1, between all and nothing, so it is no evidence on the threshold.
      cells.append(
        consecutive(sorted).map { tally in
          let known = tally.postbacks - tally.coarse
          return ThresholdFit.Cell(total: known, revealed: known - tally.nulls)
        })
      var weekly: [Day: [Double]] = [:]
      for (day, tally) in sorted {
        weekly[day.monday, default: [Double](repeating: 0, count: 64)].add(tally.fine)
      }
      weeks += weekly.sorted { $0.key < $1.key }.map { $0.value.filter { $0 > 0 } }
      guard hasRows else { continue }
      let name = names.match(campaign, on: last)
      switch breakdown {
      case .day: rows += sorted.map { Row(campaign, name, day: $0.key, [$0], seed: UInt64(seed)) }
      case .campaign: rows.append(Row(campaign, name, day: nil, sorted, seed: UInt64(seed)))
      }
    }
    let evidence = Evidence(
      threshold: CrowdThreshold(cells, from: firstDays, seed: UInt64(seed)), smallest: SmallestCell(weeks),
      nonWinning: nonWinning,
      seed: seed)
    return (rows, evidence)
  }
}

/// All days from the first to the last, those without postbacks included.
private func consecutive(_ days: [(key: Day, value: NullReport.Tally)]) -> [NullReport.Tally] {
  guard let first = days.first?.key, let last = days.last?.key else { return [] }
  var all = [NullReport.Tally](repeating: NullReport.Tally(), count: Int(last.number - first.number) + 1)
  for (day, tally) in days { all[Int(day.number - first.number)] = tally }
  return all
}

extension [Double] {
  fileprivate mutating func add(_ others: [Double]) {
    for index in indices { self[index] += others[index] }
  }
}

extension NullReport.Tally {
  /// What the value of some postbacks counts as.
  fileprivate struct Meaning {
    let value: ConversionValue
    /// Whether no version of the mapping knows the fine value.
    let isUnmapped: Bool

    init(_ kind: FirstWindowKind, _ catalog: MappingCatalog, _ timers: DeviceTimers) {
      value = kind.value
      isUnmapped =
        if case .fine = kind.value { catalog.expectation(of: kind, timers)?.status == .unmapped } else {
          false
        }
    }
  }

  fileprivate mutating func add(_ count: Double, _ meaning: Meaning, zeroIsNull: Bool) {
    postbacks += count
    switch meaning.value {
    case .absent: nulls += count
    case .coarse: coarse += count
    case .rejected: unmapped += count
    case .fine(let value) where value.number == 0 && zeroIsNull: nulls += count
    case .fine(let value):
      fine[Int(value.number)] += count
      if meaning.isUnmapped { unmapped += count }
    }
  }
}

extension NullReport.Row {
  fileprivate init(
    _ campaign: EstimatedCampaign, _ name: CampaignNames.Match, day: Day?,
    _ days: [(key: Day, value: NullReport.Tally)], seed: UInt64
  ) {
    let sum = days.reduce(NullReport.Tally()) { $0 + $1.value }
    (self.campaign, self.name, self.day) = (campaign, name, day)
    postbacks = Int64(sum.postbacks)
    nulls = Int64(sum.nulls)
    interval = Estimates.Interval(shareOf: sum.nulls, in: sum.postbacks)
    coarse = Int64(sum.coarse)
    zeroes = Int64(sum.fine[0])
    unmapped = Int64(sum.unmapped)
    guard let first = days.first?.key, day == nil else {
      changes = []
      drift = nil
      return
    }
    let span = consecutive(days)
    changes = ChangePoint.find(in: span.map { (count: $0.nulls, total: $0.postbacks) }, seed: seed).map {
      NullReport.Change(
        campaign: campaign, name: name, day: Day(number: first.number + Int32($0.day)), before: $0.before,
        after: $0.after
      )
    }
    let middle = span.count / 2
    func fine(_ days: ArraySlice<NullReport.Tally>) -> [Double] {
      days.reduce(NullReport.Tally()) { $0 + $1 }.fine
    }
    drift = MixDrift(fine(span[..<middle]), fine(span[middle...]))?.probability
  }
}
