import Arguments
import Health
import Ledger
import System
import Values
import Verification

extension DoctorChecks {
  /// Rows that are named in one line.
  private static let named = 5

  /// Whether all that a database stored is as it came; nothing where there is no database that can be read.
  static func bodies(of path: String?, trusting keys: [TrustedKey], on console: Console) -> HealthFinding? {
    guard let path, let reader = try? LedgerReader(path: path) else { return nil }
    var progress = Progress("doctor", unit: "bodies", total: nil, on: console)
    do {
      let found = try reader.examineBodies(
        by: Keyring(trusting: keys), didRead: { progress.advance(to: $0) })
      guard found.areSound else {
        let rows = found.faults.prefix(named).map { "row \($0.row) of \($0.table) (\($0.words))" }
        let more = found.faulty > named ? " and \(grouped(found.faulty - named)) more" : ""
        return .fail(
          .evidence, english: "not as stored: \(rows.joined(separator: ", "))\(more); \(found.sentence)",
          cure:
            "list them with `skan rebuild --check`, and restore a backup; something other than skan has changed them"
        )
      }
      guard found.withoutKey == 0 else {
        return .warn(
          .evidence, english: found.sentence,
          cure: "give the keys that the service trusts with --trust-test-keys")
      }
      return .ok(.evidence, english: found.sentence)
    } catch {
      return .fail(.evidence, CommandError(error))
    }
  }
}
