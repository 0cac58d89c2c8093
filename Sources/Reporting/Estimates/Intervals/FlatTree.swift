internal import Numerics
internal import System
internal import Values

/// A tree laid out in two lists, since draws walk it hundreds of thousands of times.
struct FlatTree: Sendable {
  struct Child: Sendable {
    let codes: Range<Int>
    /// The node that shares the child's users out, or −1 for a single code.
    let node: Int
    let code: Int
  }

  struct Node: Sendable {
    let children: Range<Int>
    let group: Int
  }

  /// A campaign's values by where they end; the same in all draws.
  struct Counts {
    let ofChildren: [Double]
    /// What the children of each node have together.
    let ofNodes: [Double]
  }

  let children: [Child]
  let nodes: [Node]

  init(_ tree: DirichletTree) {
    var children: [Child] = []
    var nodes: [Node] = []
    for node in tree.nodes {
      let first = children.count
      for child in node.children {
        children.append(
          Child(codes: child.codes, node: child.node ?? -1, code: tree.order[child.codes.lowerBound]))
      }
      nodes.append(Node(children: first..<children.count, group: node.group))
    }
    if nodes.isEmpty {
      // A single code has no node of its own; one with one child makes it a tree.
      children = [Child(codes: 0..<1, node: -1, code: tree.order.first ?? 0)]
      nodes = [Node(children: 0..<1, group: -1)]
    }
    self.children = children
    self.nodes = nodes
  }

  /// Returns each child's share of its node over the app, from the mix summed up over the tree's order.
  func shares(of mixSums: [Double]) -> [Double] {
    var shares: [Double] = []
    for node in nodes {
      let own = children[node.children]
      let codes = (own.first?.codes.lowerBound ?? 0)..<(own.last?.codes.upperBound ?? 0)
      let whole = mixSums[codes.upperBound] - mixSums[codes.lowerBound]
      for child in own {
        shares.append(
          whole > 0
            ? (mixSums[child.codes.upperBound] - mixSums[child.codes.lowerBound]) / whole
            : Double(child.codes.count) / Double(codes.count))
      }
    }
    return shares
  }

  /// Returns the counts of children and nodes, from counts by code.
  func counts(of counts: [Double], order: [Int]) -> Counts {
    let sums = FittedTree.sums(of: counts, order: order)
    let own = children.map { sums[$0.codes.upperBound] - sums[$0.codes.lowerBound] }
    return Counts(ofChildren: own, ofNodes: nodes.map { $0.children.reduce(0.0) { $0 + own[$1] } })
  }

  /// What the users of a node are shared out by.
  ///
  /// - Parameter index: The place of the node.
  @inline(__always)
  func prior(
    of index: Int, _ hyper: HyperparameterSample, _ counts: Counts
  ) -> (weight: Double, reached: Double) {
    let group = nodes[index].group
    let concentration = group < 0 ? 0 : hyper.concentrations[group]
    let reached = counts.ofNodes[index]
    // Where no user is and the prior weighs nothing, the app's mix is as if it were certain.
    return (concentration > 0 || reached > 0 ? concentration : 1e12, reached)
  }

  /// Draws the parts that a node's children get of what reaches it: each child's of what its elder ones leave.
  ///
  /// A Dirichlet law is a row of beta laws, each for the next child against all after it.
  ///
  /// - Parameters:
  ///   - index: The place of the node.
  ///   - hyper: What all campaigns share.
  ///   - counts: The campaign's counts.
  ///   - random: The random number generator.
  ///   - body: Takes a child and its part; returns whether to go on.
  func forEachPart(
    of index: Int, _ hyper: HyperparameterSample, _ counts: Counts, _ random: inout SplitMix64,
    _ body: (Child, Double, inout SplitMix64) -> Bool
  ) {
    let (prior, reached) = prior(of: index, hyper, counts)
    var left = prior + reached
    let own = nodes[index].children
    for child in own {
      let weight = prior * hyper.shares[child] + counts.ofChildren[child]
      left = max(0, left - weight)
      let isLast = child == own.upperBound - 1
      let part = isLast ? 1 : weight > 0 ? random.beta(weight, left) : 0
      guard body(children[child], part, &random) else { return }
    }
  }

  func mix(_ hyper: HyperparameterSample, _ counts: Counts, codes: Int, _ random: inout SplitMix64)
    -> [Double]
  {
    var mass = [Double](repeating: 0, count: nodes.count)
    var mix = [Double](repeating: 0, count: codes)
    mass[0] = 1
    for index in nodes.indices where mass[index] > 0 {
      var rest = mass[index]
      forEachPart(of: index, hyper, counts, &random) { child, part, _ in
        if child.node >= 0 { mass[child.node] = rest * part } else { mix[child.code] = rest * part }
        rest *= 1 - part
        return rest > 0
      }
    }
    return mix
  }
}
