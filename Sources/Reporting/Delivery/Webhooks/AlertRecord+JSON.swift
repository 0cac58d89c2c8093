import JSONText
import Ledger
import Postbacks
import Values

extension AlertRecord {
  /// The alert as webhooks get it; the members are the columns of reports.
  ///
  /// - Parameter wording: How the two sentences for people are worded.
  func json(_ wording: Wording) -> JSONOutput {
    [
      "id": .string(id), "kind": .string(kind), "severity": .string(severity), "state": .string(state),
      "app": app.map { .string("\($0.number)") } ?? .null, "network": .optional(network),
      "campaign": .optional(campaign), "origin": .optional(origin), "since": .string("\(since)"),
      "resolved": resolvedAt.map { .string("\($0)") } ?? .null, "value": Self.number(value),
      "bound": Self.number(bound), "sentence": .string(wording.say(sentence)),
      "remedy": .string(wording.say(remedy)),
      "command": .string(command),
    ]
  }

  private static func number(_ value: Double) -> JSONOutput {
    JSONNumber(trimmed(value, 6)).map { .number($0) } ?? .null
  }
}
