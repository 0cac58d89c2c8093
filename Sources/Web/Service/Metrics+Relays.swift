import Ledger
import Values

extension Metrics {
  /// Adds how far relays are behind, and what they did since the start.
  mutating func add(relays: [String: RelayFigures], now: Instant) {
    let relays = relays.values.sorted { $0.name < $1.name }
    // A name has no letter that would have to be escaped.
    for relay in relays {
      guard let backlog = relay.backlog else { continue }
      add(
        "relay_waiting", "relay=\"\(relay.name)\"", "\(backlog.waiting)",
        help: "Stored postbacks that a relay has not dealt with yet.")
    }
    for relay in relays {
      guard let backlog = relay.backlog else { continue }
      let lag = backlog.oldest.map { Double(max(0, now.milliseconds - $0.milliseconds)) / 1000 } ?? 0
      add(
        "relay_lag_seconds", "relay=\"\(relay.name)\"", "\(lag)",
        help: "Age of the oldest postback that a relay has not dealt with yet; 0 without any.")
    }
    for relay in relays {
      guard let pace = relay.pace?.accepted else { continue }
      add(
        "relay_pace", "relay=\"\(relay.name)\"", "\(pace)",
        help: "Postbacks a second that the address of a relay accepted lately, over two minutes at most.")
    }
    for relay in relays {
      guard let backlog = relay.backlog else { continue }
      // Where it becomes ever more, there is no such moment and no figure.
      guard let end = backlog.waiting == 0 ? now : relay.pace?.caughtUpAt else { continue }
      add(
        "relay_caught_up_seconds", "relay=\"\(relay.name)\"",
        "\(Double(max(0, end.milliseconds - now.milliseconds)) / 1000)",
        help: "Seconds until nothing waits for a relay at its pace; none where its backlog grows.")
    }
    for relay in relays {
      add(
        "relay_delivered_total", "relay=\"\(relay.name)\"", "\(relay.delivered)",
        help: "Postbacks that the address of a relay accepted, since the start of the process.")
    }
    for relay in relays {
      add(
        "relay_failures_total", "relay=\"\(relay.name)\"", "\(relay.failures)",
        help: "Attempts of a relay that failed or were declined, since the start of the process.")
    }
    for relay in relays {
      add(
        "relay_dead_letters", "relay=\"\(relay.name)\"", "\(relay.deadLetters)",
        help: "Postbacks that a relay has given up.")
    }
  }
}
