package import Ledger
package import Values

/// What reports are gathered from.
package struct ReportSource {
  let reader: LedgerReader
  let now: Instant

  package init(reader: LedgerReader, now: Instant) {
    self.reader = reader
    self.now = now
  }
}
