import Postbacks
import Values

/// The SQL that a question about campaigns asks; everything put into it is a number of our own making.
struct CampaignPlan {
  /// No clock is further from UTC.
  private static let widestOffset = 26 * Hour.milliseconds

  /// Where postbacks are fewer, anything is fast, and totals are no larger than postbacks.
  static let fewPostbacks = 20 * FactBlocks.rows
  /// A cell of totals, with its values by the hour in rows of their own, takes the work of that many postbacks at most.
  static let postbacksPerCell: Int64 = 500
  static let fewCopies: Int64 = 20_000

  private let query: CampaignQuery
  private let networks: [Int64]?

  /// - Parameters:
  ///   - networks: The rows of its networks; `nil` for all.
  init(_ query: CampaignQuery, networks: [Int64]?) {
    self.query = query
    self.networks = networks
  }

  /// The cells with their counts: id, day, app, network, version, campaign, window, outcome, then the counts.
  var totals: String {
    let counts = TotalsColumn.allCases.map { "t.\($0.rawValue)" }.joined(separator: ", ")
    return """
      SELECT c.id, c.day, c.app, c.network, c.version, c.campaign, c.window, c.outcome, \(counts)
      FROM campaign_cell c CROSS JOIN campaign_total t ON t.cell = c.id WHERE \(cellConditions)
      """
  }

  /// How many cells there are in the days, up to a limit.
  func cellCount(upTo most: Int64) -> String {
    "SELECT count(*) FROM (SELECT 1 FROM campaign_cell WHERE \(dayConditions) LIMIT \(most))"
  }

  static let copyCellCount = """
    SELECT count(*) FROM (SELECT 1 FROM campaign_total WHERE repeats <> 0 OR conflicts <> 0 LIMIT \(fewCopies))
    """

  /// The cells that have copies: as ``totals``, but of the counts only those of copies.
  func copies(areFew: Bool) -> String {
    let tables = ["campaign_total t", "CROSS JOIN", "campaign_cell c"]
    return """
      SELECT c.id, c.day, c.app, c.network, c.version, c.campaign, c.window, c.outcome, t.repeats, t.conflicts
      FROM \((areFew ? tables : tables.reversed()).joined(separator: " ")) ON t.cell = c.id
      WHERE (t.repeats <> 0 OR t.conflicts <> 0) AND \(cellConditions)
      """
  }

  /// The values by hour of the same cells: id and count.
  ///
  /// `CROSS JOIN` holds SQLite to the order of the tables; left alone, it compares every value with every cell.
  var values: String {
    """
    SELECT v.id, v.postbacks
    FROM campaign_cell c CROSS JOIN value_hour v ON v.id BETWEEN c.id * 4096 AND c.id * 4096 + 4095
    WHERE \(cellConditions)
    """
  }

  /// The values of first windows by hour: app, network, campaign, version, day, hour, slot of the value, count, outcome.
  var firstWindowHours: String {
    """
    SELECT c.app, c.network, c.campaign, c.version, c.day, v.id >> 7 & 31, v.id & 127, v.postbacks, c.outcome
    FROM campaign_cell c CROSS JOIN value_hour v ON v.id BETWEEN c.id * 4096 AND c.id * 4096 + 4095
    WHERE \(cellConditions) AND c.window = 0
    """
  }

  /// The moments of arrival, in milliseconds, that can be of the days by any clock.
  var moments: Range<Int64> {
    let from = query.from.map { $0.start.milliseconds - Self.widestOffset } ?? .min
    return from..<max(from, query.to.map { $0.start.milliseconds + Self.widestOffset } ?? .max)
  }

  func admits(_ source: PostbackFacts.Source) -> Bool {
    source.environment == query.environment.code
      && (query.apps.isEmpty || query.apps.contains { $0.number == source.app })
      && networks?.contains(source.network) ?? true
  }

  private var cellConditions: String {
    (["environment = \(query.environment.code)"] + scope + [dayConditions]).joined(separator: " AND ")
  }

  private var dayConditions: String {
    let from = query.from.map { "day >= \($0.number)" }
    let to = query.to.map { "day < \($0.number)" }
    return (["true"] + [from, to].compactMap { $0 }).joined(separator: " AND ")
  }

  private var scope: [String] {
    func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }
    return (query.apps.isEmpty ? [] : ["app IN (\(list(query.apps.map(\.number))))"])
      + (networks.map { ["network IN (\(list($0)))"] } ?? [])
  }
}
