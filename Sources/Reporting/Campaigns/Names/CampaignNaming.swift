import Ledger

package struct CampaignNaming: Sendable {
  /// All that rows are distinguished by, in the order in which they are sorted.
  let order: [ReportDimension]
  let dimensions: [NameDimension]
  let conditions: [NameCondition]

  package static let none = Self(order: [], conditions: [])

  package init(order: [ReportDimension], conditions: [NameCondition]) {
    self.order = order
    self.conditions = conditions
    dimensions = order.compactMap { if case .named(let dimension) = $0 { dimension } else { nil } }
  }

  /// Whether rows do not depend on names.
  var isEmpty: Bool { dimensions.isEmpty && conditions.isEmpty }

  func admits(_ match: CampaignNames.Match) -> Bool { conditions.allSatisfy { $0.admits(match) } }
}

/// What a report includes or leaves out by what campaigns are called.
package struct NameCondition: Hashable, Sendable {
  let dimension: NameDimension
  /// Whether what fits is left out instead of included.
  let isExcluded: Bool
  /// What fits: names in any case, with `*` for any characters; `none` for campaigns without a name.
  let patterns: [String]

  func word(_ match: CampaignNames.Match) -> String {
    CampaignLabel(match, [dimension])[dimension] ?? CampaignDimension.none
  }

  func admits(_ match: CampaignNames.Match) -> Bool {
    CampaignCondition.fits(word(match), patterns) != isExcluded
  }
}
