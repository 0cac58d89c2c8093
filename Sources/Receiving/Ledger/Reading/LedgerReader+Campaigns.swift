public import Postbacks
import SQLite
import Values
import Verification

extension LedgerReader {
  /// The rows of a campaign report, sorted by their dimensions.
  public func campaigns(_ query: CampaignQuery) throws(LedgerError) -> [CampaignRow] {
    try consistently { () throws(LedgerError) in try campaigns(query, decodingFor: []) { _, _ in }.rows }
  }

  /// The rows of a campaign report, and the values that came for some apps.
  ///
  /// Call it inside ``consistently(_:)``, so that the values add up to the counts.
  ///
  /// - Parameters:
  ///   - hourly: The days whose values are counted by the hour.
  ///   - isDaily: Whether the values of all other days are counted for each day; otherwise for all days between two that
  ///     are counted by the hour, with one day that stands for them.
  ///   - visit: Takes the index of a row, and postbacks of it.
  /// - Returns: The rows, sorted by their dimensions, and what is known of how many postbacks have a dimension.
  /// - Complexity: Linear in the postbacks of the days.
  public func campaigns(
    _ query: CampaignQuery, decodingFor apps: [AppID], hourly: [HourlyDays] = [], isDaily: Bool = true,
    _ visit: (Int, ValueCount) -> Void
  ) throws(LedgerError) -> CampaignAnswer {
    let decoded = DecodedDays(apps, hourly, isDaily: isDaily)
    let counted = try counted(query, apps.isEmpty ? .none : .decoding(decoded))
    guard var sum = counted?.sum, let codes = counted?.codes else {
      return CampaignAnswer(rows: [], coverage: [:])
    }
    // By what only single postbacks have, and by other days than UTC's, copies are not counted.
    let copies = query.looksAtPostbacks ? nil : try copies(of: query, in: &sum)
    var counter = CampaignCounter(sum.kinds)
    var rows: [CampaignRow] = []
    rows.reserveCapacity(sum.groups.count)
    for group in sum.groups.sorted(codes.order) {
      sum.runs.forEach(of: group) { kind, _, count in counter.add(kind, count) }
      var row = sum.row(group)
      row.counts = counter.takeCounts(copies: copies.map { $0[group] ?? (0, 0) })
      rows.append(row)
      counter.takeValues { visit(rows.count - 1, $0) }
    }
    return CampaignAnswer(rows: rows, coverage: sum.coverage)
  }

  /// Counts the postbacks of a question; `nil` where it names networks or apps and none of them is known or may be read.
  func counted(
    _ query: CampaignQuery, ofFirstWindows: Bool = false, keepingHours: Bool = false, _ times: FactTimes,
    environments: [Environment]? = nil
  ) throws(LedgerError) -> (sum: FactSum, codes: CampaignCodes)? {
    guard let rows = rows(of: query.networks), let apps = limit.apps(of: query.apps) else { return nil }
    var query = query
    query.apps = apps
    let asked = query.namedDimensions
    let codes = CampaignCodes(
      networks: networks,
      publishers: asked.contains(.publisher) ? try names(in: .publisher) : [:],
      marketplaces: asked.contains(.marketplace) ? try names(in: .marketplace) : [:])
    var sum = FactSum(
      query, codes, networks: rows.some, ofFirstWindows: ofFirstWindows, keepingHours: keepingHours, times,
      environments: environments)
    try sum.addAll(on: connection, helpedAfter: blocksBeforeHelp)
    return (sum, codes)
  }

  /// How many copies each group has, those that agree with the first and those that do not; groups of copies alone are
  /// added to the sum.
  private func copies(
    of query: CampaignQuery, in sum: inout FactSum
  ) throws(LedgerError) -> [Int: (repeats: Int64, conflicts: Int64)] {
    let select = try connection.prepare(
      """
      SELECT day, app, network, version, window, outcome, campaign, repeats, conflicts FROM copy_total
      WHERE environment = ?1 AND day >= ?2 AND day < ?3
      """)
    try select.bind(
      query.environment.code, Int64(query.from?.number ?? .min), Int64(query.to?.number ?? .max))
    var copies: [Int: (repeats: Int64, conflicts: Int64)] = [:]
    try select.forEachRow { row in
      let source = PostbackFacts.Source(
        environment: query.environment.code, app: row.count(1), network: row.count(2),
        version: row.count(3), window: row.count(4), outcome: row.count(5))
      let group = sum.group(
        of: source, CampaignDigits(row.text(6) ?? ""), utcDay: Int32(truncatingIfNeeded: row.count(0)))
      guard let group else { return }
      copies[group, default: (0, 0)].repeats += row.count(7)
      copies[group, default: (0, 0)].conflicts += row.count(8)
    }
    return copies
  }
}
