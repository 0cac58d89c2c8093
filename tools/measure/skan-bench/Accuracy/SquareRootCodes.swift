/// The codes of amounts: 0 for nothing, and above it the ranges of the least squared error of square roots.
///
/// The exact dynamic programme over intervals of sorted amounts, with the least end searched by divide and conquer,
/// since it never falls as the amounts go on. Source: Grønlund and others, "Fast exact k-means, k-medians and Bregman
/// divergence clustering in 1D", 2017.
struct SquareRootCodes: Sendable {
  /// The lowest amount of each code, rising, from 0.
  let lows: [Double]

  /// Finds the codes of amounts, at most so many.
  init(_ amounts: [Double], most: Int) {
    let sorted = amounts.filter { $0 > 0 }.sorted()
    let ranges = Self.ranges(sorted.map { $0.squareRoot() }, count: min(most - 1, Set(sorted).count))
    lows = [0] + ranges.map { sorted[$0] }
  }

  /// The code of an amount.
  func code(of amount: Double) -> Int { max(0, (lows.firstIndex { $0 > amount } ?? lows.count) - 1) }

  /// Where each of some ranges of rising numbers begins.
  private static func ranges(_ values: [Double], count: Int) -> [Int] {
    var sums = [(first: 0.0, second: 0.0)]
    for (place, value) in values.enumerated() {
      sums.append((sums[place].first + value, sums[place].second + value * value))
    }
    func cost(_ from: Int, _ to: Int) -> Double {
      let first = sums[to].first - sums[from].first
      return to > from ? sums[to].second - sums[from].second - first * first / Double(to - from) : 0
    }
    var best = (0...values.count).map { cost(0, $0) }
    var starts: [[Int]] = []
    for _ in 1..<max(1, count) {
      var next = best
      var start = [Int](repeating: 0, count: values.count + 1)
      func solve(_ ends: Range<Int>, _ from: ClosedRange<Int>) {
        guard !ends.isEmpty else { return }
        let end = (ends.lowerBound + ends.upperBound) / 2
        next[end] = .infinity
        for place in from.lowerBound...max(from.lowerBound, min(end, from.upperBound)) {
          let sum = best[place] + cost(place, end)
          if sum < next[end] { (next[end], start[end]) = (sum, place) }
        }
        solve(ends.lowerBound..<end, from.lowerBound...max(from.lowerBound, start[end]))
        solve((end + 1)..<ends.upperBound, start[end]...max(start[end], from.upperBound))
      }
      solve(0..<(values.count + 1), 0...values.count)
      best = next
      starts.append(start)
    }
    var end = values.count
    var ends: [Int] = []
    for start in starts.reversed() {
      end = start[end]
      ends.append(end)
    }
    return values.isEmpty ? [] : Set(ends + [0]).filter { $0 < values.count }.sorted()
  }
}
