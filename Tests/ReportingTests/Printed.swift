import Campaigns
import Ledger
import PostbackFixtures
import Tables
import Values

/// A report as its command prints it; `texts` are its parameters by name.
func printed<R: Report>(
  _ report: R.Type, _ texts: [String: String], as format: Format, from database: String,
  now: Instant = noon
) throws -> String where R.Source == ReportSource {
  var text = ""
  let source = ReportSource(reader: try LedgerReader(path: database), now: now)
  let job = try ReportKind(report).job(texts.mapValues { [$0] })
  _ = try job(source, Delivery(format), { false }) {
    text += $0
    return true
  }
  return text
}
