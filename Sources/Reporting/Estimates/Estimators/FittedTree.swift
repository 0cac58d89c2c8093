/// A tree with the app's mix and the concentrations that make it a prior for campaigns.
package struct FittedTree: Sendable {
  let tree: DirichletTree
  /// The app's mix summed up over the tree's order, from 0 to 1.
  let mixSums: [Double]
  let concentrations: [Concentration]

  package init(tree: DirichletTree, mix: [Double], concentrations: [Concentration]) {
    self.tree = tree
    mixSums = Self.sums(of: mix, order: tree.order)
    self.concentrations = concentrations
  }

  /// Fits the concentrations, pooled over campaigns and the nodes of each group.
  ///
  /// - Parameters:
  ///   - mix: The app's mix, by code.
  ///   - campaigns: Revealed counts by code, for each campaign.
  /// - Throws: ``EstimationError`` where the search fails.
  package init(fitting tree: DirichletTree, mix: [Double], campaigns: [[Double]]) throws(EstimationError) {
    let mixSums = Self.sums(of: mix, order: tree.order)
    var terms = [LikelihoodTerms](repeating: LikelihoodTerms(), count: tree.groups)
    // Shares of postbacks over days leave rounding errors in counts, and each count takes time of its own.
    let grain = campaigns.count > ManyCampaigns.mostDrawnApart ? 1024.0 : nil
    for campaign in campaigns {
      var sums = Self.sums(of: campaign, order: tree.order)
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
    self.tree = tree
    self.mixSums = mixSums
    self.concentrations = concentrations
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
  func mix(given revealed: [Double]) -> [Double] {
    let sums = Self.sums(of: revealed, order: tree.order)
    var mass = [Double](repeating: 0, count: tree.nodes.count)
    var mix = [Double](repeating: 0, count: tree.order.count)
    if mass.isEmpty { return [1] }
    mass[0] = 1
    for (index, node) in tree.nodes.enumerated() where mass[index] > 0 {
      let concentration = concentrations[node.group].value
      let shares = node.weights(concentration: concentration, mix: mixSums, counts: sums)
      let total = shares.reduce(0, +)
      for (child, share) in zip(node.children, shares) {
        let part = share / total
        if let next = child.node {
          mass[next] = mass[index] * part
        } else {
          mix[tree.order[child.codes.lowerBound]] = mass[index] * part
        }
      }
    }
    return mix
  }
}

extension DirichletTree.Node {
  /// The Dirichlet law's parameters at the node: A q + x for each child.
  func weights(concentration: Double, mix: [Double], counts: [Double]) -> [Double] {
    let reached = counts[codes.upperBound] > counts[codes.lowerBound]
    // Where no user is and the prior weighs nothing, the app's mix is as if it were certain.
    let prior = concentration > 0 || reached ? concentration : 1e12
    return children.map { child in
      prior * share(of: child, in: mix) + counts[child.codes.upperBound] - counts[child.codes.lowerBound]
    }
  }

  /// A child's share of the node over the app; all alike where the app has none of the node.
  func share(of child: DirichletTree.Child, in mix: [Double]) -> Double {
    let whole = mix[codes.upperBound] - mix[codes.lowerBound]
    return whole > 0
      ? (mix[child.codes.upperBound] - mix[child.codes.lowerBound]) / whole
      : Double(child.codes.count) / Double(codes.count)
  }
}
