import Ledger
import Values

/// Rows of a campaign report grouped by what their campaigns were called when the apps were launched.
///
/// Names are of an app, they change on days, and launches are dated by version and window, so that rows are asked for by these, too, and
/// added up afterwards.
struct NamedRows {
  private(set) var rows: [CampaignRow] = []
  private(set) var labels: [CampaignLabel] = []
  private(set) var tallies: [RevenueTally] = []
  private(set) var addedTallies: [RevenueTally] = []

  private enum Rank: Comparable {
    case row(Int)
    case name(String)
  }

  static func query(_ query: CampaignQuery) -> CampaignQuery {
    var wide = query
    let needed: [CampaignDimension] = [.app, .network, .campaign, .day, .version, .window]
    wide.dimensions += needed.filter { !query.dimensions.contains($0) }
    return wide
  }

  /// Groups the answer to ``query(_:)``.
  ///
  /// - Parameters:
  ///   - tallies: What the values of each come to.
  ///   - addedTallies: What these add to a sum of rows.
  ///   - matches: What each row's campaign is called.
  ///   - query: The question as it was asked.
  ///   - naming: What of the names distinguishes rows and decides what counts.
  init(
    _ wide: [CampaignRow], _ tallies: [RevenueTally], adding addedTallies: [RevenueTally],
    _ matches: [CampaignNames.Match], for query: CampaignQuery, by naming: CampaignNaming
  ) {
    struct Place: Hashable {
      let values: [DimensionValue?]
      let label: CampaignLabel
    }
    var groups: [Place: Int] = [:]
    /// The first row of the same stored dimensions, which keeps their order.
    var first: [[DimensionValue?]: Int] = [:]
    var order: [[Rank]] = []
    for (index, row) in wide.enumerated() where naming.admits(matches[index]) {
      let row = row.keeping(query.dimensions)
      let place = Place(
        values: query.dimensions.map { row[$0] }, label: CampaignLabel(matches[index], naming.dimensions))
      if let group = groups[place] {
        let days = rows[group].days
        rows[group].days =
          min(days.lowerBound, row.days.lowerBound)...max(days.upperBound, row.days.upperBound)
        rows[group].counts += row.counts
        self.tallies[group].add(tallies[index])
        self.addedTallies[group].add(addedTallies[index])
      } else {
        groups[place] = rows.count
        var stored: [DimensionValue?] = []
        order.append(
          naming.order.map { dimension in
            switch dimension {
            case .named(let dimension): return .name(place.label[dimension] ?? "")
            case .stored(let dimension):
              // Rows come sorted by these, so that the first row of the same values has their rank.
              stored.append(row[dimension])
              let number = first[stored] ?? rows.count
              first[stored] = number
              return .row(number)
            }
          })
        rows.append(row)
        labels.append(place.label)
        self.tallies.append(tallies[index])
        self.addedTallies.append(addedTallies[index])
      }
    }
    let sorted = rows.indices.sorted { order[$0].lexicographicallyPrecedes(order[$1]) }
    rows = sorted.map { rows[$0] }
    labels = sorted.map { labels[$0] }
    self.tallies = sorted.map { self.tallies[$0] }
    self.addedTallies = sorted.map { self.addedTallies[$0] }
  }
}
