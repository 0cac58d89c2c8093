@testable import Estimates
import Numerics
import System
import Testing
import Values

@Suite("Patterns of installs")
struct PatternTests {
  @Test func `A share that rises is measured in logits, and more scatter between weeks widens its error`()
    throws
  {
    func days(_ shares: [Double]) -> [(marked: Double, all: Double)] {
      shares.flatMap { share in (0..<7).map { _ in (100 * share, 100) } }
    }
    let even = try #require(ShareRise(days([0.2, 0.2, 0.2, 0.2, 0.5, 0.5]), recent: 14))
    // From odds of 1 to 4 to odds of 1 to 1.
    #expect(abs(even.effect.value - naturalLogarithm(4)) < 0.01)
    #expect(even.share == 0.5 && even.all == 1_400)
    let uneven = try #require(ShareRise(days([0.1, 0.3, 0.1, 0.3, 0.4, 0.6]), recent: 14))
    #expect(uneven.effect.variance > 10 * even.effect.variance)
    #expect(ShareRise(days([0, 0, 0, 0, 0, 0]), recent: 14) == nil)
    #expect(ShareRise(days([0.2, 0.2]), recent: 14) == nil)
  }

  /// Eight weeks of demand, views and clicks, where some views are installs that came anyway.
  private func rhythm(claiming: Double, seed: UInt64) -> ViewRhythm? {
    var random = SplitMix64(seed: seed)
    var (views, clicks, others): ([Double], [Double], [Double?]) = ([], [], [])
    for day in 0..<84 {
      let demand = (day % 7 < 5 ? 0 : 0.2) + 0.15 * random.normal()
      let budget = 0.1 * random.normal()
      let organic = Double(random.poisson(1_000 * exponential(demand)))
      let claimed = random.binomial(Int(organic), claiming)
      views.append(Double(random.poisson(100 * exponential(0.4 * demand + budget)) + claimed))
      clicks.append(Double(random.poisson(300 * exponential(0.4 * demand + budget))))
      others.append(organic)
    }
    return ViewRhythm(views: views, clicks: clicks, others: others)
  }

