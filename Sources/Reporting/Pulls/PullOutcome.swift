import Campaigns
import Imports
import Intake
import Ledger
package import Tables
package import Values

/// What became of a run of a pull.
package struct PullOutcome: Sendable {
  package let pull: String
  package let days: Range<Day>
  package let requests: Int
  package let rows: Int
  /// Rows of a table that are new, that replace a different one, and that were there already.
  private var added = 0
  private var changed = 0
  private var same = 0
  /// Stored rows that the source no longer has.
  package internal(set) var gone = 0
  /// Sentences that a person should know.
  package private(set) var warnings: [String] = []
  /// Postbacks and their verdicts; `nil` for rows of a table.
  private var postbacks: IngestSummary?

  private init(_ pulled: PulledRows) {
    pull = pulled.pull.name
    days = pulled.days
    requests = pulled.requests
    rows = pulled.rows.count
  }

  init(_ outcome: ImportOutcome, of pulled: PulledRows) {
    self.init(pulled)
    (added, changed, same) = (outcome.added, outcome.changed, outcome.same)
    gone = outcome.removed
    warnings = (outcome.warnings + outcome.unmatched.map(\.sentence) + outcome.notes).map {
      pulled.secrets.safe($0.english)
    }
  }

  init(_ summary: IngestSummary, of pulled: PulledRows) {
    self.init(pulled)
    postbacks = summary
    warnings = summary.sortedReasons.map {
      pulled.secrets.safe("\(counted($0.count, "postback")) rejected: \($0.reason)")
    }
  }

  /// Whether postbacks were rejected, and none counted.
  package var isAllRejected: Bool { postbacks?.isAllRejected ?? false }

  /// The counts by name, in the order in which people read them.
  private var counts: [(name: String, count: Int)] {
    guard let postbacks else {
      return [("new", added), ("changed", changed), ("unchanged", same), ("removed", gone)]
    }
    return [
      ("stored", postbacks.stored), ("new", postbacks.first), ("copies", postbacks.copies),
      ("conflicts", postbacks.conflicts),
    ]
      + Rejection.State.allCases.map { ($0.rawValue, postbacks.rejected[$0, default: 0]) }
  }

  /// A sentence without a full stop.
  package var sentence: String {
    let parts = counts.filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.name)" }
    return "\(pull): \(counted(rows, "row")) of \(days.words)"
      + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
  }

  package static let columns: [Column<PullOutcome>] = [
    Column("pull", "pull", "Name of the pull.", \.pull),
    Column("from", "from", "First UTC day that was read.", \.days.lowerBound),
    Column("to", "to", "First UTC day after those that were read.", \.days.upperBound),
    Column("requests", "requests", "Requests that were sent.", \.requests),
    Column("rows", "rows", "Rows that the source answered.", \.rows),
    Column("new", "new", "Rows that were not stored before, or new conversions.") { $0.count("new") },
    count("changed", "Rows that replaced a different one."),
    count("unchanged", "Rows that were stored already."),
    count("removed", "Stored rows that the source no longer has."),
    count("stored", "Postbacks that were stored, of every verdict."),
    count("copies", "Postbacks of known conversions."),
    count("conflicts", "Postbacks that disagree with a known conversion."),
    count("invalid", "Postbacks with a wrong signature."),
    count("unverifiable", "Postbacks that no key can check."),
    count("malformed", "Postbacks that cannot be read."),
  ]

  private static func count(_ name: String, _ help: Sentence.Words) -> Column<PullOutcome> {
    Column(name, .init(stringLiteral: name), help, shown: .whereUseful) { $0.count(name) }
  }

  private func count(_ name: String) -> Int? { counts.first { $0.name == name }?.count }
}
