import Foundation
@testable import MappingDesign
import System
import Testing
import Values

struct `A partition` {
  private struct Tiny: Decodable {
    let values: [Double]
    let sse: [String: Double]
    let sae: [String: Double]
    let edges_sse: [String: [Double]]
    let edges_sae: [String: [Double]]
  }

  private func decoded<T: Decodable>(_ name: String) throws -> T {
    try JSONDecoder().decode(T.self, from: JSONSerialization.data(withJSONObject: golden(name)))
  }

  @Test(arguments: 1...7) func `A partition finds the costs and edges of seventeen price points`(buckets: Int)
    throws
  {
    let tiny: Tiny = try decoded("tiny")
    let points = WeightedPoints(counting: tiny.values)
    for (cost, costs, edges) in [
      (Partition.Cost.squared, tiny.sse, tiny.edges_sse), (.absolute, tiny.sae, tiny.edges_sae),
    ] {
      let partition = Partition(points, cost, upTo: 7)
      #expect(isClose(partition.costs[buckets - 1], try #require(costs["\(buckets)"])))
      let ends = partition.starts(buckets: buckets).dropFirst().map { points.points[$0 - 1] }
      // There are two best ways into five by absolute distance.
      guard (cost, buckets) != (.absolute, 5) else { continue }
      #expect(ends == edges["\(buckets)"] ?? [])
    }
  }

  private struct Pool: Decodable {
    let k: Int
    let sse: Double
    let upper_edges: [Double]
    let sqrt_cost: Double
    let sqrt_upper_edges: [Double]
    let distinct: Int
  }

