package import Ledger
package import Values

package struct ReportSource {
  package let reader: LedgerReader
  package let now: Instant

  package init(reader: LedgerReader, now: Instant) {
    self.reader = reader
    self.now = now
  }
}
