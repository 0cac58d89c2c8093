/// A way to estimate what withheld values are worth.
package enum Estimator: Equatable, Sendable {
  /// Withheld values are worth nothing: what many reports do, and too low.
  case zero
  /// Withheld values are worth what the campaign's revealed ones are: what is published as practice.
  case ratio
  /// Every install is worth what the app's installs are, whatever the campaign reveals.
  case appMean
  /// Empirical Bayes with one concentration for all codes.
  case dirichlet
  /// Empirical Bayes with one concentration between low and high codes and one inside each side.
  case hurdle
  /// Empirical Bayes on a binary tree of codes with one concentration per depth: the one to use.
  case tree
  /// Credibility after Bühlmann and Straub.
  case buehlmann
  /// For networks that hide each value that fewer than some number of users have; the number is at least 2.
  ///
  /// Where values are withheld by another rule it is far too high; ``SmallestCell`` shows which rule is at work.
  case threshold(smallest: Int)

  /// All of them; the threshold as it was seen in the field.
  package static let all: [Self] = [
    .zero, .ratio, .appMean, .dirichlet, .hurdle, .tree, .buehlmann, .threshold(smallest: 5),
  ]

  package var name: String {
    switch self {
    case .zero: "zero"
    case .ratio: "ratio"
    case .appMean: "app-mean"
    case .dirichlet: "dirichlet"
    case .hurdle: "hurdle"
    case .tree: "tree"
    case .buehlmann: "buehlmann"
    case .threshold: "threshold"
    }
  }

  /// Returns the estimates of all campaigns of a set, in its order.
  ///
  /// - Parameters:
  ///   - worth: What the same mixes of values are counted at; `nil` for the worths that the set is fitted with.
  /// - Throws: ``EstimationError`` where a fit fails.
  package func estimates(
    of set: CampaignSet, countedAt worth: CodeWorth? = nil
  ) throws(EstimationError) -> [CampaignEstimate] {
    estimates(of: set, from: try EstimatorFit(self, to: set), countedAt: worth)
  }

  func estimates(
    of set: CampaignSet, from fit: EstimatorFit, countedAt worth: CodeWorth?
  ) -> [CampaignEstimate] {
    let worth = worth ?? set.worth
    guard let mix = set.mix else {
      return set.campaigns.map { Self.estimate(of: $0, at: worth, nullWorth: self == .zero ? 0 : nil) }
    }
    let appMean = worth.value(of: mix)
    switch self {
    case .zero: return set.campaigns.map { Self.estimate(of: $0, at: worth, nullWorth: 0) }
    case .ratio:
      return set.campaigns.map { campaign in
        Self.estimate(of: campaign, at: worth, nullWorth: campaign.revealedMean(worth) ?? appMean)
      }
    case .appMean:
      return set.campaigns.map { campaign in
        let cells = campaign.cells.map { cell in
          let decoded = worth.value(of: cell.revealed)
          return CellEstimate(
            decoded: decoded, imputed: (cell.revealedTotal + cell.nulls) * appMean - decoded)
        }
        return CampaignEstimate(
          name: campaign.name, cells: cells, flags: campaign.flags(worth: worth, hasEvidence: true))
      }
    case .dirichlet, .hurdle, .tree:
      return zip(set.campaigns, fit.mixes).map { campaign, mix in
        Self.estimate(of: campaign, at: worth, nullWorth: worth.value(of: mix))
      }
    case .buehlmann:
      let credibility = Credibility(set, mix: mix, appMean: set.worth.value(of: mix))
      let mean = worth == set.worth ? credibility.mean : appMean
      return set.campaigns.map { campaign in
        Self.estimate(
          of: campaign, at: worth, nullWorth: credibility.mean(of: campaign, worth: worth, of: mean))
      }
    case .threshold:
      return zip(set.campaigns, fit.completion?.campaigns ?? []).map { campaign, completed in
        Self.estimate(
          of: campaign, at: worth, nullWorth: completed.nullWorth(worth),
          more: completed.isBeyondRule ? [.tooManyForRule] : [])
      }
    }
  }

  func fittedTree(for set: CampaignSet, mix: [Double]) throws(EstimationError) -> FittedTree? {
    guard let shape = shape(for: set, mix: mix) else { return nil }
    // A prior that weighs nothing leaves the campaign's own mix, which is the ratio.
    if self == .ratio { return FittedTree(tree: shape, mix: mix, concentrations: [.none]) }
    return try FittedTree(fitting: shape, mix: mix, campaigns: set.campaigns.map(\.revealed))
  }

  /// The shape of an estimator's tree; nil for one that has none.
  func shape(for set: CampaignSet, mix: [Double]) -> DirichletTree? {
    let order = set.worth.order
    let weights = order.map { mix[$0] }
    let positions = order.map { max(0, set.worth.buckets[$0].mean).squareRoot() }
    return switch self {
    case .ratio, .dirichlet: .flat(order: order)
    case .hurdle: .hurdle(order: order, weights: weights, positions: positions)
    case .tree: .binary(order: order, weights: weights, positions: positions)
    case .zero, .appMean, .buehlmann, .threshold: nil
    }
  }

  private static func estimate(
    of campaign: RevealedCounts, at worth: CodeWorth, nullWorth: Double?, more: Set<EstimateFlag> = []
  ) -> CampaignEstimate {
    CampaignEstimate(
      name: campaign.name,
      cells: campaign.cells.map { cell in
        CellEstimate(
          decoded: worth.value(of: cell.revealed),
          imputed: cell.nulls == 0 ? 0 : nullWorth.map { cell.nulls * $0 })
      },
      flags: campaign.flags(worth: worth, hasEvidence: nullWorth != nil).union(more))
  }
}

extension RevealedCounts {
  /// What a revealed postback of the campaign is worth on average; nil where none is revealed.
  func revealedMean(_ worth: CodeWorth) -> Double? {
    revealedTotal > 0 ? worth.value(of: revealed) / revealedTotal : nil
  }

  func flags(worth: CodeWorth, hasEvidence: Bool) -> Set<EstimateFlag> {
    var flags: Set<EstimateFlag> = []
    if nulls > 0, revealedTotal == 0 { flags.insert(.nothingRevealed) }
    if nullShare >= 0.75 { flags.insert(.mostlyHidden) }
    if nulls > 0, !hasEvidence { flags.insert(.noEvidence) }
    if worth.buckets.allSatisfy({ $0.users == 0 }) { flags.insert(.amountsFromMapping) }
    return flags
  }
}
