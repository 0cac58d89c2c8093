import Arguments
import Campaigns
import Explanations
import Ledger
import Markup
import Pages
import Postbacks
import Reports
import Tables
import Values

// Bodies that did not count, and the totals of networks.

extension TrustScreen {
  /// The code of a defect as words, which it is made of.
  private static func words(ofDefect code: String) -> HTML { "<code>\(code)</code>" }

  func rejected(
    _ counts: [RejectionCount], _ answer: ReportAnswer<CrosscheckReport>, _ context: ScreenContext
  ) -> HTML {
    let texts = context.texts
    guard !counts.isEmpty else {
      return Panel.section(
        "rejected", texts.trustRejected, "<p class=\"soft\">\(texts.trustNoneRejected)</p>")
    }
    let counts = counts.sorted { ($1.seen, $0.reason) < ($0.seen, $1.reason) }
    let senders = answer.rows(of: CrosscheckReport.rejected)
    let bySender: HTML =
      senders.isEmpty
      ? ""
      : Panel.table(
        texts.trustRejectedBySender,
        [
          .init(texts.trustSender, isNumber: false, senders.map { "<bdi>\($0.name)</bdi>" }),
          .init(
            texts.trustReason, isNumber: false, senders.map { Self.words(ofDefect: $0.reason) }),
          .init(texts.trustBodies, senders.map { Marks.count($0.seen) }),
        ], texts)
    return Panel.section(
      "rejected", texts.trustRejected, note: texts.trustRejectedNote,
      link: context.csv(of: SavedTable.rejected.rawValue, called: texts.trustRejected),
      columns: [
        .init(texts.trustReason, isNumber: false, counts.map { Self.words(ofDefect: $0.reason) }),
        .init(
          texts.trustState, isNumber: false,
          counts.map { "<span class=\"badge\">\(texts.say(phrase: $0.state.words))</span>" }),
        .init(texts.trustBodies, counts.map { Marks.count($0.seen) }),
        .init(texts.trustKept, counts.map { Marks.count($0.kept) }),
      ], below: bySender, texts)
  }

  private func totalsReport(_ days: Range<Day>) -> TotalsReport {
    var report = TotalsReport()
    report.period.from = days.lowerBound
    report.period.to = days.upperBound
    report.networks = scope.networks
    report.environment = scope.environment
    return report
  }

  /// One of the tables as a file.
  func file(
    _ format: Format, _ report: CrosscheckReport, _ days: Range<Day>, _ context: ScreenContext
  ) throws -> PageAnswer {
    let source = context.source
    switch table {
    case .copies: return .file("crosscheck", format, try report.text(format, from: source))
    case .tests:
      return .file("tests", format, try report.text(format, from: source, table: table.rawValue))
    case .conflicts:
      var conflicts = ConflictReport()
      (conflicts.period, conflicts.scope) = (report.period, scope)
      return .file("conflicts", format, try conflicts.text(format, from: source))
    case .rejected:
      let counts = try context.reader.rejections(from: days.lowerBound, to: days.upperBound)
      return .file("rejected", format, Table(Self.rejectedColumns, rows: counts).text(format))
    case .totals: return .file("totals", format, try totalsReport(days).text(format, from: source))
    }
  }

  private static let rejectedColumns: [Column<RejectionCount>] = [
    Column("reason", "reason", "Code of the defect.", \.reason),
    Column("state", "state", "invalid, unverifiable or malformed.", \.state.rawValue),
    Column("bodies", "bodies", "Bodies that arrived.", \.seen),
    Column("kept", "kept", "Those of them that are kept.", \.kept),
  ]

  /// Why a network's number differs, in words; reasons that hold together have `+` between them.
  private static func words(of candidates: [TotalsCandidate], _ texts: Texts) -> HTML {
    let guesses = candidates.map { candidate -> HTML in
      candidate.reasons.map { reason -> HTML in
        "\(word(of: reason, texts))\(candidate.shift(of: reason).map { " (\($0))" } ?? "")"
      }.joined(separator: " + ")
    }
    guard let first = guesses.first else { return "" }
    return guesses.dropFirst().reduce(first) { texts.trustGuessOr(first: $0, second: $1) }
  }

  private static func word(of reason: TotalsReason, _ texts: Texts) -> HTML {
    switch reason {
    case .redownloadsIncluded: texts.trustGuessRedownloads
    case .assistsIncluded: texts.trustGuessAssists
    case .laterWindowsIncluded: texts.trustGuessLaterWindows
    case .copiesCountedTwice: texts.trustGuessCopies
    case .invalidIncluded: texts.trustGuessInvalid
    case .testIncluded: texts.trustGuessTest
    case .nullsLeftOut: texts.trustGuessWithheld
    case .viewsLeftOut: texts.trustGuessViews
    case .dayShift: texts.trustGuessDayShift
    case .campaignsLeftOut: texts.trustGuessCampaigns
    case .late: texts.trustGuessLate
    case .notForwarded: texts.trustGuessNotForwarded
    case .unknownCampaign: texts.trustGuessUnknownCampaign
    case .unexplained: texts.trustGuessUnexplained
    }
  }

  func totals(_ days: Range<Day>, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let answer = try totalsReport(days).answer(from: context.source)
    let rows = Array(answer.rows.prefix(100))
    guard !rows.isEmpty else {
      // Importing is for editors.
      let action: HTML =
        context.mayEdit
        ? "<p><a class=\"btn\" href=\"\(DataPlace.path(of: "totals"))\">\(texts.trustToTotals)</a></p>" : ""
      return Panel.section(
        "totals", texts.trustTotals, "<p class=\"soft\">\(texts.trustNoTotals)</p>\(action)")
    }
    let sentences = answer.rows(of: TotalsReport.reasons).map { (Self.word(of: $0, texts), $0.sentence) }
    return Panel.section(
      "totals", texts.trustTotals, note: texts.trustTotalsNote,
      link: context.csv(of: SavedTable.totals.rawValue, called: texts.trustTotals),
      columns: [
        .init(
          texts.columnNetwork, isNumber: false, rows.map { context.called.network($0.network) }),
        .init(
          texts.columnCampaign, isNumber: false,
          rows.map { row in
            row.campaign.map { "<bdi>\($0)</bdi>" } ?? "<b>\(texts.trustInAll)</b>"
          }),
      ]
        + [
          ReportColumn(TotalsReport.networkInstalls, texts.trustTheirs),
          ReportColumn(TotalsReport.installs, texts.trustOurs),
          ReportColumn(TotalsReport.difference, texts.trustDifference),
          ReportColumn(TotalsReport.explanation, texts.trustGuess, isNumber: false, style: "s") { row in
            row.candidates.isEmpty
              ? "<span class=\"badge good\">\(texts.trustAgrees)</span>"
              : Self.words(of: row.candidates, texts)
          },
        ].of(rows, texts), below: "\(reasons(sentences, texts))\(Panel.notes(answer.notes, texts))", texts)
  }
}
