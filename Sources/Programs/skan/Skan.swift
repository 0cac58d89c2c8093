import Commands
import Serving
import System

/// The program: all it does is in `Commands` and `Serving`, where tests can reach it.
@main
struct Skan {
  /// Runs the words of the command line on the process's own streams.
  static func main() {
    let world = CommandContext(console: .standard(), clock: systemClock, answersSignals: true)
    exitProcess(Serving.run(Array(CommandLine.arguments.dropFirst()), in: world))
  }
}
