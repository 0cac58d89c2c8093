import Values

internal import Numerics
internal import System

/// What a test found of one network or campaign.
package struct PatternFinding: Equatable, Sendable {
  package let network: String
  /// `nil` for all campaigns of the network.
  package let campaign: String?
  package let test: PatternTest
  /// What was seen, and what the other networks of the app let expect: shares of views and assists, an elasticity, the
  /// share of the way from clicks to own users, or a mean rank between 0 and 1; `nil` for two tests together.
  package let seen: Double?
  package let expected: Double?
  /// By how many standard errors they differ, with what networks differ by in the error.
  package let statistic: Double
  /// How likely so much is where nothing is unusual.
  package let probability: Double
  /// The publisher that differs most.
  package let publisher: String?
  /// The probability that holds for all tests together; see ``correct(_:)``.
  package var corrected = 1.0

  /// How often any honest campaign of a report is called unusual, at most.
  package static let level = 0.01

  package var isUnusual: Bool { corrected <= Self.level }

  /// Corrects the probabilities of a report for there being many, by Holm's procedure.
  package static func correct(_ findings: inout [Self]) {
    for (index, corrected) in holm(findings.map(\.probability)).enumerated() {
      findings[index].corrected = corrected ?? 1
    }
  }
}

/// Tests whether the installs of each network or campaign of an app look earned, beside the app's other networks.
///
/// What is unusual is an effect unlike those of other networks by more than networks differ and chance explains. A network
/// without any other beside it is compared with the assumptions of ``PatternTest/priorSpread`` alone. Two networks that do
/// the same hide each other.
package struct PatternSearch: Sendable {
  private struct Unit: Hashable, Comparable {
    let network: String
    let campaign: String?

    static func < (a: Self, b: Self) -> Bool {
      (a.network, a.campaign ?? "") < (b.network, b.campaign ?? "")
    }
  }

  /// An effect with what a reader sees of it.
  private struct Seen {
    let effect: PatternEffect
    /// The share that changes of shares are of.
    var share = 0.0
  }

  private let app: PatternApp
  private let units: [Unit: [PatternCampaign]]
  /// The tests of each network and campaign for which there was enough, not corrected for their number.
  package private(set) var findings: [PatternFinding] = []

  package init(_ app: PatternApp, byCampaign: Bool) {
    self.app = app
    units = Dictionary(grouping: app.campaigns) {
      Unit(network: $0.network, campaign: byCampaign ? $0.campaign : nil)
    }
    for test in PatternTest.allCases {
      add(test, effects(test))
    }
    addOrigins()
    addPublishers()
    findings.sort {
      ($0.network, $0.campaign ?? "", $0.test.place) < ($1.network, $1.campaign ?? "", $1.test.place)
    }
  }

  // MARK: Effects

  private func effects(_ test: PatternTest) -> [Unit: Seen] {
    switch test {
    case .viewShare: changes { ($0.views, $0.views + $0.clicks) }
    case .assistShare: changes { ($0.assists, $0.assists + $0.winners) }
    case .viewRhythm: rhythms()
    case .viewMix: mixes()
    case .viewOrigin, .publisherMix: [:]
    }
  }

  /// Changes within campaigns, so that one which starts or stops changes nothing.
  private func changes(
    _ count: (PatternCampaign.Day) -> (marked: Double, all: Double)
  ) -> [Unit: Seen] {
    units.compactMapValues { campaigns in
      let changes = campaigns.compactMap { ShareRise($0.days.map(count), recent: app.recentDays) }
      guard let effect = PatternEffect.mean(changes.map { ($0.effect, $0.all) }) else { return nil }
      let all = changes.reduce(0) { $0 + $1.all }
      return Seen(effect: effect, share: changes.reduce(0) { $0 + $1.share * $1.all } / all)
    }
  }

  private func rhythms() -> [Unit: Seen] {
    let others = app.installsOfOthers()
    var found: [Unit: Seen] = [:]
    // All campaigns are looked at for the number of days, so once for all units.
    let none = [Double](repeating: 0, count: app.dayCount)
    for (unit, campaigns) in units {
      var (views, clicks) = (none, none)
      for campaign in campaigns {
        for (day, counts) in campaign.days.enumerated() {
          views[day] += counts.views
          clicks[day] += counts.clicks
        }
      }
      guard let rhythm = ViewRhythm(views: views, clicks: clicks, others: others[unit.network] ?? []) else {
        continue
      }
      found[unit] = Seen(effect: rhythm.slope)
    }
    return found
  }

  private func mixes() -> [Unit: Seen] {
    guard !app.ownUsers.isEmpty else { return [:] }
    let none = app.ownUsers.map { _ in 0.0 }
    var (all, byNetwork) = (none, [String: [Double]]())
    for campaign in app.campaigns {
      for (value, count) in campaign.clickValues.enumerated() where value < none.count {
        all[value] += count
        byNetwork[campaign.network, default: none][value] += count
      }
    }
    let directions = byNetwork.compactMapValues { clicks in
      ViewMix(own: app.ownUsers, others: zip(all, clicks).map(-), clicks: clicks)
    }
    return units.compactMapValues { campaigns in
      let shares = campaigns.compactMap { campaign in
        directions[campaign.network]?.share(views: campaign.viewValues, clicks: campaign.clickValues).map {
          (effect: $0, size: campaign.viewValues.reduce(0, +))
        }
      }
      return PatternEffect.mean(shares).map { Seen(effect: $0) }
    }
  }

  // MARK: Findings

  private mutating func add(_ test: PatternTest, _ effects: [Unit: Seen]) {
    let sorted = effects.ordered { $0.key < $1.key }
    let networks = Set(sorted.map(\.key.network))
    let laws = Dictionary(
      uniqueKeysWithValues: networks.map { network in
        let others = sorted.filter { $0.key.network != network }.map(\.value.effect)
        return (network, PatternLaw(others, groups: networks.count - 1, test: test))
      })
    for (unit, seen) in sorted {
      guard let law = laws[unit.network] else { continue }
      let judged = law.judge(seen.effect, test)
      var (shown, expected) = (seen.effect.value, law.mean)
      if test == .viewShare || test == .assistShare {
        // The share as it would be with the change of other networks.
        (shown, expected) = (seen.share, Self.moved(seen.share, by: law.mean - seen.effect.value))
      }
      findings.append(
        PatternFinding(
          network: unit.network, campaign: unit.campaign, test: test, seen: shown, expected: expected,
          statistic: judged.statistic, probability: judged.probability, publisher: nil))
    }
  }

  private static func moved(_ share: Double, by logit: Double) -> Double {
    let odds = share * exponential(logit)
    return share > 0 ? odds / (odds + 1 - share) : 0
  }

  /// Fisher's combination of both tests of the views of a unit ("Statistical Methods for Research Workers", 1932).
  private mutating func addOrigins() {
    let parts = Dictionary(grouping: findings.filter { $0.test == .viewRhythm || $0.test == .viewMix }) {
      Unit(network: $0.network, campaign: $0.campaign)
    }
    for (unit, parts) in parts.ordered(by: { $0.key < $1.key }) where parts.count == 2 {
      let logarithms = parts.reduce(0) { $0 - 2 * naturalLogarithm(max($1.probability, 1e-300)) }
      let probability = chiSquareTail(logarithms, freedom: 4)
      findings.append(
        PatternFinding(
          network: unit.network, campaign: unit.campaign, test: .viewOrigin, seen: nil, expected: nil,
          statistic: -normalQuantile(min(1 - 1e-16, max(1e-300, probability))), probability: probability,
          publisher: nil))
    }
  }

  private mutating func addPublishers() {
    let test = PatternTest.publisherMix
    let ranks = units.mapValues { campaigns in
      var parts: [String: [(effect: PatternEffect, size: Double)]] = [:]
      for campaign in campaigns {
        for (publisher, effect) in PublisherMix.ranks(campaign.publishers) {
          parts[publisher, default: []].append(
            (effect, campaign.publishers[publisher]?.reduce(0, +) ?? 0))
        }
      }
      return parts.ordered { $0.key < $1.key }.compactMap { publisher, parts in
        PatternEffect.mean(parts).map { (publisher: publisher, effect: $0) }
      }
    }
    let sorted = ranks.ordered { $0.key < $1.key }
    let laws = Dictionary(
      uniqueKeysWithValues: Set(sorted.map(\.key.network)).map { network in
        let others = sorted.filter { $0.key.network != network }
        // Publishers of one network are of one kind.
        let networks = Set(others.map(\.key.network)).count
        return (network, PatternLaw(others.flatMap { $0.value.map(\.effect) }, groups: networks, test: test))
      })
    for (unit, publishers) in sorted {
      guard let law = laws[unit.network] else { continue }
      let judged = publishers.map { (found: $0, result: law.judge($0.effect, test)) }
      guard let most = judged.min(by: { $0.result.probability < $1.result.probability }) else { continue }
      findings.append(
        PatternFinding(
          network: unit.network, campaign: unit.campaign, test: test, seen: 0.5 + most.found.effect.value,
          expected: 0.5 + law.mean, statistic: most.result.statistic,
          probability: min(1, most.result.probability * Double(judged.count)),
          publisher: most.found.publisher))
    }
  }
}

extension PatternTest {
  /// Its place in the order of a report.
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
