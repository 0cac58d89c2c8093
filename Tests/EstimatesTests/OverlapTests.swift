@testable import Estimates
import Testing
import Values

struct `The overlap of users who show it` {
  private func counts(_ installs: Double, _ shown: Double, _ attributed: Double) -> OverlapCounts {
    var counts = OverlapCounts()
    (counts.installs, counts.shown, counts.attributed) = (installs, shown, attributed)
    return counts
  }

  @Test func `The interval holds the truth in about nine of ten worlds, and is as wide as Wilson's`() throws {
    var random = SplitMix64(seed: 5)
    for truth in [0.02, 0.2, 0.6] {
      var held = 0
      for _ in 0..<1000 {
        let seen = (0..<300).count { _ in random.happens(truth) }
        if try #require(counts(3000, 300, Double(seen)).interval).contains(truth) { held += 1 }
      }
      #expect((840...950).contains(held), "\(truth): \(held)")
    }
    // Wilson, 1927, at 1.645 standard errors: 10 of 100.
    let interval = try #require(counts(100, 100, 10).interval)
    #expect(abs(interval.low - 0.0607) < 1e-3 && abs(interval.high - 0.1603) < 1e-3)
  }

  @Test func `What the others can be is within the worst case, which narrows with what is shown`() throws {
    for (installs, shown, attributed) in [
      (1000.0, 100.0, 30.0), (1000, 900, 900), (1000, 5, 0), (10, 50, 20),
    ] {
      for part in [0.1, 0.5, 1] {
        let counts = counts(installs, shown, attributed)
        let worst = try #require(counts.worstCase(part: part))
        let low = try #require(counts.shareOfAll(odds: 0.5, part: part))
        let high = try #require(counts.shareOfAll(odds: 2, part: part))
        #expect(worst.low - 1e-12 <= low && low <= high && high <= worst.high + 1e-12)
        #expect(abs(try #require(counts.shareOfAll(odds: 1, part: part)) - attributed / shown) < 1e-12)
      }
    }
    let some = counts(1000, 100, 30)
    #expect(try #require(some.worstCase(part: 0.1)).width < 1e-12)
    #expect(abs(try #require(some.worstCase(part: 1)).width - 0.9) < 1e-12)
    #expect(counts(1000, 0, 0).share == nil && counts(1000, 0, 0).worstCase(part: 1) == nil)
  }
}
