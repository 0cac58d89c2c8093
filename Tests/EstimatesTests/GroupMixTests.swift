import Estimates
import Numerics
import System
import Testing
import Values

@Suite struct GroupMixTests {
  /// Draws users of some groups from mixes that differ by stratum.
  private func draw(
    _ random: inout SplitMix64, sizes: [[Int]], mixes: [[Double]], tilt: Double = 0
  ) -> [[[Double]]] {
    sizes.indices.map { stratum in
      sizes[stratum].indices.map { group in
        var counts = [Double](repeating: 0, count: mixes[stratum].count)
        for _ in 0..<sizes[stratum][group] {
          var rest = random.fraction()
          var value = 0
          while value + 1 < counts.count, rest >= mixes[stratum][value] {
            rest -= mixes[stratum][value]
            value += 1
          }
          if group == 0, random.happens(tilt) { value = 0 }
          counts[value] += 1
        }
        return counts
      }
    }
  }

  @Test func `Groups of one mix give an alarm as often as promised, whatever their share of strata`() {
    var random = SplitMix64(seed: 20)
    let sets = 2000
    var alarms = 0
    for _ in 0..<sets {
      let mixes = (0..<2).map { _ -> [Double] in
        let weights = (0..<12).map { 1 / Double($0 + 1 + random.number(below: 4)) }
        return weights.map { $0 / weights.reduce(0, +) }
      }
      // The first group is nearly all of one stratum, the third of the other.
      let sizes = [
        [80 + random.number(below: 60), 300, 15], [15, 300, 80 + random.number(below: 60)],
      ].map { $0.map { Int($0) } }
      if let mix = GroupMix(draw(&random, sizes: sizes, mixes: mixes)), mix.probability < 0.05 { alarms += 1 }
    }
    // Three standard deviations of a count with 5 % of 2000, rounded up.
    #expect((70...130).contains(alarms), "\(alarms) of \(sets)")
  }

  @Test func `A group that loses its values is noticed`() {
    var random = SplitMix64(seed: 21)
    let noticed = (0..<100).count { _ in
      let tables = draw(
        &random, sizes: [[250, 400]], mixes: [[0.4, 0.3, 0.2, 0.1]], tilt: 0.3)
      return (GroupMix(tables)?.probability ?? 1) < 0.05
    }
    #expect(noticed > 90)
  }

  @Test func `Two groups of one stratum give Pearson's table`() throws {
    let mix = try #require(GroupMix([[[20, 30], [30, 20]]]))
    #expect(abs(mix.statistic - 4) < 1e-12)
    #expect(mix.freedom == 1)
    let doubled = try #require(
      GroupMix([[[20, 30], [30, 20]], [[30, 20], [20, 30]], [[5, 1], [0, 0]]]))
    #expect(abs(doubled.statistic - 8) < 1e-12)
    #expect(doubled.freedom == 2)
  }

  @Test func `Too few values give no result`() {
    #expect(GroupMix([]) == nil)
    #expect(GroupMix([[[3, 1], [2, 1]]]) == nil)
    #expect(GroupMix([[[30, 10], [0, 0], [0, 0]]]) == nil)
    #expect(GroupMix([[[30, 0], [40, 0]]]) == nil)
    #expect(GroupMix([[[], []]]) == nil)
  }

  @Test(arguments: [(0, 0, 1.0), (5, 5, 1), (5, 0, 0.0625), (0, 6, 0.03125), (9, 1, 0.021484375)])
  func `The direction of changes has the probability of the sign test`(
    raised: Int64, lowered: Int64, expected: Double
  ) {
    #expect(abs(PairedDirection(raised: raised, lowered: lowered).probability - expected) < 1e-9)
  }

  @Test func `A million changes in one direction are no accident and no overflow`() {
    #expect(PairedDirection(raised: 1_000_000, lowered: 0).probability < 1e-9)
    #expect(PairedDirection(raised: 500_100, lowered: 500_000).probability > 0.5)
  }

  @Test func `Holm's correction gives the figures of the paper's example`() throws {
    let corrected = holm([0.01, nil, 0.04, 0.03])
    #expect(corrected.map { $0.map { ($0 * 1000).rounded() / 1000 } } == [0.03, nil, 0.06, 0.06])
    #expect(holm([]) == [])
    #expect(holm([0.9, 0.8]) == [1, 1])
  }
}