  @Test func `Claimed views follow other installs by their part of all views, and earned ones follow clicks`()
    throws
  {
    var (earned, claimed) = (0.0, 0.0)
    for seed in 1...20 {
      earned += try #require(rhythm(claiming: 0, seed: UInt64(seed))).slope.value / 20
      claimed += try #require(rhythm(claiming: 0.3, seed: UInt64(seed))).slope.value / 20
    }
    // Three quarters of 400 views are claimed.
    #expect((0.6...1.0).contains(claimed), "\(claimed)")
    #expect((-0.1...0.3).contains(earned), "\(earned)")
    #expect(ViewRhythm(views: [], clicks: [], others: []) == nil)
    #expect(
      ViewRhythm(
        views: Array(repeating: 50, count: 84), clicks: Array(repeating: 50, count: 84),
        others: Array(repeating: nil, count: 84)) == nil)
  }

  @Test
  func `Views with the values of own users are all the way from clicks, and those of clicks none of it`()
    throws
  {
    let own = [500.0, 200, 200, 100]
    let clicks = [1_600.0, 200, 150, 50]
    let mix = try #require(ViewMix(own: own, others: clicks, clicks: clicks))
    let claimed = try #require(mix.share(views: own, clicks: clicks))
    #expect(abs(claimed.value - 1) < 1e-9)
    let earned = try #require(mix.share(views: [800, 100, 75, 25], clicks: clicks))
    #expect(abs(earned.value) < 1e-9)
    let half = try #require(mix.share(views: [650, 150, 137.5, 62.5], clicks: clicks))
    #expect(abs(half.value - 0.5) < 1e-9)
    // Where own users are like clicks, nothing distinguishes views.
    #expect(ViewMix(own: clicks, others: clicks, clicks: clicks) == nil)
    #expect(ViewMix(own: [], others: [], clicks: []) == nil)
  }

  @Test func `Publishers rank by their values alone, and equal ones have no largest`() throws {
    let ranks = PublisherMix.ranks(["a": [100, 0], "b": [0, 100]])
    #expect(ranks["a"]?.value == -0.5 && ranks["b"]?.value == 0.5)
    #expect(ranks["a"]?.spreadFactor == 2)
    #expect(PublisherMix.ranks(["a": [100, 0], "b": [100, 0]]).isEmpty)
    #expect(PublisherMix.ranks([:]).isEmpty)
    // Few users have no rank.
    #expect(
      PublisherMix.ranks(["a": [100, 50], "b": [5, 5], "c": [50, 100]]).keys.sorted() == ["a", "c"])
    let even = try #require(PublisherConcentration(["a": 10, "b": 10, "c": 10, "d": 10]))
    #expect(abs(even.effectiveNumber - 4) < 1e-9 && even.largestShare == 0.25)
    let one = try #require(PublisherConcentration(["a": 97, "b": 1, "c": 2]))
    #expect(one.largest == "a" && one.effectiveNumber < 1.2)
    #expect(PublisherConcentration([:]) == nil)
  }

  @Test(arguments: [0.1, 0.3, 0.6])
  func `Networks that differ are rarely called unusual, however much they do`(spread: Double) {
    var random = SplitMix64(seed: 3)
    var below = 0
    for _ in 0..<4_000 {
      func effect() -> PatternEffect {
        PatternEffect(value: spread * random.normal() + 0.1 * random.normal(), variance: 0.01, freedom: 20)
      }
      let others = (0..<6).map { _ in effect() }
      let law = PatternLaw(others, groups: 6, test: .viewShare)
      if law.judge(effect(), .viewShare).probability <= 0.01 { below += 1 }
    }
    // One in a hundred; more where networks differ more than is assumed and six show it roughly.
    #expect(below <= 120, "\(below) of 4,000")
  }

  /// Four networks of two campaigns each; the first campaign of the first one claims some of the organic installs by views
  /// in the recent days, or always.
  private func app(claiming: Double, since begin: Int = 56, seed: UInt64 = 7) -> PatternApp {
    var random = SplitMix64(seed: seed)
    let organic = (0..<84).map { _ in Double(random.poisson(800 * exponential(0.12 * random.normal()))) }
    var all: [Double?] = organic
    var campaigns: [PatternCampaign] = []
    for network in 0..<4 {
      for number in 0..<2 {
        let isClaiming = claiming > 0 && network == 0 && number == 0
        let days = organic.enumerated().map { day, organic in
          let (earned, clicks) = (Double(random.poisson(40)), Double(random.poisson(60)))
          let claimed =
            isClaiming && day >= begin ? Double(random.binomial(Int(organic), claiming)) : 0
          all[day] = all[day].map { $0 + earned + clicks }
          let winners = earned + clicks + claimed
          return PatternCampaign.Day(
            views: earned + claimed, clicks: clicks, winners: winners,
            assists: Double(random.poisson(winners / 5)))
        }
        let views = days.suffix(28).reduce(0) { $0 + $1.views }
        campaigns.append(
          PatternCampaign(
            network: "\(network)", campaign: "\(number)", days: days,
            viewValues: isClaiming
              ? [0.5 * views, 0.3 * views, 0.2 * views] : [0.8 * views, 0.12 * views, 0.08 * views],
            clickValues: [1_344, 201, 135], publishers: ["a": [900, 80, 60], "b": [1_100, 100, 70]]))
      }
    }
    return PatternApp(campaigns: campaigns, recentDays: 28, allInstalls: all, ownUsers: [1_000, 600, 400])
  }

  private func unusual(_ app: PatternApp, byCampaign: Bool) -> [PatternFinding] {
    var findings = PatternSearch(app, byCampaign: byCampaign).findings
    PatternFinding.correct(&findings)
    #expect(findings.allSatisfy { $0.corrected >= $0.probability })
    return findings.filter(\.isUnusual)
  }

  @Test(arguments: [true, false])
  func `A campaign that claims organic installs by views is unusual, and its peers are not`(byCampaign: Bool)
  {
    for begin in [0, 56] {
      let found = unusual(app(claiming: 0.6, since: begin), byCampaign: byCampaign)
      #expect(!found.isEmpty && found.allSatisfy { $0.network == "0" && $0.campaign ?? "0" == "0" })
      // A share that was as high before does not rise.
      #expect(found.contains { $0.test == .viewShare } == (begin > 0))
    }
    for seed in 1...10 {
      #expect(unusual(app(claiming: 0, seed: UInt64(seed)), byCampaign: byCampaign).isEmpty)
    }
  }

  @Test func `What was seen and what was expected are shares, and a campaign that starts changes nothing`()
    throws
  {
    var app = app(claiming: 0.3)
    let found = try #require(
      PatternSearch(app, byCampaign: true).findings.first { $0.test == .viewShare && $0.network == "0" })
    // 280 of 340 a day, where 40 of 100 were before.
    #expect(abs((found.seen ?? 0) - 0.82) < 0.03)
    #expect(abs((found.expected ?? 0) - 0.4) < 0.05)
    app = self.app(claiming: 0)
    for day in 0..<60 { app.campaigns[0].days[day] = .init() }
    for day in 0..<60 { app.campaigns[3].days[day] = .init(views: 5, clicks: 95, winners: 100) }
    let findings = PatternSearch(app, byCampaign: true).findings
    #expect(!findings.contains { $0.test == .viewShare && $0.network == "0" && $0.campaign == "0" })
  }

  @Test func `One network alone, and one without any postback, are no failure`() {
    var app = app(claiming: 0)
    app.campaigns = Array(app.campaigns.prefix(1))
    #expect(PatternSearch(app, byCampaign: false).findings.allSatisfy { (0...1).contains($0.probability) })
    app.campaigns[0].days = Array(repeating: .init(), count: 84)
    app.campaigns[0].publishers = [:]
    #expect(!PatternSearch(app, byCampaign: false).findings.contains { $0.test == .viewShare })
    #expect(PatternSearch(PatternApp(campaigns: [], recentDays: 28), byCampaign: true).findings.isEmpty)
  }
}
