/// The users who convert through one campaign and are of one origin; the groups of a model are sums of these.
struct CrowdGroup: Hashable, Sendable {
  let campaign: String
  /// Where they come from, as far as the model and the version look at it.
  let origin: UserOrigin
}

/// How many users a campaign has on each day, gathered in a first pass; parts can be merged in any order.
public struct CrowdCounts: Equatable, Sendable {
  /// Conversions by group and UTC day of conversion, counted in days since 1970-01-01.
  var conversions: [CrowdGroup: [Int32: Int]] = [:]
  /// Users by campaign, Monday of the week of conversion and final value; only gathered for ``CrowdModel/value(_:)``.
  public internal(set) var values: [String: [Int32: [Int]]] = [:]

  /// The places of ``values``: 64 fine values, then three coarse ones of each window.
  static let valuePlaces = 64 + 9

  public init() {}

  /// Adds the counts of other users.
  public mutating func merge(_ other: CrowdCounts) {
    conversions.merge(other.conversions) { $0.merging($1, uniquingKeysWith: +) }
    values.merge(other.values) { mine, theirs in
      mine.merging(theirs) { a, b in
        var sum = a
        sum.add(b)
        return sum
      }
    }
  }
}
