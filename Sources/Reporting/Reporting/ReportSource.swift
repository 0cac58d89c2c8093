package import Ledger
package import Values

package struct ReportSource {
  let reader: LedgerReader
  let now: Instant

  package init(reader: LedgerReader, now: Instant) {
    self.reader = reader
    self.now = now
  }
}
