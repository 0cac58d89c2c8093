import CVirtualTime
import JSONText
import System
import Values

/// Runs the service with all that can go wrong from one seed, and writes what happened.
///
/// `tools/simulator/run` starts it, and judges what it wrote.
@main
struct SimulatorProgram {
  /// The wall's clock at the beginning: 2027-01-15T08:00:00Z.
  static let beginning = Instant(seconds: 1_800_000_000)

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard (3...4).contains(words.count), let seed = UInt64(words[0]), let steps = Int(words[1]),
      words.count == 3 || words[3] == "long"
    else {
      OutputStream(descriptor: 2).write(Array("usage: skan-simulator SEED STEPS FOLDER [long]\n".utf8))
      exitProcess(.usage)
    }
    virtual_time_begin(seed, beginning.milliseconds * 1_000_000)
    let history = History(of: words[2])
    do {
      let service = try SimulatedService(seed: seed, in: words[2], isLong: words.count == 4, history)
      try service.run(steps: steps)
      try service.settle()
      history.note("end", [.init("trace", .string(String(virtual_time_trace(), radix: 16)))])
    } catch {
      history.note("failed", [.init("reason", .string("\(error)"))])
    }
    history.finish()
  }
}
