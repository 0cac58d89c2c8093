import System
import Testing
import Values

@testable import Estimates

/// What own campaigns show of the widths of others.
struct OwnWidthsTests {
  /// Widths that follow a law without scatter, or with some.
  private func known(scatter: Double = 0, count: Int = 12) -> [OwnWidths.Known] {
    (0..<count).map { number in
      let installs = 50.0 * Double(1 + number)
      let share = Double((number * 7) % 10) / 10
      let error = scatter * (number % 2 == 0 ? 1 : -1)
      return .init(
        installs: installs, values: share * installs, width: width(installs, share) * exponential(error))
    }
  }

  private func width(_ installs: Double, _ share: Double) -> Double {
    8 / (share * installs + 10).squareRoot() * exponential(-share)
  }

  private func played(_ installs: Double, _ share: Double) -> Shown {
    Shown(
      values: [Double](repeating: share * installs, count: 5),
      installs: [Double](repeating: installs, count: 5))
  }

  @Test func `The width follows the values shown and the share withheld`() throws {
    let widths = try #require(OwnWidths(known()))
    let predicted = try #require(widths.predicted([played(400, 0.75)]))
    #expect(abs(predicted.mean - width(400, 0.75)) < 1e-9)
    #expect(predicted.interval.width < 1e-6)
  }

  @Test func `What scatters about the law makes the interval wide`() throws {
    let widths = try #require(OwnWidths(known(scatter: 0.2)))
    let predicted = try #require(widths.predicted([played(400, 0.75)]))
    let reach = naturalLogarithm(predicted.interval.high / predicted.mean)
    #expect(reach > 0.3 && reach < 0.8)
    #expect(abs(predicted.mean * predicted.mean - predicted.interval.low * predicted.interval.high) < 1e-9)
  }

  @Test func `Two models make it wider, and both are in it`() throws {
    let widths = try #require(OwnWidths(known(scatter: 0.05)))
    let one = try #require(widths.predicted([played(400, 0.75)]))
    let both = try #require(widths.predicted([played(400, 0.25), played(400, 0.75)]))
    #expect(both.interval.width > 2 * one.interval.width)
    #expect(both.interval.contains(width(400, 0.25)) && both.interval.contains(width(400, 0.75)))
  }

  @Test
  func `Of few campaigns, of campaigns that are all alike, and far from all of them nothing is predicted`()
    throws
  {
    #expect(OwnWidths(known(count: 7)) == nil)
    #expect(
      OwnWidths([OwnWidths.Known](repeating: .init(installs: 100, values: 50, width: 0.3), count: 12)) == nil)
    let widths = try #require(OwnWidths(known(scatter: 0.05)))
    #expect(widths.predicted([played(1_000_000, 0.5)]) == nil)
    #expect(widths.predicted([Shown(values: [0], installs: [0])]) == nil)
  }
}
