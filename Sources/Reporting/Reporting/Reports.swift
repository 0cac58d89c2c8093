package import Ledger
package import Tables
package import Values

/// All reports, in the order of the help: a command, an HTTP resource and a section of the documentation each.
package let reports: [ReportKind<ReportSource>] = [
  ReportKind(CampaignReport.self),
  ReportKind(EventReport.self),
  ReportKind(PostbackReport.self),
  ReportKind(ConflictReport.self),
  ReportKind(TotalsReport.self),
  ReportKind(EstimateReport.self),
]

/// What reports are gathered from.
package struct ReportSource {
  let reader: LedgerReader
  let now: Instant

  package init(reader: LedgerReader, now: Instant) {
    self.reader = reader
    self.now = now
  }
}
