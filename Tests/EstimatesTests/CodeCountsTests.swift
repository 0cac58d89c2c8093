@testable import Estimates
import Testing
import Values

struct `Counts by value` {
  @Test func `They are those of a list, however they were made and added up`() {
    var random = SplitMix64(seed: 9)
    func list() -> [Double] {
      (0..<64).map { _ in random.happens(0.9) ? 0 : Double(random.number(below: 50)) / 8 }
    }
    for _ in 0..<200 {
      let (one, other) = (list(), list())
      var counts = CodeCounts(one)
      #expect(Array(counts) == one && counts.all == one && counts.total == one.reduce(0, +))
      #expect(one.indices.allSatisfy { counts[$0] == one[$0] })
      var set = CodeCounts(codes: 64)
      for code in (0..<64).shuffled(using: &random) { set[code] = one[code] }
      #expect(set == counts)
      counts += CodeCounts(other)
      let sums = zip(one, other).map(+)
      #expect(counts == CodeCounts(sums))
      var weighted = one
      CodeCounts(other).add(to: &weighted, times: 0.5)
      #expect(weighted == zip(one, other).map { $0 + 0.5 * $1 })
      set[7] = 0
      #expect(
        set[7] == 0 && set.total == one.enumerated().reduce(0) { $1.offset == 7 ? $0 : $0 + $1.element })
    }
    #expect(Array(CodeCounts([0, 3, 0, 2, 0][1..<4])) == [3, 0, 2])
    #expect(CodeCounts(codes: 64).areNothing && CodeCounts(codes: 64).bytes == 0)
  }
}
