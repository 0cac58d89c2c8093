internal import Numerics
internal import Values

/// What the users of a campaign's cells come to in one draw, and the lists that it takes to draw them.
struct CellSums {
  private let cells: Int
  private let lows: [Double]
  private let revealed: [[(code: Int, users: Double)]]
  private(set) var sums: [SkewedSum]
  /// The withheld users that were assigned to each node: first those of its cells that have any, in their order.
  private var waiting: [(cell: Int, users: Int)]
  /// How many cells of each node have users.
  private var held: [Int]
  /// The users of a draw in which what they are worth depends on all of them.
  private var kept: [(cell: Int, code: Int, users: Double)] = []
  private var hidden: [Double]
  /// What the campaign's shown values show of its quality.
  private var shown: [Double] = []
  /// What values are worth in a draw, of those that were asked for in it.
  private var tilted: [(worth: WorthDraw, draw: Int)] = []
  private var draw = 0

  init(_ campaign: RevealedCounts, worth: CodeWorth, nodes: Int) {
    cells = campaign.cells.count
    lows = worth.buckets.map(\.low)
    revealed = campaign.cells.map { cell in
      cell.revealed.entries.filter { $0.count > 0 }.map { ($0.code, $0.count) }
    }
    sums = [SkewedSum](repeating: SkewedSum(), count: cells)
    waiting = [(cell: Int, users: Int)](repeating: (0, 0), count: nodes * cells)
    held = [Int](repeating: 0, count: nodes)
    hidden = [Double](repeating: 0, count: lows.count)
  }

  mutating func begin(_ hyper: HyperparameterSample) {
    if hyper.tilt != nil {
      kept.removeAll(keepingCapacity: true)
      for code in hidden.indices { hidden[code] = 0 }
      for cell in 0..<cells {
        for (code, users) in revealed[cell] { kept.append((cell, code, users)) }
      }
      return
    }
    for cell in 0..<cells {
      var sum = SkewedSum()
      for (code, users) in revealed[cell] { sum.add(users, hyper.worths[code], low: lows[code]) }
      sums[cell] = sum
    }
  }

  mutating func add(_ users: Int, code: Int, cell: Int, _ hyper: HyperparameterSample) {
    guard hyper.tilt == nil else {
      kept.append((cell, code, Double(users)))
      hidden[code] += Double(users)
      return
    }
    sums[cell].add(Double(users), hyper.worths[code], low: lows[code])
  }

  /// Adds up what was left open until all users of the draw were known.
  ///
  /// - Parameter known: The campaign's values by code, without those that the draw assigned.
  mutating func end(_ hyper: HyperparameterSample, known: [Double], _ random: inout SplitMix64) {
    guard let tilt = hyper.tilt else { return }
    if shown.isEmpty { shown = tilt.logarithms(of: known) }
    let quality = hyper.within.quality(tilt.quality(shown, hidden, &random), &random)
    for cell in 0..<cells { sums[cell] = SkewedSum() }
    if tilted.isEmpty { tilted = hyper.worths.map { ($0, 0) } }
    draw += 1
    for (cell, code, users) in kept {
      if tilted[code].draw != draw {
        tilted[code] = (hyper.worths[code].times(tilt.factors(at: quality, code: code)), draw)
      }
      sums[cell].add(users, tilted[code].worth, low: lows[code])
    }
  }

  /// Shares the nulls of all cells out over the codes, with one posterior mix for all cells, and adds them.
  mutating func addHidden(
    _ campaign: RevealedCounts, _ tree: FlatTree, _ hyper: HyperparameterSample, _ counts: FlatTree.Counts,
    _ random: inout SplitMix64
  ) {
    // Rounded as they add up, so that days together have as many as arrived.
    var passed = campaign.cells.allSatisfy { $0.nulls == $0.nulls.rounded() } ? 0 : random.fraction()
    var given = 0
    for cell in 0..<cells {
      passed += campaign.cells[cell].nulls
      assign(Int(passed) - given, of: cell, to: 0)
      given = Int(passed)
    }
    for index in tree.nodes.indices where held[index] > 0 {
      let base = index * cells
      tree.forEachPart(of: index, hyper, counts, &random) { child, part, random in
        var left = 0
        for place in base..<base + held[index] {
          let (cell, users) = waiting[place]
          let taken = random.binomial(users, part)
          if taken < users {
            waiting[base + left] = (cell, users - taken)
            left += 1
          }
          if child.node >= 0 {
            assign(taken, of: cell, to: child.node)
          } else if taken > 0 {
            add(taken, code: child.code, cell: cell, hyper)
          }
        }
        held[index] = left
        return left > 0
      }
    }
  }

  private mutating func assign(_ users: Int, of cell: Int, to node: Int) {
    guard users > 0 else { return }
    waiting[node * cells + held[node]] = (cell, users)
    held[node] += 1
  }

  /// The same for a single cell, whose mix nothing else depends on: users choose one after the other.
  mutating func addHiddenTogether(
    _ nulls: Double, _ tree: FlatTree, _ hyper: HyperparameterSample, _ counts: FlatTree.Counts,
    _ random: inout SplitMix64
  ) {
    waiting[0].users = random.whole(nulls)
    for index in tree.nodes.indices where waiting[index].users > 0 {
      var users = waiting[index].users
      waiting[index].users = 0
      let (prior, others) = tree.prior(of: index, hyper, counts)
      var left = prior + others
      let own = tree.nodes[index].children
      for child in own where users > 0 {
        let weight = prior * hyper.shares[child] + counts.ofChildren[child]
        left = max(0, left - weight)
        let isLast = child == own.upperBound - 1
        let taken = isLast ? users : random.betaBinomial(users, weight, left)
        guard taken > 0 else { continue }
        users -= taken
        if tree.children[child].node >= 0 {
          waiting[tree.children[child].node].users += taken
        } else {
          add(taken, code: tree.children[child].code, cell: 0, hyper)
        }
      }
    }
  }
}

extension SplitMix64 {
  /// Draws how many of some trials succeed whose probability is of a beta law.
  ///
  /// Few trials are drawn from Pólya's urn: each success makes the next one likelier.
  mutating func betaBinomial(_ trials: Int, _ a: Double, _ b: Double) -> Int {
    guard a > 0 else { return 0 }
    guard b > 0 else { return trials }
    guard trials <= 16 else { return binomial(trials, beta(a, b)) }
    var successes = 0.0
    for trial in 0..<trials where fraction() * (a + b + Double(trial)) < a + successes { successes += 1 }
    return Int(successes)
  }

  /// Rounds a count up or down at random, so that its mean is kept.
  mutating func whole(_ count: Double) -> Int {
    let floor = count.rounded(.down)
    guard floor < count else { return Int(floor) }
    return Int(floor) + (happens(count - floor) ? 1 : 0)
  }
}
