import Pulls
import Values

extension Metrics {
  /// Adds when pulls were done last, and when they failed last.
  mutating func add(pulls: [String: PullState]) {
    // A name has no letter that would have to be escaped.
    for (name, state) in pulls.sorted(by: { $0.key < $1.key }) {
      guard let moment = state.lastSuccess else { continue }
      add(
        "pull_last_success_timestamp_seconds", "pull=\"\(name)\"", "\(Double(moment.milliseconds) / 1000)",
        help: "Time at which rows of a pull were stored last, in Unix seconds.")
    }
    for (name, state) in pulls.sorted(by: { $0.key < $1.key }) {
      guard let moment = state.lastFailure else { continue }
      add(
        "pull_last_failure_timestamp_seconds", "pull=\"\(name)\"", "\(Double(moment.milliseconds) / 1000)",
        help: "Time at which a pull failed last, in Unix seconds.")
    }
  }
}
