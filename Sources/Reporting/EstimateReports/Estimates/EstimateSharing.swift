import Estimates
import Postbacks
import Values

/// What rows come to if postbacks that do not show a publisher or country are shared out like those that do.
///
/// Those of one campaign, currency, horizon and whatever else distinguishes rows are shared out by how many of them show
/// each; what shows a part of it, by those that agree. Where none does, they stay.
struct EstimateSharing {
  /// What is shared out together.
  private struct Pool: Hashable, Comparable {
    let place: EstimateParts.Place
    let campaign: EstimatedCampaign

    static func < (a: Self, b: Self) -> Bool {
      a.campaign == b.campaign ? a.place < b.place : a.campaign < b.campaign
    }
  }

  private struct Content {
    var installs = 0.0
    /// `nil` where a part has none.
    var estimate: Double? = 0
  }

  private var pools: [Pool: [ShownDetails: Content]] = [:]

  mutating func add(_ part: EstimatedSum.Part, _ campaign: EstimatedCampaign, at place: EstimateParts.Place) {
    guard let shown = place.group.traits?.shown else { return }
    let pool = Pool(place: place.showing(nil), campaign: campaign)
    var content = pools[pool]?[shown] ?? Content()
    content.installs += part.installs
    content.estimate = content.estimate.flatMap { sum in part.estimate.map { sum + $0 } }
    pools[pool, default: [:]][shown] = content
  }

  /// What each row comes to; none for a row with a part without an estimate.
  ///
  /// - Parameter isWhole: Whether something shows all that rows are distinguished by.
  func estimates(_ isWhole: (ShownDetails) -> Bool) -> [EstimateParts.Place: Double] {
    var sums: [EstimateParts.Place: Double?] = [:]
    func add(_ estimate: Double?, _ pool: Pool, _ shown: ShownDetails) {
      let place = pool.place.showing(shown)
      sums[place] = .some((sums[place] ?? 0).flatMap { sum in estimate.map { sum + $0 } })
    }
    for (pool, contents) in pools.ordered(by: { $0.key < $1.key }) {
      let sorted = contents.ordered { $0.key < $1.key }
      for (shown, content) in sorted {
        let others = isWhole(shown) ? [] : sorted.filter { isWhole($0.key) && shown.agree(with: $0.key) }
        let installs = others.reduce(0) { $0 + $1.value.installs }
        guard installs > 0 else {
          add(content.estimate, pool, shown)
          continue
        }
        // The row itself keeps nothing.
        add(0, pool, shown)
        for (other, known) in others {
          add(content.estimate.map { $0 * known.installs / installs }, pool, other)
        }
      }
    }
    return sums.compactMapValues(\.self)
  }
}

extension EstimateParts.Place {
  /// The same where something else is shown.
  func showing(_ shown: ShownDetails?) -> Self {
    var place = self
    place.group.traits?.shown = shown
    return place
  }
}
