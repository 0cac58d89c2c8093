import Values

/// A group in parts, such as what was shown of one country and what shows none.
///
/// Its mix of values, and what all campaigns share in a draw, are those of the whole group, so that parts add up to it.
/// Intervals of parts are widened like those of the group; the fit and its calibration do not see parts.
package final class DividedCrowd: Sendable {
  /// More parts of all groups than these have no draws until these are asked for: a page shows a hundred rows.
  private static let mostDrawnApart = 20_000

  /// The parts; a day is there once for each of its parts.
  package let crowd: EstimatedCrowd
  /// Which of its day's parts each of them is.
  package let places: [Int]

  private init(_ crowd: EstimatedCrowd, places: [Int]) { (self.crowd, self.places) = (crowd, places) }

  /// Divides the groups of a set.
  ///
  /// - Parameters:
  ///   - groups: The parts of each group by day, in the set's order.
  ///   - set: What was fitted.
  /// - Throws: ``EstimationError`` for counts that are none.
  static func all(
    _ groups: [[(key: Day, value: [DayCounts])]], like set: CampaignSet, from fit: EstimatorFit,
    _ basis: EstimatedCrowd.Basis
  ) throws(EstimationError) -> [DividedCrowd] {
    let parts = groups.map { group in
      group.flatMap { day, parts in
        parts.enumerated().map { (place: $0, cell: (key: day, value: $1)) }
      }
    }
    let drawsLater = basis.drawsLater || parts.reduce(0) { $0 + $1.count } > mostDrawnApart
    let divided = try CampaignSet(
      campaigns: zip(set.campaigns, parts).map { whole, parts in
        RevealedCounts(
          name: whole.name,
          cells: parts.map { CellCounts(revealed: $0.cell.value.revealed, nulls: $0.cell.value.nulls) })
      }, worth: set.worth, firstParty: set.firstParty)
    let estimates = fit.estimates(of: divided, as: set)
    return parts.indices.map { index in
      let counts = divided.campaigns[index]
      return DividedCrowd(
        EstimatedCrowd(
          parts[index].map(\.cell), counts, estimates[index],
          drawsLater ? nil : basis.model?.draws(of: counts),
          withheld: fit.mix(of: set.campaigns[index], at: index),
          nullEnds: fit.nullEnds(of: set.campaigns[index], at: index, basis), basis),
        places: parts[index].map(\.place))
    }
  }
}
