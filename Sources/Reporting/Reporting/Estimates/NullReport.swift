package import Estimates
import Ledger
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

  /// One campaign, or one of its days of arrival.
  package struct Row: Sendable {
    let campaign: EstimatedCampaign
    /// The UTC day of arrival; `nil` for all that were asked for.
    package let day: Day?
    /// Winning first postbacks.
    package let postbacks: Double
    /// Those of them without any value: withheld, or never set by the app.
    package let nulls: Double
    /// The 90 % interval of the share of nulls.
    package let interval: Estimates.Interval
    /// Those of them with a coarse value: a group of tier 1, not a null.
    package let coarse: Double
    /// Those of them with the value 0.
    package let zeroes: Double
    /// Those of them with a value that no version of the mapping knows; 0 without a mapping.
    package let unmapped: Double
    /// The days on which the share changed permanently.
    package let changes: [Change]
    /// How likely so large a change of the mix of values from the first half of the days to the second is by chance;
    /// `nil` where there are too few values.
    package let drift: Double?
  }

  /// A day on which a share changed permanently.
  package struct Change: Hashable, Sendable {
    let campaign: EstimatedCampaign
    /// The first day of the new share.
    package let day: Day
    package let before: Double
    package let after: Double
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
      for index in sum.fine.indices { sum.fine[index] += b.fine[index] }
      return sum
    }
  }

  /// Counts a ledger's nulls, by app, network, campaign and day of arrival.
  ///
  func counted(from reader: LedgerReader) throws -> (rows: [Row], evidence: Evidence) {
    let query = CampaignQuery(
      environment: scope.environment, from: period.from, to: period.to, apps: scope.apps,
      networks: scope.networks, dimensions: [])
    let zeroMeansNull = Set(nullIsZero.map(\.canonical))
    var tallies: [EstimatedCampaign: [Day: Tally]] = [:]
    let nonWinning = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      try reader.forEachFirstWindowHour(query) { row in
        tallies[EstimatedCampaign(row, digits: digits), default: [:]][row.hour.day, default: Tally()].add(
          row, catalog, scope.environment.timers, zeroIsNull: zeroMeansNull.contains(row.network))
      }
      let counts = try reader.campaigns(query, decodingFor: []) { _, _ in }
      return counts.rows.reduce(0) { $0 + $1.counts.assists }
    }
    var rows: [Row] = []
    var cells: [[ThresholdFit.Cell]] = []
    var weeks: [[Double]] = []
    for (campaign, days) in tallies.sorted(by: { $0.key < $1.key }) {
      let sorted = days.sorted { $0.key < $1.key }
      // A coarse value is of tier 1, between all and nothing, so it is no evidence on the threshold.
      cells.append(
        consecutive(sorted).map { tally in
          let known = tally.postbacks - tally.coarse
          return ThresholdFit.Cell(total: known, revealed: known - tally.nulls)
        })
      var weekly: [Int32: [Double]] = [:]
      for (day, tally) in sorted {
        weekly[(day.number + 3) / 7, default: [Double](repeating: 0, count: 64)] =
          zip(weekly[(day.number + 3) / 7] ?? [Double](repeating: 0, count: 64), tally.fine).map(+)
      }
      weeks += weekly.sorted { $0.key < $1.key }.map(\.value)
      switch breakdown {
      case .day: rows += sorted.map { Row(campaign, day: $0.key, [$0], seed: UInt64(seed)) }
      case .campaign: rows.append(Row(campaign, day: nil, sorted, seed: UInt64(seed)))
      }
    }
    let evidence = Evidence(
      threshold: CrowdThreshold(cells, seed: UInt64(seed)), smallest: SmallestCell(weeks),
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

extension NullReport.Tally {
  fileprivate mutating func add(
    _ row: FirstWindowHour, _ catalog: MappingCatalog, _ timers: DeviceTimers, zeroIsNull: Bool
  ) {
    let count = Double(row.postbacks)
    postbacks += count
    switch row.value {
    case .absent: nulls += count
    case .coarse: coarse += count
    case .rejected: unmapped += count
    case .fine(let value):
      if value.number == 0, zeroIsNull {
        nulls += count
        return
      }
      fine[Int(value.number)] += count
      guard let history = catalog.histories[row.app] else { return }
      let expectation = history.expectation(
        of: row.value, version: row.version, window: .first, timers: timers,
        arrival: row.hour.followingHour, type: row.outcome.conversionType)
      if expectation.status == .unmapped { unmapped += count }
    }
  }
}

extension NullReport.Row {
  fileprivate init(
    _ campaign: EstimatedCampaign, day: Day?, _ days: [(key: Day, value: NullReport.Tally)], seed: UInt64
  ) {
    let sum = days.reduce(NullReport.Tally()) { $0 + $1.value }
    self.campaign = campaign
    self.day = day
    postbacks = sum.postbacks
    nulls = sum.nulls
    interval = Estimates.Interval(shareOf: sum.nulls, in: sum.postbacks)
    coarse = sum.coarse
    zeroes = sum.fine[0]
    unmapped = sum.unmapped
    guard let first = days.first?.key, day == nil else {
      changes = []
      drift = nil
      return
    }
    let span = consecutive(days)
    changes = ChangePoint.find(in: span.map { (count: $0.nulls, total: $0.postbacks) }, seed: seed).map {
      NullReport.Change(
        campaign: campaign, day: Day(number: first.number + Int32($0.day)), before: $0.before, after: $0.after
      )
    }
    let middle = span.count / 2
    func fine(_ days: ArraySlice<NullReport.Tally>) -> [Double] {
      days.reduce(NullReport.Tally()) { $0 + $1 }.fine
    }
    drift = MixDrift(fine(span[..<middle]), fine(span[middle...]))?.probability
  }
}
