internal import Numerics
internal import Values

/// What the users of a campaign's cells come to in one draw, and the lists that it takes to draw them.
struct CellSums {
  private let cells: Int
  /// The least worth of each code.
  private let lows: [Double]
  /// The revealed users of each cell, where there are any.
  private let revealed: [[(code: Int, users: Double)]]
  private(set) var sums: [SkewedSum]
  /// The withheld users that were assigned to each node, cell by cell, and of all cells.
  private var waiting: [Int]
  private var reached: [Int]

  init(_ campaign: RevealedCounts, worth: CodeWorth, nodes: Int) {
    cells = campaign.cells.count
    lows = worth.buckets.map(\.low)
    revealed = campaign.cells.map { cell in
      cell.revealed.indices.filter { cell.revealed[$0] > 0 }.map { ($0, cell.revealed[$0]) }
    }
    sums = [SkewedSum](repeating: SkewedSum(), count: cells)
    waiting = [Int](repeating: 0, count: nodes * cells)
    reached = [Int](repeating: 0, count: nodes)
  }

  /// Begins a draw with the revealed users.
  mutating func begin(_ hyper: HyperparameterSample) {
    for cell in 0..<cells {
      var sum = SkewedSum()
      for (code, users) in revealed[cell] { sum.add(users, hyper.worths[code], low: lows[code]) }
      sums[cell] = sum
    }
  }

  /// Adds withheld users of one code.
  mutating func add(_ users: Int, code: Int, cell: Int, _ hyper: HyperparameterSample) {
    sums[cell].add(Double(users), hyper.worths[code], low: lows[code])
  }

  /// Shares the nulls of all cells out over the codes, with one posterior mix for all cells, and adds them.
  mutating func addHidden(
    _ campaign: RevealedCounts, _ tree: FlatTree, _ hyper: HyperparameterSample, _ counts: [Double],
    _ random: inout SplitMix64
  ) {
    for cell in 0..<cells {
      let nulls = random.whole(campaign.cells[cell].nulls)
      waiting[cell] = nulls
      reached[0] += nulls
    }
    for (index, node) in tree.nodes.enumerated() where reached[index] > 0 {
      let base = index * cells
      tree.forEachPart(of: node, hyper, counts, &random) { child, part, random in
        for cell in 0..<cells where waiting[base + cell] > 0 {
          let users = random.binomial(waiting[base + cell], part)
          guard users > 0 else { continue }
          waiting[base + cell] -= users
          reached[index] -= users
          if child.node >= 0 {
            waiting[child.node * cells + cell] += users
            reached[child.node] += users
          } else {
            add(users, code: child.code, cell: cell, hyper)
          }
        }
        return reached[index] > 0
      }
    }
  }
}

extension SplitMix64 {
  /// Rounds a count up or down at random, so that its mean is kept.
  mutating func whole(_ count: Double) -> Int {
    let floor = count.rounded(.down)
    guard floor < count else { return Int(floor) }
    return Int(floor) + (happens(count - floor) ? 1 : 0)
  }
}
