import Ledger
import Postbacks
import Values

/// Rows of a campaign report grouped by what their campaigns were called when the apps were launched.
///
/// Names change on days and launches are dated by version and window, so that rows are asked for by these, too, and
/// added up afterwards.
struct NamedRows {
  private(set) var rows: [CampaignRow] = []
  private(set) var labels: [CampaignLabel] = []
  private(set) var tallies: [RevenueTally] = []

  /// The question that has all that names depend on.
  static func query(_ query: CampaignQuery) -> CampaignQuery {
    var wide = query
    let needed: [CampaignDimension] = [.network, .campaign, .day, .version, .window]
    wide.dimensions += needed.filter { !query.dimensions.contains($0) }
    return wide
  }

  /// Groups the answer to ``query(_:)``.
  ///
  /// - Parameters:
  ///   - wide: The rows of that answer.
  ///   - tallies: What the values of each come to.
  ///   - matches: What each row's campaign is called.
  ///   - query: The question as it was asked.
  ///   - dimensions: What of the names distinguishes rows.
  init(
    _ wide: [CampaignRow], _ tallies: [RevenueTally], _ matches: [CampaignNames.Match],
    for query: CampaignQuery,
    by dimensions: [NameDimension]
  ) {
    struct Place: Hashable {
      let words: [String?]
      let label: CampaignLabel
    }
    var groups: [Place: Int] = [:]
    /// The first row of the same stored dimensions, which keeps their order.
    var first: [[String?]: Int] = [:]
    var order: [(Int, [String])] = []
    for (index, row) in wide.enumerated() {
      let row = row.keeping(query.dimensions)
      let words = query.dimensions.map(row.word) + [row.campaign?.kind]
      let place = Place(words: words, label: CampaignLabel(matches[index], dimensions))
      if let group = groups[place] {
        let days = rows[group].days
        rows[group].days =
          min(days.lowerBound, row.days.lowerBound)...max(days.upperBound, row.days.upperBound)
        rows[group].counts += row.counts
        self.tallies[group].add(tallies[index])
      } else {
        groups[place] = rows.count
        let number = first[words] ?? rows.count
        first[words] = number
        order.append((number, place.label.key(dimensions)))
        rows.append(row)
        labels.append(place.label)
        self.tallies.append(tallies[index])
      }
    }
    let sorted = rows.indices.sorted { a, b in
      order[a].0 != order[b].0 ? order[a].0 < order[b].0 : order[a].1.lexicographicallyPrecedes(order[b].1)
    }
    rows = sorted.map { rows[$0] }
    labels = sorted.map { labels[$0] }
    self.tallies = sorted.map { self.tallies[$0] }
  }
}

extension CampaignRow {
  /// The same without the dimensions that were added for names.
  fileprivate func keeping(_ dimensions: [CampaignDimension]) -> Self {
    var row = self
    if !dimensions.contains(.network) { row.network = nil }
    if !dimensions.contains(.campaign) { row.campaign = nil }
    if !dimensions.contains(.day) { row.day = nil }
    if !dimensions.contains(.version) { row.version = nil }
    if !dimensions.contains(.window) { row.window = nil }
    return row
  }
}
