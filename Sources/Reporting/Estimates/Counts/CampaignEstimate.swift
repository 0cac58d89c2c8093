/// A range that holds an unknown number with some probability.
package struct Interval: Equatable, Sendable {
  package let low: Double
  package let high: Double

  package init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Returns whether a number lies within, ends included.
  package func contains(_ number: Double) -> Bool { low <= number && number <= high }

  /// How far the ends lie apart.
  package var width: Double { high - low }
}

/// A reason to look twice at an estimate.
package enum EstimateFlag: String, Hashable, Sendable, CaseIterable {
  /// All values of the campaign are withheld; its estimate is the app's.
  case nothingRevealed = "nothing-revealed"
  case mostlyHidden = "mostly-withheld"
  /// Values are withheld, none of any campaign is revealed, and no own users are known: there is no estimate.
  case noEvidence = "no-evidence"
  /// The amounts of the codes are the mapping's own words; no users are behind them.
  case amountsFromMapping = "amounts-from-mapping"
  /// A value without an upper limit, of which no own user is known, is shown, so that nothing bounds it above.
  case openEnded = "no-upper-limit"
  /// More values are withheld than the threshold rule can hide.
  case tooManyForRule = "too-many-for-rule"
  /// So many postbacks are left out that spend cannot be compared with the rest.
  case leftOut = "left-out"
  /// The return is without installs or spend that the other side lacks.
  case oneSided = "one-sided"
}

package struct CellEstimate: Equatable, Sendable {
  /// What the revealed values are worth.
  package let decoded: Double
  /// What the withheld values are estimated at; nil without evidence.
  package let imputed: Double?

  /// The estimate of the whole cell; nil without evidence.
  package var total: Double? { imputed.map { decoded + $0 } }
}

/// The estimate of one campaign; the whole is the sum of its cells, whatever range of them is taken.
package struct CampaignEstimate: Equatable, Sendable {
  package let name: String
  /// The estimates of the cells, in the campaign's order.
  package let cells: [CellEstimate]
  /// What to know before using the numbers.
  package let flags: Set<EstimateFlag>

  /// What the revealed values are worth.
  package var decoded: Double { cells.reduce(0) { $0 + $1.decoded } }

  /// What the withheld values are estimated at; nil without evidence.
  package var imputed: Double? {
    cells.reduce(Double?.some(0)) { sum, cell in sum.flatMap { sum in cell.imputed.map { sum + $0 } } }
  }

  /// The estimate as a part of larger sums; nil without evidence.
  ///
  /// To show a campaign on its own, use ``headline``.
  package var total: Double? { imputed.map { decoded + $0 } }

  /// The number that may be shown alone; nil for a campaign that reveals nothing, which has only an interval.
  package var headline: Double? {
    flags.isDisjoint(with: [.nothingRevealed, .noEvidence]) ? total : nil
  }

  /// The share of the estimate that withheld values make up; nil without evidence or where the estimate is 0.
  package var imputedShare: Double? {
    guard let imputed, let total, total != 0 else { return nil }
    return imputed / total
  }

  /// The estimate where withheld values are worth some share more or less than the model predicts.
  ///
  /// A pattern mixture, E[value | withheld] = (1 + δ) · model: nothing in the postbacks can show δ.
  ///
  /// - Parameter delta: The share, as 0.3 for thirty per cent more.
  /// - Returns: The estimate; nil without evidence.
  package func total(withHiddenWorth delta: Double) -> Double? { imputed.map { decoded + (1 + delta) * $0 } }

  /// The deviations that are shown beside an estimate.
  package static let sensitivity: [Double] = [-0.3, 0, 0.3]
}

extension RevealedCounts {
  /// Returns the least and the most that the campaign can be worth, whatever the withheld values are.
  ///
  /// Every revealed value is within its value's bounds, every withheld one within those of all values. It holds without
  /// any assumption and is wide; where a code is open above and has users, or may have, there is no most. Source:
  /// Manski, "Partial identification of probability distributions", 2003.
  package func worstCase(_ worth: CodeWorth) -> Interval {
    CellCounts(revealed: revealed, nulls: nulls).worstCase(worth, ends: worth.ends)
  }
}

extension CellCounts {
  /// - Parameter ends: Those of all values, which are looked for once.
  func worstCase(_ worth: CodeWorth, ends: Interval) -> Interval {
    var low = nulls * ends.low
    // No users times an open end is zero, not an undefined number.
    var high = nulls > 0 ? nulls * ends.high : 0
    for entry in revealed.entries where entry.count > 0 {
      low += entry.count * worth.buckets[entry.code].low
      high += entry.count * worth.buckets[entry.code].high
    }
    return Interval(low: low, high: high)
  }
}

extension CodeWorth {
  /// The least and the most that a user of any value can be worth.
  var ends: Interval {
    Interval(low: buckets.map(\.low).min() ?? 0, high: buckets.map(\.high).max() ?? 0)
  }
}
