import Campaigns
import Ledger
import Routing
import Values

extension Metrics {
  /// Adds how often estimates were made and answered from what is kept.
  mutating func add(estimates keeper: PartKeeper) {
    let counts = keeper.counts
    add("estimates_made_total", nil, "\(counts.made)")
    add("estimates_kept_total", nil, "\(counts.answered)")
    add("estimates_kept_bytes", nil, "\(keeper.bytes)")
  }

  /// Adds what an operator has to act upon: mappings, the certificate, backups, and networks that went silent.
  mutating func add(operation: OperatorFigures.Reading, networks: NetworkMoments, now: Instant) {
    for (state, count) in [
      ("in-force", operation.mappingsInForce), ("rejected", operation.mappingsRejected),
    ] {
      guard let count else { continue }
      add(
        "mapping_files", "state=\"\(state)\"", "\(count)",
        help: "Mapping versions in use, and mapping files rejected at the last load.")
    }
    if let hasJobs = operation.hasJobs {
      add(
        "journal_jobs", nil, hasJobs ? "1" : "0",
        help: "Whether this node does what only one node of a journal does.")
    }
    if let moment = operation.lastRejectedMapping {
      add(
        "mapping_last_rejected_timestamp_seconds", nil, Self.seconds(moment),
        help: "Time of the last rejected mapping file, in Unix seconds.")
    }
    for (version, served) in operation.mappingsServed.sorted(by: { $0.key < $1.key }) {
      let label =
        "app=\"\(version.app)\",effective_from=\"\(version.effectiveFrom)\","
        + "digest=\"\(version.digest.prefix(12))\""
      add(
        "app_mapping_answers_total", label, "\(served.count)",
        help: "Requests of apps answered with a mapping version, since the start of the process.")
      add(
        "app_mapping_first_answer_timestamp_seconds", label, Self.seconds(served.first),
        help:
          "Time of the first answer with a mapping version since the start of the process, in Unix seconds."
      )
    }
    for result in SignInResult.allCases {
      add(
        "sign_ins_total", "result=\"\(result.rawValue)\"", "\(operation.signIns[result] ?? 0)",
        help: "Attempts to sign in to pages, by result; limited: too many of one client.")
    }
    if let end = operation.certificateEnd {
      let days = Double(end.milliseconds - now.milliseconds) / Double(Day.milliseconds)
      add(
        "certificate_days_left", nil, trimmed(days, 3),
        help: "Days until the TLS certificate expires; negative after that.")
    }
    if let backup = operation.lastBackup {
      add(
        "backup_age_seconds", nil, "\(Double(now.milliseconds - backup.milliseconds) / 1000)",
        help: "Time since the last copy by skan backup.")
    }
    for moment in networks.all {
      add(
        "network_last_valid_timestamp_seconds",
        "network=\"\(Self.escaped(moment.stream.network))\",environment=\"\(moment.stream.environmentName)\"",
        Self.seconds(moment.at),
        help:
          "Time of the last valid postback of a network, in Unix seconds; before the start of the process "
          + "to the hour."
      )
    }
  }

  private static func seconds(_ moment: Instant) -> String { "\(Double(moment.milliseconds) / 1000)" }

  /// A label's value as the text form has it; names of networks are what a network signed.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for letter in text.unicodeScalars {
      switch letter {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(letter)
      }
    }
    return escaped
  }
}
