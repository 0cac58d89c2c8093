import Mappings
import Numerics
import System
import Testing
import Values

@testable import Estimates

struct `How far users of a value differ from campaign to campaign` {
  /// Own users of three values, four amounts each, in groups of which each has users by its own qualities.
  private func users(
    groups: Int, each: Int, seed: UInt64 = 1,
    _ qualities: (inout SplitMix64) -> (values: Double, within: Double)
  ) -> [UserPool.User] {
    var random = SplitMix64(seed: seed)
    let kinds = (0..<3).flatMap { code in
      (0..<4).map { UserPool.User(code: code, amount: Double(4 * code + $0)) }
    }
    var users: [UserPool.User] = []
    for group in 0..<groups {
      let (values, within) = qualities(&random)
      var sums: [Double] = []
      for kind in kinds {
        let own = (kind.amount.truncatingRemainder(dividingBy: 4) - 1.5) * 0.3
        sums.append((sums.last ?? 0) + exponential(values * Double(kind.code - 1) + within * own))
      }
      for _ in 0..<each {
        let target = random.fraction() * (sums.last ?? 0)
        let kind = kinds[sums.firstIndex { $0 > target } ?? 0]
        users.append(UserPool.User(code: kind.code, amount: kind.amount, group: group))
      }
    }
    return users
  }

  /// Campaigns are compared with own users of all groups, in which users of a value differ more than in one: so not all of 1.
  @Test func `Groups that differ within values as between them show a slope near 1`() throws {
    let law = try #require(
      WithinValueLaw(
        users(groups: 30, each: 1000) {
          let quality = 0.5 * $0.normal()
          return (1.2 * quality, quality)
        }))
    #expect(law.groups == 30)
    #expect(law.slope > 0.65 && law.spread < 0.1, "\(law.slope) \(law.spread)")
  }

  @Test func `Groups whose users of a value are alike show neither slope nor spread`() throws {
    let law = try #require(WithinValueLaw(users(groups: 30, each: 1000) { (0.6 * $0.normal(), 0) }))
    #expect(law.slope < 0.1 && law.spread < 0.05, "\(law.slope) \(law.spread)")
  }

  @Test func `Groups that differ within values in a way of their own show a spread`() throws {
    let law = try #require(
      WithinValueLaw(users(groups: 40, each: 1000) { (0.6 * $0.normal(), 0.4 * $0.normal()) }))
    #expect(law.spread > 0.25, "\(law.slope) \(law.spread)")
    #expect(law.slope < 0.6, "\(law.slope)")
  }

  @Test func `A few small groups leave both ends likely`() throws {
    let law = try #require(WithinValueLaw(users(groups: 2, each: 60) { (0.2 * $0.normal(), 0) }))
    #expect((0.2...0.8).contains(law.slope), "\(law.slope)")
    func weight(_ slope: Double) -> Double {
      law.places.filter { $0.slope == slope }.reduce(0) { $0 + $1.weight }
    }
    #expect(weight(0) > 0.2 && weight(1) > 0.2)
    #expect(abs(law.places.reduce(0) { $0 + $1.weight } - 1) < 1e-9)
  }

  @Test func `Nothing is learned of one group, of groups of few users, and of users who all paid the same`() {
    #expect(WithinValueLaw(users(groups: 1, each: 1000) { _ in (0, 0) }) == nil)
    #expect(WithinValueLaw(users(groups: 30, each: 40) { _ in (0, 0) }) == nil)
    #expect(WithinValueLaw((0..<400).map { UserPool.User(code: 1, amount: 2, group: $0 % 2) }) == nil)
    #expect(
      WithinValueLaw(
        users(groups: 9, each: 100) { _ in (0, 0) }.map { .init(code: $0.code, amount: $0.amount) }) == nil)
    #expect(WithinValueLaw([]) == nil)
    #expect(WithinValueLaw(groups: 3, places: []) == .unknown)
  }

  @Test func `Draws have each place as often as it is likely`() {
    let law = WithinValueLaw(
      groups: 5,
      places: [
        .init(slope: 1, spread: 0.1, weight: 6), .init(slope: 0, spread: 0, weight: 1),
        .init(slope: 0.5, spread: 0, weight: 1),
      ])
    #expect(law.places.map(\.weight) == [0.125, 0.125, 0.75])
    let drawn = (0..<256).map { law.place(ofDraw: $0) }
    #expect(law.places.map { place in drawn.filter { $0 == place }.count } == [32, 32, 192])
    // Without groups every other draw takes users of a value for alike.
    #expect((0..<6).map { WithinValueLaw.unknown.place(ofDraw: $0).slope } == [0, 1, 0, 1, 0, 1])
  }

  @Test
  func `Groups of own users make intervals narrower that hold as often, where users of a value are alike`()
    throws
  {
    let mapping = try #require(
      MappingDocument.read(
        Array(
          #"""
          {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
           "grids":[{"first-value":0,"revenue":[0,4,8,12]}]}
          """#.utf8)
      ).document?.mapping)
    // What they pay later has nothing to do with the value's range.
    let users = users(groups: 1, each: 3000) { _ in (0, 0) }.map {
      UserPool.User(code: $0.code, amount: $0.amount * $0.amount.truncatingRemainder(dividingBy: 4))
    }
    var (known, unknown) = (BackTest.Score(), BackTest.Score())
    for groups in [0, 20] {
      var test = BackTest(mapping, users, isOfFirstWindow: false, campaigns: 20)
      test.scores = { users in rankScores(users.map { Double($0.code) }, weights: users.map { _ in 1 }) }
      test.drawnGroups = groups
      var score = BackTest.Score()
      for seed in 1...12 { score += try #require(try test.run(.nothing, seed: UInt64(seed))) }
      if groups > 0 { known = score } else { unknown = score }
    }
    #expect(known.widths < 0.85 * unknown.widths, "\(known.widths) \(unknown.widths)")
    let held = Double(known.campaigns - known.below - known.above) / Double(known.campaigns)
    #expect((0.8...0.97).contains(held), "\(held)")
  }
}
