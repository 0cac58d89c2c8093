import Arguments
import Commands
import Configuration
import Daemon
import Routing
import SampleData
import System
import Values

/// `skan demo`: makes sample data and shows them as pages.
enum DemoCommand {
  static let entry = Entry(command: command, signals: .itsOwn, run: run)

  private enum Options {
    static let pages = TypedOption<HostPort>.value(
      "--pages", "HOST:PORT", HostPort.kind,
      "Address of the pages, on this machine; port 0 chooses a free port.",
      default: HostPort(host: "127.0.0.1", port: 8081))
    static let onlyMake = TypedOption<Bool>.flag(
      "--make-only", "Make the database and the events files, and serve no pages.")
  }

  private static let command = Command(
    "demo", "Make sample data and show them in a browser.",
    discussion: [
      "skan invents an advertiser with three apps, ten campaigns of four networks, two mapping versions, spend, "
        + "names, rates, proceeds and own users over the last 70 days. It stores them in FOLDER/skan.db, with the users' events "
        + "beside it, and serves pages of them without a sign-in. Every page, command and format works on "
        + "them, but for reports on purchases, which only Apple signs.",
      "A folder that has the sample already is served again; delete it to make new data. The postbacks are signed with "
        + "a key that is thrown away, so reports need --environment test.",
    ],
    examples: [
      .init("Look at sample data in a browser", "skan demo"),
      .init(
        "Make the data and print a report",
        "skan demo --make-only sample && skan report campaigns -d sample/skan.db "
          + "--environment test"),
    ],
    positionals: [
      Positional("FOLDER", .path, "Folder of the sample data, skan-demo by default.", isRequired: false)
    ],
    options: [Options.pages.option, Options.onlyMake.option])

  private static func run(_ call: Invocation) throws -> ExitCode {
    let folder = call.settings.positionals.first ?? "skan-demo"
    var configuration = ServiceConfiguration()
    configuration.listen = HostPort(host: "127.0.0.1", port: 0)
    configuration.pages = call[Options.pages]
    configuration.arePagesOpen = true
    configuration.samples = FilePath(folder)
    // Before the work that could be in vain.
    try call.requireSafePages(configuration)
    let sample = SampleDatabase(path: folder + "/skan.db", samples: folder, now: call.world.clock())
    if (try? FileReader.requireReadable(sample.path)) != nil {
      call.console.note("\(folder) has sample data already")
    } else {
      var progress = Progress("demo", unit: "%", total: 100, on: call.console)
      _ = try naming("cannot make sample data in '\(folder)'") {
        try sample.make { done in
          progress.advance(to: Int(100 * done))
          return true
        }
      }
      progress.finish()
      call.console.note("made \(sample.path) and the users' events beside it")
    }
    guard !call[Options.onlyMake] else { return .done }
    // Only now, so that a signal ends the making; no thread runs that could take one.
    return try ServeCommand.serve(configuration, database: sample.path, call, Signals())
  }
}
