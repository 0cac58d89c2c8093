package import Campaigns
package import Estimates
package import Ledger
package import Postbacks
package import Values

/// What one test found of a network or a campaign, with the evidence.
package struct JudgedPattern: Sendable {
  /// What all tests of a network or campaign come to; none of them is a proof.
  package enum Verdict: String, Sendable {
    case nothingUnusual = "nothing-unusual"
    case lookAtIt = "look-at-it"
  }

  package let app: AppID
  package let finding: PatternFinding
  /// Of the network or campaign: `look-at-it` where any of its tests is unusual.
  package let verdict: Verdict
  /// Winning first-window postbacks of the days that are judged, and those of them by views.
  package let installs: Double
  package let views: Double
  /// The days of arrival that are judged.
  package let days: Range<Day>
  /// What the test looked at, line by line; of what is to be looked at alone.
  package let evidence: [String]

  /// Makes all tests of a ledger, corrected for their number, and returns those of the networks that are asked for.
  ///
  /// - Parameters:
  ///   - end: The first day of arrival that does not count.
  ///   - days: How many days are judged.
  ///   - baselineDays: How many days before them they are compared with.
  package static func all(
    _ reader: LedgerReader, _ scope: Scope = Scope(), end: Day, days: Int, baselineDays: Int, byCampaign: Bool
  ) throws(LedgerError) -> [JudgedPattern] {
    let ledger = try PatternLedger(reader, scope, end: end, days: days, baselineDays: baselineDays)
    var (found, findings): ([AppID], [PatternFinding]) = ([], [])
    for (app, counts) in ledger.apps.sorted(by: { $0.key < $1.key }) {
      let search = PatternSearch(counts.counts, byCampaign: byCampaign).findings
      findings += search
      found += search.map { _ in app }
    }
    PatternFinding.correct(&findings)
    let units = zip(found, findings).map { Unit(app: $0, network: $1.network, campaign: $1.campaign) }
    let unusual = Set(zip(units, findings).filter { $1.isUnusual }.map { $0.0 })
    var evidence: [Unit: PatternEvidence] = [:]
    for (app, counts) in ledger.apps {
      let groups = Dictionary(grouping: counts.counts.campaigns) {
        Unit(app: app, network: $0.network, campaign: byCampaign ? $0.campaign : nil)
      }
      for (unit, campaigns) in groups { evidence[unit] = PatternEvidence(counts, campaigns) }
    }
    let shown = Set(scope.networks.map(\.canonical))
    return zip(units, findings).compactMap { unit, finding in
      guard shown.isEmpty || shown.contains(unit.network), let evidence = evidence[unit] else { return nil }
      let isUnusual = unusual.contains(unit)
      return JudgedPattern(
        app: unit.app, finding: finding, verdict: isUnusual ? .lookAtIt : .nothingUnusual,
        installs: evidence.installs, views: evidence.views,
        days: Day(number: end.number - Int32(days))..<end,
        evidence: isUnusual ? evidence.lines(of: finding.test) : [])
    }
  }

  /// The test with the smallest probability of each network or campaign.
  package static func worst(of patterns: [JudgedPattern]) -> [JudgedPattern] {
    let units = Dictionary(grouping: patterns) {
      Unit(app: $0.app, network: $0.finding.network, campaign: $0.finding.campaign)
    }
    return units.values.compactMap { $0.min { $0.finding.probability < $1.finding.probability } }
  }

  private struct Unit: Hashable {
    let app: AppID
    let network: String
    let campaign: String?
  }

  /// What was found, without a mark at its end.
  package var sentence: Sentence {
    let (seen, expected) = (finding.seen ?? 0, finding.expected ?? 0)
    let figures =
      switch finding.test {
      case .viewShare:
        Sentence(
          "\(number: percent(seen)) of installs are by views, where \(number: percent(expected)) would be with the change "
            + "of other networks")
      case .assistShare:
        Sentence(
          "another network won \(number: percent(seen)) of the installs, where it would be \(number: percent(expected)) "
            + "with the change of other networks")
      case .viewRhythm:
        Sentence(
          "on a day with 10 % more other installs, installs by views are \(number: trimmed(10 * seen, 1)) % more beyond "
            + "what clicks explain, where \(number: trimmed(10 * expected, 1)) % are expected")
      case .viewMix:
        Sentence(
          "users by views are \(number: percent(seen)) of the way from users by clicks to own users, where "
            + "\(number: percent(expected)) are expected")
      case .viewOrigin:
        Sentence("the rhythm and the values of installs by views together are unlike those of other networks")
      case .publisherMix:
        Sentence(
          "users of publisher \(name: finding.publisher ?? "") rank at \(number: percent(seen)) by their values among "
            + "those of the other publishers, where \(number: percent(expected)) are expected")
      }
    return Sentence(
      "\(figures); chance and differences between networks do so in \(Self.small(finding.probability)) of cases"
    )
  }

  /// A probability as people read it.
  private static func small(_ probability: Double) -> Sentence {
    probability < 0.0001
      ? Sentence("fewer than 0.01 %") : Sentence("\(number: percent(probability, 2))")
  }
}
