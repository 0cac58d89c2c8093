import CVirtualTime
import Glibc
import JSONText
import System
import Values

/// Runs the service with all that can go wrong from one seed, and writes what happened.
///
/// `tools/simulator/run` starts it, and judges what it wrote.
@main
struct SimulatorProgram {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 3, let seed = UInt64(words[0]), let steps = Int(words[1]) else {
      OutputStream(descriptor: STDERR_FILENO).write(Array("usage: skan-simulator SEED STEPS FOLDER\n".utf8))
      exit(64)
    }
    // SIGPIPE would end it without a word.
    signal(SIGPIPE, SIG_IGN)
    virtual_time_begin(seed, 1_800_000_000_000_000_000)
    let history = History()
    do {
      let service = try SimulatedService(seed: seed, in: words[2], history)
      try service.run(steps: steps)
      let hasSettled = try service.settle()
      history.note(
        "end", [.init("trace", .string(String(virtual_time_trace(), radix: 16)))])
      history.finish()
      exit(hasSettled ? 0 : 1)
    } catch {
      history.note("failed", [.init("reason", .string("\(error)"))])
      history.finish()
      exit(2)
    }
  }
}