  @Test func `A partition finds the costs and edges of a pool of 60,000 users`() throws {
    let pools: [Pool] = try decoded("f2p-72h")
    let rows = String(decoding: try vector("f2p-72h.csv.gz"), as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    let points = try #require(WeightedPoints(points: rows.map { $0[0] }, weights: rows.map { $0[1] }))
    #expect(pools.map(\.k) == [3, 8, 16, 63])
    for (scheme, cost, edges) in [
      (EdgeScheme.sse, \Pool.sse, \Pool.upper_edges), (.sqrt, \Pool.sqrt_cost, \Pool.sqrt_upper_edges),
    ] {
      let quantiser = Quantiser(points, scheme, upTo: 63)
      for pool in pools {
        #expect(points.count == pool.distinct)
        #expect(isClose(quantiser.costs[pool.k - 1], pool[keyPath: cost], within: 1e-8))
        let ends = quantiser.starts(buckets: pool.k).dropFirst().map { points.points[$0 - 1] }
        #expect(ends == pool[keyPath: edges])
      }
    }
  }

  private struct Case: Decodable {
    let values: [Double]
    let k: Int
    let cost: Double
  }

  @Test func `A partition costs what kmeans1d finds`() throws {
    let cases = try JSONDecoder().decode([Case].self, from: Data(vector("kmeans1d.json")))
    #expect(cases.count == 120)
    for some in cases {
      let partition = Partition(WeightedPoints(counting: some.values), .squared, upTo: some.k)
      #expect(isClose(partition.costs[some.k - 1], some.cost, within: 1e-8, or: 1e-7))
    }
  }

  /// The lowest cost by trying every way.
  private func brute(_ points: WeightedPoints, _ cost: Partition.Cost, from start: Int, _ buckets: Int)
    -> Double
  {
    guard buckets > 1 else { return direct(points, cost, start..<points.count) }
    return (start + 1...points.count - buckets + 1).map {
      direct(points, cost, start..<$0) + brute(points, cost, from: $0, buckets - 1)
    }.min() ?? .infinity
  }

  /// The cost of one bucket by its definition.
  private func direct(_ points: WeightedPoints, _ cost: Partition.Cost, _ range: Range<Int>) -> Double {
    let pairs = range.map { (points.points[$0], points.weights[$0]) }
    switch cost {
    case .squared:
      let mean = pairs.reduce(0) { $0 + $1.0 * $1.1 } / pairs.reduce(0) { $0 + $1.1 }
      return pairs.reduce(0) { $0 + $1.1 * ($1.0 - mean) * ($1.0 - mean) }
    case .squaredWithUnseen:
      let middle = { (a: Int, b: Int) in (points.points[a] + points.points[b]) / 2 }
      let low = range.lowerBound > 0 ? middle(range.lowerBound - 1, range.lowerBound) : 0
      let high =
        range.upperBound < points.count
        ? middle(range.upperBound - 1, range.upperBound) : 1.5 * points.points[points.count - 1]
      return direct(points, .squared, range) + (high - low) * (high - low) / 12
    case .absolute:
      // A weighted median is always one of the points.
      return pairs.map { middle in pairs.reduce(0) { $0 + $1.1 * abs($1.0 - middle.0) } }.min() ?? 0
    }
  }

  @Test(arguments: [Partition.Cost.squared, .squaredWithUnseen, .absolute])
  func `A partition is the best of all possible ones, and its cost falls and is convex`(cost: Partition.Cost)
  {
    var random = SplitMix64(seed: 5)
    for _ in 0..<150 {
      let start = random.happens(0.2) ? 1e6 : 0
      let values = (0..<1 + random.number(below: 14)).map { _ in start + Double(random.number(below: 40)) / 4
      }
      let points = WeightedPoints(counting: values)
      let partition = Partition(points, cost, upTo: 5)
      #expect(partition.costs.count == min(5, points.count))
      for buckets in 1...partition.costs.count {
        #expect(isClose(partition.costs[buckets - 1], brute(points, cost, from: 0, buckets)))
        let starts = partition.starts(buckets: buckets) + [points.count]
        #expect(starts.count == buckets + 1)
        let sum = zip(starts, starts.dropFirst()).reduce(0) { $0 + direct(points, cost, $1.0..<$1.1) }
        #expect(isClose(sum, partition.costs[buckets - 1]))
      }
    }
    for size in [200, 3000] {
      let values = (0..<size).map { _ in exponential(6 * random.fraction() * random.fraction()) }
      let costs = Partition(WeightedPoints(counting: values), cost, upTo: 64).costs
      let falls = zip(costs, costs.dropFirst()).map { $0 - $1 }
      #expect(falls.allSatisfy { $0 >= -1e-9 })
      #expect(zip(falls, falls.dropFirst()).allSatisfy { $0 - $1 >= -1e-6 * costs[0] })
    }
  }

  @Test func `A partition of nothing, of one point or of fewer points than parts is complete`() {
    let none = Partition(WeightedPoints(counting: []), .squared, upTo: 4)
    #expect(none.costs.isEmpty && none.starts(buckets: 3).isEmpty)
    let one = Partition(WeightedPoints(counting: [7, 7, 7]), .absolute, upTo: 4)
    #expect(one.costs == [0] && one.starts(buckets: 9) == [0])
    #expect(Partition(WeightedPoints(counting: [1, 2]), .squared, upTo: 64).costs == [0.5, 0])
    #expect(WeightedPoints(points: [1, 1], weights: [1, 1]) == nil)
    #expect(WeightedPoints(points: [1, 2], weights: [1, 0]) == nil)
  }
}

struct `Edges` {
  private let points = WeightedPoints(counting: [1, 2, 3, 4, 10, 20, 30, 100])

  @Test func `Edges are where their kind puts them`() {
    func starts(_ scheme: EdgeScheme, _ buckets: Int) -> [Double] {
      Quantiser(points, scheme, upTo: 8).starts(buckets: buckets).map { points.points[$0] }
    }
    // 1, 10, 100; an amount on an edge belongs to the range below it.
    #expect(starts(.geometric, 2) == [1, 20])
    #expect(starts(.equalWidth, 2) == [1, 100])
    #expect(starts(.equalRevenue, 2) == [1])
    #expect(starts(.equalRevenue, 3) == [1, 100])
    #expect(starts(.equalRevenue, 1) == [1])
    #expect(starts(.quantile, 2) == [1, 10])
    #expect(starts(.quantile, 4) == [1, 3, 10, 30])
    // The roots are 1 to 10, and 5.5 squared is 30.25.
    #expect(starts(.equalRoot, 2) == [1, 100])
    #expect(starts(.equalRoot, 4) == [1, 20, 100])
    #expect(starts(.sse, 2) == [1, 100])
    #expect(starts(.sqrt, 3) == [1, 20, 100])
  }

