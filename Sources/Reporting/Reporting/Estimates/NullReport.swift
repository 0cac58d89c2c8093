package import Estimates
package import Ledger
import MappingLibrary
import Mappings
import Postbacks
package import Values
import Verification

/// How many values are withheld, where that changed, and what it tells of the threshold.
package struct NullReport: Sendable {
  /// One campaign, or one of its days of arrival.
  package struct Row: Sendable {
    let campaign: EstimatedCampaign
    /// The UTC day of arrival; `nil` for all that were asked for.
    package let day: Day?
    /// Winning first postbacks.
    package let postbacks: Double
    /// Those of them without any value: withheld, or never set by the app.
    package let nulls: Double
    /// The share of nulls in per cent of one, with its 90 % interval.
    package let interval: Interval
    /// Those of them with a coarse value: a crowd of tier 1, not a null.
    package let coarse: Double
    /// Those of them with the value 0.
    package let zeroes: Double
    /// Those of them with a value that no version of the mapping knows; 0 without a mapping.
    package let unmapped: Double
    /// The days on which the share changed for good.
    package let changes: [Change]
    /// How likely so large a change of the mix of values from the first half of the days to the second is by chance;
    /// `nil` where there are too few values.
    package let drift: Double?
  }

  /// A day on which a share changed for good.
  package struct Change: Hashable, Sendable {
    /// The first day of the new share.
    package let day: Day
    /// The share before.
    package let before: Double
    /// The share from then on.
    package let after: Double
  }

  /// The rows, by app, network, campaign and day.
  package let rows: [Row]
  /// The size of a campaign's day of installs from which values are shown; `nil` where none is visible.
  package let threshold: CrowdThreshold?
  /// The smallest number of users of a campaign and week that a value was shown for; `nil` without values.
  package let smallest: SmallestCell?
  /// Non-winning postbacks, which never have a value; by their nature, not for a crowd.
  package let assists: Int64
  /// The random seed of the tests of changes and of the threshold.
  package let seed: UInt64

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

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - query: The question; its days are days of arrival here.
  ///   - reader: The ledger.
  /// - Throws: ``LedgerError``.
  package init(_ query: EstimateQuery, from reader: LedgerReader) throws {
    var tallies: [EstimatedCampaign: [Day: Tally]] = [:]
    assists = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      try reader.forEachFirstWindowHour(query.environment) { row in
        let campaign = EstimatedCampaign(row, digits: query.digits)
        let day = row.hour.day
        guard query.apps.isEmpty || query.apps.contains(row.app),
          query.networks.isEmpty || query.networks.contains(row.network),
          query.from.map({ day >= $0 }) ?? true, query.to.map({ day < $0 }) ?? true
        else { return }
        tallies[campaign, default: [:]][day, default: Tally()].add(row, catalog, query)
      }
      let counts = try reader.campaigns(
        CampaignQuery(
          environment: query.environment, from: query.from, to: query.to, apps: query.apps,
          networks: query.networks.compactMap { AdNetworkID($0) }, dimensions: []), decodingFor: []
      ) { _, _ in }
      return counts.reduce(0) { $0 + $1.counts.assists }
    }
    var rows: [Row] = []
    var cells: [[ThresholdFit.Cell]] = []
    var weeks: [[Double]] = []
    for (campaign, days) in tallies.sorted(by: { $0.key < $1.key }) {
      let sorted = days.sorted { $0.key < $1.key }
      // A coarse value is of tier 1, between all and nothing, so that it says nothing of the threshold.
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
      if query.byDay {
        rows += sorted.map { Row(campaign, day: $0.key, [$0], seed: query.seed) }
      } else {
        rows.append(Row(campaign, day: nil, sorted, seed: query.seed))
      }
    }
    self.rows = rows
    threshold = CrowdThreshold(cells, seed: query.seed)
    smallest = SmallestCell(weeks)
    seed = query.seed
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
  fileprivate mutating func add(_ row: FirstWindowHour, _ catalog: MappingCatalog, _ query: EstimateQuery) {
    let count = Double(row.postbacks)
    postbacks += count
    switch row.value {
    case .absent: nulls += count
    case .coarse: coarse += count
    case .rejected: unmapped += count
    case .fine(let value):
      if value.number == 0, query.zeroMeansNull.contains(row.network) {
        nulls += count
        return
      }
      fine[Int(value.number)] += count
      guard let history = catalog.histories[row.app] else { return }
      let expectation = history.expectation(
        of: row.value, version: row.version, window: .first, timers: query.environment.timers,
        arrival: row.hour..<(row.hour + 3_600_000))
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
    interval = Interval(shareOf: sum.nulls, in: sum.postbacks)
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
        day: Day(number: first.number + Int32($0.day)), before: $0.before, after: $0.after)
    }
    let middle = span.count / 2
    func fine(_ days: ArraySlice<NullReport.Tally>) -> [Double] {
      days.reduce(NullReport.Tally()) { $0 + $1 }.fine
    }
    drift = MixDrift(fine(span[..<middle]), fine(span[middle...]))?.probability
  }
}
