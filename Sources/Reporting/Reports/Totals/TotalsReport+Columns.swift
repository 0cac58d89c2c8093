package import Arguments
package import Campaigns
package import Tables
import Values

extension TotalsReport: Report {
  package static let name = "totals"
  package static let summary =
    "Compare installs that networks report with those in the database, and name likely reasons for differences."
  package static let discussion = [
    "Networks' totals come from `skan totals import`. For each network and campaign, and for each network in all, the "
      + "report has the network's installs, those in the database (winning first installs by first-window postbacks, on the UTC "
      + "day of arrival) on the same days, and why the two differ.",
    "An explanation is a best guess: a hypothesis that you can test by asking the network. Each is a way of counting. A "
      + "way counts only if it comes within 2 installs or 2 %, whichever is more, of the network's number and nothing "
      + "simpler does: first no difference, then one thing counted otherwise, then two. If several fit equally, the "
      + "report has all of them. Rejected bodies count for a guess as far as they are kept.",
    "A figure that the network does not give, or that is about a campaign no postback ever named, is empty; that is "
      + "not zero.",
  ]
  package static let examples: [Command.Example] = [
    .init("Compare one month", "skan report totals -d skan.db --from 2026-11-01 --to 2026-12-01"),
    .init("Print for programs", "skan report totals -d skan.db --format json"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("network", \.networks, "Ad networks to include.", as: .init(defaultNote: "all")),
      .init("environment", \.environment, "Environment whose keys signed the postbacks."),
    ]

  package static let networkInstalls = Column<Row>(
    "network-installs", "network's", "Installs that the network counted.", \.told)
  package static let installs = Column<Row>(
    "installs", "here", "Installs in the database; none if no postback ever named the campaign.", \.installs)
  package static let difference = Column<Row>(
    "difference", "difference", "Installs that the network has more.", \.difference)
  package static let explanation = Column<Row>(
    "explanation", "best guess why", "Why the two differ, in the codes of the reasons; none if they agree.",
    none: "agrees", \.explanation)

  package static let columns: [Column<Row>] = [
    Column("network", "network", "Ad network.") { Identifier($0.network) },
    Column(
      "campaign", "campaign", "Campaign as the network calls it; none for the network in all.", none: "in all"
    ) {
      $0.campaign.map(Identifier.init)
    },
    Column("first-day", "first day", "First day of the network's totals.", shown: .forPrograms, \.days.first),
    Column("last-day", "last day", "Last day of the network's totals.", shown: .forPrograms, \.days.last),
    Column("days", "days", "Days of which the network has totals; others are not compared.", \.days.count),
    networkInstalls, installs, difference,
    Column(
      "network-redownloads", "network's redownloads", "Redownloads that the network counted.",
      shown: .forPrograms,
      \.toldRedownloads),
    Column("redownloads", "redownloads", "Redownloads in the database.", shown: .forPrograms, \.redownloads),
    Column(
      "network-postbacks", "network's postbacks", "Postbacks that the network counted.", shown: .forPrograms,
      \.toldPostbacks),
    Column(
      "postbacks", "postbacks", "Conversions of every window and outcome in the database.",
      shown: .forPrograms,
      \.postbacks),
    Column(
      "network-conversions-with-value", "network's with a value",
      "Conversions with a value that the network counted.",
      shown: .forPrograms, \.toldWithValue),
    Column(
      "conversions-with-value", "with a value",
      "Winning conversions of the first window with a value in the database.", shown: .forPrograms,
      \.withValue),
    Column("agrees", "agrees", "Whether the two agree.", shown: .forPrograms) { $0.candidates.isEmpty },
    explanation,
    .records(
      "candidates", "Ways of counting that give the network's number; all that fit equally.", candidates
    ) {
      $0.candidates
    },
  ]
  private static let candidates: [Column<TotalsCandidate>] = [
    Column("reasons", "reasons", "Codes of the reasons: one, or two that hold together.") {
      $0.reasons.map(\.rawValue)
    },
    Column("installs", "installs", "Installs counted in this way.", \.number),
    Column("shift-days", "shift", "Days to add to the network's days to get those of arrival.", \.shift),
  ]
  package static let reasons = Detail<TotalsReason>(
    "reasons",
    [
      Column("reason", "reason", "Code of a reason in the rows.", \.rawValue),
      Column("sentence", "sentence", "What the reason means.", \.sentence),
    ])
  package static let details = [reasons.header]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let compared = try compared(from: source.reader, today: source.now.day)
    let found = Set(compared.flatMap { $0.candidates.flatMap(\.reasons) })
    var rows = Rows.held(compared)
    rows.details = [Self.reasons.table(TotalsReason.allCases.filter(found.contains))]
    rows.notes = environment.notes
    rows.noteIfEmpty = Sentence("no totals of networks in these days; import them with `skan totals import`")
    return rows
  }
}

extension TotalsReport.Row {
  /// How much more the network has; `nil` where the database has never seen the campaign.
  package var difference: Int64? { installs.map { told - $0 } }

  /// The candidates in words; `nil` where the two agree.
  fileprivate var explanation: String? {
    guard !candidates.isEmpty else { return nil }
    return candidates.map { candidate in
      candidate.reasons.map { reason in
        candidate.shift(of: reason).map { "\(reason.rawValue) (\($0))" } ?? reason.rawValue
      }.joined(separator: " + ")
    }.joined(separator: ", or ")
  }
}

extension TotalsCandidate {
  /// The days of a shift with their sign; `nil` for any other reason.
  package func shift(of reason: TotalsReason) -> String? {
    guard reason == .dayShift, let shift else { return nil }
    return "\(shift > 0 ? "+" : "")\(shift)"
  }
}