  @Test(
    arguments: [
      (0, 400, 200), (0, 990_000, 500_000), (4_990_000, 9_990_000, 7_000_000),
      (1_990_000, 2_990_000, 2_500_000), (127_630_000, 213_000_000, 170_000_000), (-15, 3, -6), (6, 8, 7),
      (6, 7, 7), (1_000_000, 2_000_000, 1_500_000),
    ] as [(Int64, Int64, Int64)])
  func `Edges are near the middle of two users' amounts, as round as there is room for`(
    low: Int64, high: Int64, edge: Int64
  ) {
    #expect(midway(low, high) == edge)
  }

  @Test func `Edges are strictly between the amounts of users if there is room`() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<2000 {
      let low = Int64(random.number(below: 1_000_000_000)) - 500_000_000
      let gap = 2 + Int64(random.number(below: 1 + random.number(below: 100_000_000)))
      let edge = midway(low, low + gap)
      #expect(low < edge && edge < low + gap)
      let (place, width): (Double, Double) = (Double(edge - low), Double(gap))
      #expect(abs(place / width - 0.5) <= 0.1 + 1 / width)
    }
    #expect(midway(.max - 1, .max) == .max)
    #expect(midway(.min, .max) < 0)
  }
}

struct `A rising fit` {
  @Test func `A rising fit pools neighbours that fall and does not change others`() {
    let fit = Isotonic(sums: [1, 3, 2, 8, 1], weights: [1, 1, 1, 2, 1])
    #expect(fit.steps.map(\.points) == [0..<1, 1..<3, 3..<5])
    #expect(fit.steps.map(\.value) == [1, 2.5, 3])
    #expect(Isotonic(sums: [], weights: []).steps.isEmpty)
    #expect(Isotonic(sums: [2, 2], weights: [1, 1]).steps.map(\.points) == [0..<2])
  }

  @Test func `A rising fit rises strictly and keeps the sum`() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<200 {
      let sums = (0..<random.number(below: 30)).map { _ in Double(random.number(below: 20)) }
      let fit = Isotonic(sums: sums, weights: sums.map { _ in 1 })
      #expect(zip(fit.steps, fit.steps.dropFirst()).allSatisfy { $0.value < $1.value })
      #expect(fit.steps.reduce(0) { $0 + $1.sum } == sums.reduce(0, +))
      #expect(fit.steps.flatMap { Array($0.points) } == Array(sums.indices))
    }
  }
}

struct `Values distributed over days` {
  @Test func `Values distributed over days go where the cost falls most, as in the best distribution`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<60 {
      let costs = (0..<3).map { _ in
        Partition(
          WeightedPoints(counting: (0..<12).map { _ in Double(random.number(below: 300)) }), .squared, upTo: 9
        ).costs
      }
      func whole(_ shares: [Int]) -> Double {
        zip(costs, shares).reduce(0) { $0 + $1.0[min($1.1, $1.0.count) - 1] }
      }
      let shares = CodeDesign.allocate(costs, values: 11)
      #expect(shares.reduce(0, +) <= 11)
      var best = Double.infinity
      for a in 1...9 { for b in 1...(10 - a) { best = min(best, whole([a, b, 11 - a - b])) } }
      #expect(isClose(whole(shares), best))
    }
  }

  @Test func `Values distributed over days are at least one a day, and no more than help`() {
    #expect(CodeDesign.allocate([[9, 0], [], [4]], values: 20) == [2, 1, 1])
    #expect(CodeDesign.allocate([[9, 1, 0], [5, 1]], values: 2) == [1, 1])
  }
}
