package import Arguments
package import Campaigns
import Estimates
import Ledger
import Postbacks
package import Tables
package import Values

/// Tests whether genuine signed installs look earned.
package struct PatternReport: Report {
  /// The first day of arrival that does not count; `nil` for today.
  package var to: Day?
  package var days = Self.usualDays
  package var baselineDays = Self.usualBaselineDays
  package var breakdown = PatternBreakdown.campaign
  package var scope = Scope()

  package init() {}

  package static let usualDays = 28
  package static let usualBaselineDays = 56

  package static let name = "patterns"
  package static let summary = "Test whether signed installs look earned, or claimed by views."
  package static let discussion = [
    "Apple signs each install, and nothing of how it was won: a network that shows very many ads to users who install anyway "
      + "gets genuine postbacks of installs by view. This report looks for what that leaves behind. It proves nothing: a "
      + "new ad format or audience can leave the same. `look-at-it` means: send the network the evidence and ask.",
    "The tests: `view-share`, the share of installs by views rose from the days before; `view-rhythm`, installs by views follow the "
      + "app's other installs from day to day more than clicks explain; `view-mix`, users by views have values like those of own "
      + "users, and users by clicks do not; `view-origin`, these two together; `publisher-mix`, a publisher's users have other "
      + "values than those of the campaign's other publishers; `assist-share`, more installs than before were won by another "
      + "network. Changes are those within campaigns, so that one which starts or stops changes nothing.",
    "Each is compared with the other networks of the app: unusual is what differs by more than networks do and chance explains. "
      + "Holm's correction holds for all rows of the report. In generated apps fewer than 0.2 % of honest campaigns get "
      + "`look-at-it` on any day of a month, and 1.2 % where networks differ by a law with heavy tails. So it misses much: of "
      + "campaigns that begin to claim a tenth of the organic installs it finds 7 in 10. Networks that do the same hide each "
      + "other, and an app with one network is compared with assumptions alone; see the page of methods.",
    "`view-rhythm` is best with the installs that you counted yourself (`skan installs import`), `view-mix` needs own users "
      + "(`skan users import`) under the mapping version in force. The interaction is signed from SKAdNetwork 2.2 on; "
      + "that of AdAttributionKit is not. No test looks at hours: Apple's random delay of "
      + "24 hours makes all hours of arrival alike.",
  ]
  package static let examples: [Command.Example] = [
    .init("Test each campaign of the last four weeks", "skan report patterns -d skan.db"),
    .init("Save the evidence for a network", "skan report patterns -d skan.db --network ID --format json"),
  ]
  package static let parameters: [Parameter<Self>] =
    [
      .init("to", \.to, "First UTC day of arrival to exclude.", as: .init(defaultNote: "today")),
      .init("days", \.days, "Number of days of arrival to judge.", in: 14...90),
      .init(
        "baseline-days", \.baselineDays, "Number of days before them to compare them with.", in: 28...365),
      .init("by", \.breakdown, "What is tested: networks or campaigns."),
    ] + Parameter.all(of: \.scope)

  package typealias Row = JudgedPattern

  package static let columns: [Column<Row>] = [
    Column("app", "app", "App Store number of the advertised app.") { Identifier("\($0.app.number)") },
    Column("network", "network", "Ad network.") { Identifier($0.finding.network) },
    Column(
      "campaign", "campaign", "Campaign, by the last two digits of a source identifier.", shown: .onRequest
    ) {
      $0.finding.campaign.map { Identifier($0) }
    },
    Column("verdict", "verdict", "All tests of the network or campaign: nothing-unusual or look-at-it.") {
      $0.verdict.rawValue
    },
    Column("installs", "installs", "Winning postbacks of window 1 on the days that are judged.") {
      Int64(nearest: $0.installs)
    },
    Column("views", "by views", "Those of them by ads that were only seen.") { Int64(nearest: $0.views) },
    Column("test", "test", "What is tested.") { $0.finding.test.rawValue },
    Column(
      "publisher", "publisher", "For publisher-mix the publisher that differs most.", shown: .whereUseful
    ) {
      $0.finding.publisher.map { Identifier($0) }
    },
    Column(
      "seen", "seen",
      "A share (view-share, assist-share), an elasticity (view-rhythm), the share of the way from clicks to own users "
        + "(view-mix), or a mean rank from 0 to 1 (publisher-mix)."
    ) { $0.finding.seen.map { Ratio($0) } },
    Column("expected", "expected", "The same as other networks of the app let expect it.") {
      $0.finding.expected.map { Ratio($0) }
    },
    Column("standard-errors", "errors", "By how many standard errors they differ.") {
      Ratio($0.finding.statistic)
    },
    Column("probability", "p", "How often chance and differences between networks do so.") {
      Ratio($0.finding.probability)
    },
    Column(
      "corrected-probability", "corrected p",
      "The same for all tests of the report together (Holm); unusual at 0.01 and below."
    ) { Ratio($0.finding.corrected) },
    Column(
      "evidence", "evidence", "What the test looked at, line by line, where the verdict is look-at-it.",
      shown: .forPrograms, \.evidence),
  ]

  package var shownColumns: [Column<Row>] {
    Self.columns.filter { $0.header.name != "campaign" || breakdown == .campaign }
  }

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let found = try JudgedPattern.all(
      source.reader, scope, end: to ?? source.now.day, days: days, baselineDays: baselineDays,
      byCampaign: breakdown == .campaign)
    var rows = Rows.held(found)
    rows.notes = scope.environment.notes
    if !found.isEmpty {
      rows.notes.append(
        Sentence(
          "each install is signed, and how it was won is not: a pattern is a reason to ask, and no proof"))
      if Set(found.map(\.finding.network)).count < 3 {
        rows.notes.append(
          Sentence(
            "with fewer than three networks there is little to compare with, so that only extreme patterns show"
          )
        )
      }
    }
    let lines = found.filter(\.finding.isUnusual).flatMap { row in
      let campaign = row.finding.campaign.map { ", campaign \($0)" } ?? ""
      return [
        "",
        "app \(row.app.number), \(printable(row.finding.network))\(campaign): \(row.finding.test.rawValue)",
        "  \(row.sentence).",
      ] + row.evidence.map { "  \($0)" }
    }
    rows.linesForPeople = { lines }
    rows.noteIfEmpty =
      Sentence(
        "no campaign has enough postbacks of these days and of those before for a test; see --days and --baseline-days"
      )
    return rows
  }
}

package enum PatternBreakdown: String, CaseIterable, ParameterValue { case network, campaign }
