import System
import Testing
import Values

@testable import Estimates

struct FewestSharingTests {
  /// What one campaign shows of one value on each day.
  private func sharing(_ days: [Double], known: Range<Int>? = nil) -> FewestSharing {
    var sharing = FewestSharing(known: known ?? -100..<200)
    sharing.add(days.map { [$0, 100] }, from: 0)
    return sharing
  }

  @Test
  func `Users of one week count together, though they arrive in two`() {
    // Five users of a week arrive on the last day of one week of arrivals and on the first days of the next one.
    #expect(sharing([0, 0, 0, 0, 0, 0, 1, 3, 1, 0, 0, 0]).users == 5)
    #expect(sharing([1, 0, 0, 0, 0, 0, 0, 4]).users == 5)
    #expect(sharing([1, 0, 0, 0, 0, 0, 0, 0, 4]).users == 1)
  }

  @Test
  func `Days about which not all is known show nothing`() {
    let days: [Double] = [1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 2]
    #expect(sharing(days).users == 1)
    #expect(sharing(days, known: 0..<200).users == 2)
    #expect(sharing(days, known: 0..<17).users == 4)
    #expect(sharing(days, known: 0..<12).users == nil)
  }

  /// Sizes of campaigns of a week, and how often their values are, each half as often as the one before.
  private func weeks(withheldBelow fewest: Int, isBySize: Bool) -> FewestSharing {
    var random = SplitMix64(seed: 7)
    var sharing = FewestSharing(known: 0..<120)
    for campaign in 0..<40 {
      var days = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 100)
      for week in 1..<13 {
        var users = [Int](repeating: 0, count: 8)
        for value in 0..<8 {
          users[value] = random.poisson(Double(20 + 5 * campaign) / Double(2 << value))
        }
        for value in 0..<8 where isBySize || users[value] >= fewest {
          for _ in 0..<users[value] {
            let day = 7 * week + Int(random.fraction() * 7)
            days[day + (random.happens(0.5) ? 1 : 0)][value] += 1
          }
        }
      }
      sharing.add(days, from: 0)
    }
    return sharing
  }

  @Test
  func `A rule that withholds rare values is seen, and its number`() {
    for fewest in [2, 3, 5, 10] {
      let sharing = weeks(withheldBelow: fewest, isBySize: false)
      #expect(sharing.rule == fewest)
    }
  }

  @Test
  func `A few late retries do not hide a rule`() {
    var sharing = weeks(withheldBelow: 5, isBySize: false)
    var late = [[Double]](repeating: [0], count: 60)
    late[10][0] = 1
    late[40][0] = 2
    sharing.add(late, from: 0)
    #expect(sharing.rule == 5 && sharing.users == 5 && !sharing.refutesRules)
  }

  @Test
  func `Where rare values are shown there is no such rule`() {
    let sharing = weeks(withheldBelow: 5, isBySize: true)
    #expect(sharing.users == 1 && sharing.refutesRules)
    #expect(sharing.rule == nil)
  }

  @Test
  func `A number that only chance makes the smallest is no rule`() {
    // Each week has about 40 users of the one value; the fewest of all weeks are no cut.
    var random = SplitMix64(seed: 3)
    var sharing = FewestSharing(known: 0..<400)
    for _ in 0..<50 {
      sharing.add((0..<380).map { _ in [Double(random.poisson(5))] }, from: 0)
    }
    let users = sharing.users ?? 0
    #expect(users > 15)
    #expect(sharing.rule == nil)
  }
}
