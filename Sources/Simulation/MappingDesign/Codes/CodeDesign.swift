/// The best table of values for users, found by dynamic programming, day by day.
struct CodeDesign {
  struct Order: Equatable, Sendable {
    let isTimed: Bool
    let windowHours: Int
    let choice: DesignChoice
    /// How many values there may be, 0 included.
    let values: Int
    /// Amounts at which a range has to begin on every day, in millionths.
    var forcedEdges: [Int64] = []

    /// How many blocks of values there are.
    var blocks: Int {
      switch choice.split {
      case .none: 1
      case .days: (windowHours + 23) / 24
      case .event: 2
      }
    }
  }

  /// A value's users, among those that the table was made of.
  struct Code: Hashable, Sendable {
    var users = 0
    /// Their mean revenue, in units; of a value that no user ends with, what its neighbours suggest.
    var mean = 0.0
    var low = 0.0
    var high = 0.0
  }

  let order: Order
  let table: CodeTable
  let codes: [Code]

  /// The rounds in which ranges are fitted to users, whose fate depends on the ranges before under SKAdNetwork 3.
  private static let rounds = 2

  init(_ order: Order, _ users: DesignUsers, _ some: [Int]) {
    self.order = order
    var table: CodeTable?
    for _ in 0..<(order.isTimed ? Self.rounds : 1) { table = Self.table(order, users, some, after: table) }
    let found = table ?? CodeTable(windowHours: order.windowHours, edges: [])
    self.table = found
    let replay = order.replay(found)
    var codes = [Code](repeating: Code(), count: found.count)
    for index in some {
      let user = users.users[index]
      let code = replay.replay(user, of: users).code
      let isFirst = codes[code].users == 0
      codes[code].low = isFirst ? user.worth : min(codes[code].low, user.worth)
      codes[code].high = isFirst ? user.worth : max(codes[code].high, user.worth)
      codes[code].users += 1
      codes[code].mean += user.worth
    }
    var known = 0.0
    for index in codes.indices {
      if codes[index].users > 0 {
        codes[index].mean /= Double(codes[index].users)
        known = codes[index].mean
      } else {
        codes[index] = Code(users: 0, mean: known, low: known, high: known)
      }
    }
    self.codes = codes
  }

  /// Returns the value that a user ends with.
  func code(of user: DesignUser, in users: DesignUsers) -> Int {
    order.replay(table).replay(user, of: users).code
  }

  private static func table(_ order: Order, _ users: DesignUsers, _ some: [Int], after table: CodeTable?)
    -> CodeTable
  {
    let replay = order.replay(table)
    var pools = [[(amount: Int64, worth: Double)]](repeating: [], count: order.blocks)
    for index in some {
      let user = users.users[index]
      let state = replay.replay(user, of: users)
      // Value 0 is kept for users without revenue in the first block.
      guard state.block > 0 || state.measure > 0 else { continue }
      pools[state.block].append((state.measure, user.worth))
    }
    // A kind of edges that minimises no error needs the costs of errors only to share values out.
    let most = order.choice.scheme.cost == nil && order.blocks == 1 ? 1 : order.values
    let blocks = pools.enumerated().map {
      Block($1, order.choice.scheme, upTo: most, isFirst: $0 == 0)
    }
    let left = order.values - 1 - order.forcedEdges.count * blocks.count
    let shares = blocks.count == 1 ? [left] : allocate(blocks.map(\.costs), values: left)
    return CodeTable(
      windowHours: order.windowHours,
      edges: zip(blocks, shares).map { Set($0.edges(ranges: $1) + order.forcedEdges).sorted() })
  }

  /// Gives each value to the block whose cost falls most by it; the best there is, because costs are convex.
  ///
  /// - Parameters:
  ///   - costs: For each block the cost with each number of ranges from 1 on; empty where there is nothing to divide.
  ///   - values: How many there are; a block has at least one range where there are enough.
  /// - Returns: The ranges of each block.
  static func allocate(_ costs: [[Double]], values: Int) -> [Int] {
    var shares = costs.map { _ in 1 }
    let whole = costs.reduce(0) { $0 + ($1.first ?? 0) }
    var left = values - shares.count
    while left > 0 {
      let gains = costs.indices.map { block in
        shares[block] < costs[block].count ? costs[block][shares[block] - 1] - costs[block][shares[block]] : 0
      }
      guard let best = gains.indices.max(by: { (gains[$0], $1) < (gains[$1], $0) }),
        gains[best] > whole * 1e-12
      else { break }
      shares[best] += 1
      left -= 1
    }
    return shares
  }
}

extension CodeDesign.Order {
  func replay(_ table: CodeTable?) -> CodeReplay {
    CodeReplay(isTimed: isTimed, windowHours: windowHours, split: choice.split, table: table)
  }
}

/// The users of one block, ready to be divided.
private struct Block {
  private let cells: [Cells.Cell]
  private let quantiser: Quantiser
  private let isFirst: Bool

  init(
    _ pairs: [(amount: Int64, worth: Double)], _ scheme: EdgeScheme, upTo most: Int, isFirst: Bool
  ) {
    let cells = Cells(pairs).rising
    self.cells = cells
    self.isFirst = isFirst
    let values = WeightedPoints(points: cells.map { $0.worth / $0.users }, weights: cells.map(\.users))
    quantiser = Quantiser(values ?? WeightedPoints(counting: []), scheme, upTo: most)
  }

  var costs: [Double] { quantiser.costs }

  /// Returns where ranges begin; the first block's first is where users without revenue end.
  func edges(ranges: Int) -> [Int64] {
    let starts = quantiser.starts(buckets: ranges)
    return starts.compactMap { start in
      guard start > 0 else { return isFirst ? midway(0, cells[0].first) : nil }
      return midway(cells[start - 1].last, cells[start].first)
    }
  }
}
