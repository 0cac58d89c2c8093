import Arguments
import Configuration
import Health
import Postbacks
import Routing
import System
import Tables
import Values

/// `skan status`: reports which steps to the first report are done.
enum StatusCommand {
  enum Options {
    static let app = TypedOption<Int?>.value(
      "--app", "ID", .integer(0...(.max)), "App Store number of the app.", defaultNote: "all apps")
  }

  static let entry = Entry(
    command: Command(
      "status", "Report which steps from set-up to the first report are done.",
      discussion: [
        "The steps are those of the guide \"Going live\". Each has a state: done, waiting (begun, and something has "
          + "still to arrive), not-begun, or cannot-know where the database cannot show it; with the evidence and "
          + "the next action. The steps about the domain, test inboxes and networks are of all apps.",
        "The exit code is 0 whatever the states are.",
      ],
      examples: [.init("See what is missing", "skan status -d skan.db --app 525463029")],
      options: [.database(), Options.app.option, .format()]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let reader = try call.reader()
    let app = call[Options.app].flatMap { AppID(Int64($0)) }
    let status = try SetupStatus(
      from: reader, app: app, networks: call.configuration.networks.map(\.name), now: call.world.clock())
    guard call.format == .table else {
      call.print(columns, status.steps)
      return .done
    }
    for (number, step) in status.steps.enumerated() {
      call.console.write(text(step, number: number + 1, call.console))
    }
    return .done
  }

  private static func text(_ step: SetupStatus.Step, number: Int, _ console: Console) -> String {
    let color: Color =
      switch step.state {
      case .done: .green
      case .waiting: .yellow
      case .notBegun, .cannotKnow: .red
      }
    let word = step.state.rawValue.replacing("-", with: " ")
    let padding = String(repeating: " ", count: max(1, 13 - word.count))
    let place = number < 10 ? " \(number)" : "\(number)"
    let next = step.next.map { "                  Next: \($0)\n" } ?? ""
    return "\(place)  \(console.paint(word, color))\(padding) \(step.title): \(step.evidence)\n\(next)"
  }

  private static let columns: [Column<SetupStatus.Step>] = [
    Column("step", "step", "Stable name of the step.", \.name),
    Column("title", "title", "What is reached with it.", \.title),
    Column("state", "state", "done, waiting, not-begun or cannot-know.", \.state.rawValue),
    Column("evidence", "evidence", "What the state follows from.", \.evidence),
    Column("next", "next", "What to do; none where nothing is to be done.", \.next),
  ]
}
