import Arguments
import Ledger
import Markup
import Pages
import Postbacks
import Reporting
import Tables
import Values

// Bodies that did not count, and the totals of networks.

extension TrustScreen {
  func rejected(_ counts: [RejectionCount], _ answer: ReportAnswer, _ texts: Texts) -> HTML {
    guard !counts.isEmpty else {
      return Panel.section(
        "rejected", texts.trustRejected, "<p class=\"soft\">\(texts.trustNoneRejected)</p>")
    }
    let columns: [TableView<RejectionCount>.Column] = [
      .init(texts.trustReason, isNumber: false) { "<code>\($0.reason)</code>" },
      .init(texts.trustState, isNumber: false) { "<span class=\"badge\">\($0.state.rawValue)</span>" },
      .init(texts.trustBodies) { Marks.count($0.seen) },
      .init(texts.trustKept) { Marks.count($0.kept) },
    ]
    let byCount = counts.sorted { ($1.seen, $0.reason) < ($0.seen, $1.reason) }
    let senders = answer.detail("rejected-network-copies")?.named ?? []
    let bySender: HTML =
      senders.isEmpty
      ? ""
      : TableView(
        texts.trustRejectedBySender,
        [
          .init(texts.trustSender, isNumber: false) { "<bdi>\($0.text("sender") ?? "")</bdi>" },
          .init(texts.trustReason, isNumber: false) { "<code>\($0.text("reason") ?? "")</code>" },
          .init(texts.trustBodies) { Marks.count($0.count("bodies")) },
        ], texts: texts
      ).markup(senders)
    return Panel.section(
      "rejected", texts.trustRejected, note: texts.trustRejectedNote, flush: true,
      "\(TableView(texts.trustRejected, columns, texts: texts).markup(byCount))\(bySender)")
  }

  func totals(_ days: Range<Day>, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    var report = TotalsReport()
    report.period.from = days.lowerBound
    report.period.to = days.upperBound
    report.networks = scope.networks
    report.environment = scope.environment
    let answer = try report.answer(from: context.source)
    let rows = answer.rows.named
    guard !rows.isEmpty else {
      return Panel.section(
        "totals", texts.trustTotals,
        "<p class=\"soft\">\(texts.trustNoTotals)</p><code class=\"cmd\">skan totals import --database skan.db totals.csv</code>"
      )
    }
    let columns: [TableView<NamedCells>.Column] = [
      .init(texts.columnNetwork, isNumber: false) { "<bdi>\($0.text("network") ?? "")</bdi>" },
      .init(texts.columnCampaign, isNumber: false) { row in
        row.text("campaign").map { "<bdi>\($0)</bdi>" } ?? "<b>\(texts.trustInAll)</b>"
      },
      .init(texts.trustTheirs, help: help(answer, "network-installs")) {
        Marks.cell($0["network-installs"], .count, texts)
      },
      .init(texts.trustOurs, help: help(answer, "installs")) { Marks.cell($0["installs"], .count, texts) },
      .init(texts.trustDifference, help: help(answer, "difference")) {
        Marks.cell($0["difference"], .count, texts)
      },
      .init(texts.trustGuess, help: help(answer, "explanation"), isNumber: false, style: "s") { row in
        row["explanation"] == .none
          ? "<span class=\"badge good\">\(texts.trustAgrees)</span>"
          : Marks.cell(row["explanation"], .text, texts)
      },
    ]
    let sentences = (answer.detail("reasons")?.named ?? []).map { row -> HTML in
      "<dt><code>\(row.text("reason") ?? "")</code></dt><dd>\(.prose(row.text("sentence") ?? ""))</dd>"
    }
    let reasons: HTML =
      sentences.isEmpty
      ? ""
      : "<details class=\"more in\"><summary>\(texts.trustReasonHelp)</summary><dl class=\"kv\">\(sentences.joined())</dl></details>"
    return Panel.section(
      "totals", texts.trustTotals, note: texts.trustTotalsNote, flush: true,
      "\(TableView(texts.trustTotals, columns, texts: texts).markup(Array(rows.prefix(100))))\(reasons)\(Panel.notes(answer.notes))"
    )
  }
}
