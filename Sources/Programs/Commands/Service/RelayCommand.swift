import Arguments
import Ledger
import System
import Values

/// `skan relay retry`: ends the pause of a relay, or has it send what it gave up.
enum RelayCommand {
  enum Options {
    static let deadLetters = TypedOption<Bool>.flag(
      "--dead-letters", "Send the postbacks that the relay gave up once more.")
  }

  static let retry = Entry(
    command: Command(
      "relay retry", "Retry a relay now.",
      discussion: [
        "A running daemon tries the next postback within a second, without waiting for the end of the relay's pause. "
          + "With --dead-letters it also sends everything once more that `skan relay dead` lists for the relay; what "
          + "is declined again goes back to that list."
      ],
      examples: [
        .init("Retry after the other side is repaired", "skan relay retry -d skan.db partner"),
        .init("Send what was given up again", "skan relay retry -d skan.db partner --dead-letters"),
      ],
      positionals: [Positional("RELAY", .text, "Name of the relay in `skan relay status`.")],
      options: [.database(), .journal, Options.deadLetters.option])
  ) { call in
    let name = call.settings.positionals.first ?? ""
    let path = try call.existingDatabase()
    let control = RelayControl(try call.changes(of: path))
    guard try control.retry(name) else {
      let known = try call.reader().relays().map(\.name).joined(separator: ", ")
      throw CommandError(
        .failedCheck, "found no relay '\(printable(name))'",
        remedy: known.isEmpty
          ? "start the service with `relays` in its configuration file" : "use one of \(known)")
    }
    guard call[Options.deadLetters] else {
      call.console.note("relay '\(name)' tries again now")
      return .done
    }
    let count = try control.retryDeadLetters(of: name, now: call.world.clock())
    call.console.note(
      "relay '\(name)' tries again now, and sends \(count) dead letter\(count == 1 ? "" : "s") once more")
    return .done
  }
}
