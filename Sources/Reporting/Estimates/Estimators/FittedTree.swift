/// A tree with the app's mix and the concentrations that make it a prior for campaigns.
package struct FittedTree: Sendable {
  let tree: DirichletTree
  /// The app's mix summed up over the tree's order, from 0 to 1.
  let mixSums: [Double]
  let concentrations: [Concentration]
  /// The tree as mixes are made by it, and the share of each of its children over the app.
  let flat: FlatTree
  private let shares: [Double]
  /// What each of its nodes weighs over the app; 0 for one that leaves each campaign its own mix.
  private let weights: [Double]

  package init(tree: DirichletTree, mix: [Double], concentrations: [Concentration]) {
    self.tree = tree
    mixSums = Self.sums(of: mix, order: tree.order)
    self.concentrations = concentrations
    flat = FlatTree(tree)
    shares = flat.shares(of: mixSums)
    let values = concentrations.map(\.value)
    weights = flat.nodes.map { $0.group < 0 ? 0 : values[$0.group] }
  }

  /// Fits the concentrations, pooled over campaigns and the nodes of each group.
  ///
  /// - Parameters:
  ///   - mix: The app's mix, by code.
  ///   - campaigns: Revealed counts by code, for each campaign.
  /// - Throws: ``EstimationError`` where the search fails.
  package init(
    fitting tree: DirichletTree, mix: [Double], campaigns: [CodeCounts]
  ) throws(EstimationError) {
    let mixSums = Self.sums(of: mix, order: tree.order)
    var terms = [LikelihoodTerms](repeating: LikelihoodTerms(), count: tree.groups)
    // Shares of postbacks over days leave rounding errors in counts, and each count takes time of its own.
    let grain = campaigns.count > ManyCampaigns.mostDrawnApart ? 1024.0 : nil
    for campaign in campaigns {
      var sums = Self.sums(of: campaign.all, order: tree.order)
      if let grain { sums = sums.map { ($0 * grain).rounded() / grain } }
      for node in tree.nodes {
        let total = sums[node.codes.upperBound] - sums[node.codes.lowerBound]
        let whole = mixSums[node.codes.upperBound] - mixSums[node.codes.lowerBound]
        guard total > 0, whole > 0 else { continue }
        terms[node.group].add(total: total)
        for child in node.children {
          let share = (mixSums[child.codes.upperBound] - mixSums[child.codes.lowerBound]) / whole
          terms[node.group].add(
            count: sums[child.codes.upperBound] - sums[child.codes.lowerBound], share: share)
        }
      }
    }
    var concentrations: [Concentration] = []
    for var group in terms {
      group.close()
      concentrations.append(try Concentration(fitting: group))
    }
    self.init(tree: tree, mix: mix, concentrations: concentrations)
  }

  /// Fits the binary tree of a set; `nil` where nothing is known of its mix.
  ///
  /// - Throws: ``EstimationError`` where the search fails.
  init?(fitting set: CampaignSet) throws(EstimationError) {
    guard let mix = set.mix else { return nil }
    try self.init(
      fitting: DirichletTree(of: set, mix: mix), mix: mix, campaigns: set.campaigns.map(\.revealed))
  }

  /// Adds counts up over the tree's order, beginning with 0.
  static func sums(of counts: [Double], order: [Int]) -> [Double] {
    var sums = [0.0]
    sums.reserveCapacity(order.count + 1)
    for code in order { sums.append(sums[sums.count - 1] + counts[code]) }
    return sums
  }

  /// Returns the mean of a campaign's mix given what it reveals, by code; it sums to one.
  ///
  /// At each node, p = (A q + x) / (A + n); a code's probability is the product along its path.
  func mix(given revealed: CodeCounts) -> [Double] {
    if tree.nodes.isEmpty { return [1] }
    let sums = Self.sums(of: revealed.all, order: tree.order)
    var mass = [Double](repeating: 0, count: flat.nodes.count)
    var mix = [Double](repeating: 0, count: tree.order.count)
    mass[0] = 1
    for (index, node) in flat.nodes.enumerated() where mass[index] > 0 {
      let own = node.children
      let ends = (
        flat.children[own.lowerBound].codes.lowerBound, flat.children[own.upperBound - 1].codes.upperBound
      )
      // Where no user is and the prior weighs nothing, the app's mix is as if it were certain.
      let prior = weights[index] > 0 || sums[ends.1] > sums[ends.0] ? weights[index] : 1e12
      // The Dirichlet law's parameters at the node: A q + x for each child.
      func weight(_ child: Int) -> Double {
        let codes = flat.children[child].codes
        return prior * shares[child] + sums[codes.upperBound] - sums[codes.lowerBound]
      }
      var total = 0.0
      for child in own { total += weight(child) }
      for child in own {
        let part = mass[index] * (weight(child) / total)
        if flat.children[child].node >= 0 {
          mass[flat.children[child].node] = part
        } else {
          mix[flat.children[child].code] = part
        }
      }
    }
    return mix
  }
}
