/// A tree over codes in which each node shares its users out over its children by a Dirichlet law.
///
/// One node with all codes is the Dirichlet-multinomial; nodes of two children all the way are the binary tree, by which
/// skan estimates. Nodes of one group share one concentration.
package struct DirichletTree: Sendable {
  /// One child: some codes in a row, and the node that shares them out unless it is a single one.
  package struct Child: Sendable {
    package let codes: Range<Int>
    package var node: Int?

    package init(codes: Range<Int>, node: Int? = nil) { (self.codes, self.node) = (codes, node) }
  }

  package struct Node: Sendable {
    package var children: [Child]
    let group: Int

    package init(children: [Child], group: Int) { (self.children, self.group) = (children, group) }

    var codes: Range<Int> {
      (children.first?.codes.lowerBound ?? 0)..<(children.last?.codes.upperBound ?? 0)
    }
  }

  /// The codes in the order of the tree, by worth.
  package let order: [Int]
  /// The nodes; a parent is before its children.
  package private(set) var nodes: [Node]
  private(set) var groups: Int

  package init(order: [Int], nodes: [Node], groups: Int) {
    (self.order, self.nodes, self.groups) = (order, nodes, groups)
  }

  /// Makes the binary tree of a set's codes.
  ///
  /// - Parameter mix: The app's mix, by code.
  package init(of set: CampaignSet, mix: [Double]) {
    let order = set.worth.order
    self = .binary(
      order: order, weights: order.map { mix[$0] },
      positions: order.map { max(0, set.worth.buckets[$0].mean).squareRoot() })
  }

  /// Makes the binary tree: nodes are cut in two until single codes are left, one group for each depth.
  static func binary(order: [Int], weights: [Double], positions: [Double]) -> Self {
    var tree = Self(order: order, nodes: [], groups: 0)
    var open: [(codes: Range<Int>, depth: Int, parent: (node: Int, child: Int)?)] = [(order.indices, 0, nil)]
    while let (codes, depth, parent) = open.popLast() {
      guard let cut = bestCut(codes, weights: weights, positions: positions) else { continue }
      let node = tree.nodes.count
      if let parent { tree.nodes[parent.node].children[parent.child].node = node }
      // Nodes far down see too few users for concentrations of their own.
      let group = min(depth, deepestGroup)
      tree.groups = max(tree.groups, group + 1)
      let halves = [codes.lowerBound..<cut, cut..<codes.upperBound]
      tree.nodes.append(Node(children: halves.map { Child(codes: $0) }, group: group))
      for (child, half) in halves.enumerated() { open.append((half, depth + 1, (node, child))) }
    }
    return tree
  }

  /// Depths from this one on share one concentration.
  static let deepestGroup = 8

  /// The cut with the least squared distance of codes from the mean of their side: 2-means on a line, exactly.
  ///
  /// Nil for a single code. Where all cuts are alike, as for codes without users, it is the middle.
  private static func bestCut(_ codes: Range<Int>, weights: [Double], positions: [Double]) -> Int? {
    guard codes.count > 1 else { return nil }
    var sums = [(weight: 0.0, first: 0.0, second: 0.0)]
    for code in codes {
      let (weight, position) = (weights[code], positions[code])
      let last = sums[sums.count - 1]
      sums.append(
        (last.weight + weight, last.first + weight * position, last.second + weight * position * position))
    }
    func scatter(_ from: Int, _ to: Int) -> Double {
      let weight = sums[to].weight - sums[from].weight
      let first = sums[to].first - sums[from].first
      return weight > 0 ? max(0, sums[to].second - sums[from].second - first * first / weight) : 0
    }
    let middle = codes.count / 2
    var best = middle
    var least = scatter(0, middle) + scatter(middle, codes.count)
    for cut in 1..<codes.count {
      let cost = scatter(0, cut) + scatter(cut, codes.count)
      if cost < least * (1 - 1e-12) { (best, least) = (cut, cost) }
    }
    return codes.lowerBound + best
  }
}
