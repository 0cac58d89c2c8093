import Commands
import JSONText
import Ledger
import OpenSSL
import Reports
import Serving
import System
import Tables
import Values

/// The command line on a node's machine.
struct Terminal {
  let node: SimulatedNode

  /// Runs `skan` with some words, and returns its exit code and what it wrote.
  func run(_ words: [String]) -> (code: Int32, output: String, problems: String) {
    let console = Console.captured()
    let code = Serving.run(
      words, in: CommandContext(console: console, clock: node.clock, answersSignals: false))
    return (code.rawValue, console.output.captured, console.errors.captured)
  }

  /// Recounts a database, and notes whether it should have been and was as its bodies have it.
  ///
  /// The command would miss Apple's signatures.
  func recount(_ path: String, expecting isEqual: Bool, repairs: Bool = false) throws {
    let rebuild = LedgerRebuild(path: path)
    let found = repairs ? try rebuild.repair() : try rebuild.check()
    node.setting.history.note(
      "recounted",
      [
        .init("node", .integer(Int64(node.number))), .init("expected", .bool(isEqual)),
        .init("equal", .bool(found.areEqual)),
        .init("totals", .string(found.totals.prefix(3).map { "\($0)" }.joined(separator: "; "))),
      ])
  }

  /// Runs a command that only reads, and notes what it printed.
  func note(_ words: [String]) {
    let found = run(words + ["-d", node.database])
    node.setting.history.note(
      "printed",
      [
        .init("node", .integer(Int64(node.number))), .init("command", .string(words.joined(separator: " "))),
        .init("code", .integer(Int64(found.code))),
        .init("sha256", .string(SHA256Digest(of: Array(found.output.utf8)).hex)),
        .init("problems", .string(found.problems)),
        .init("beginning", .string(String(found.output.prefix(400)))),
      ])
  }
}

extension SimulatedService {
  /// Prints a report beside a daemon that writes.
  func readSomething(at node: SimulatedNode) throws {
    let kinds = reports + listings
    let words = kinds[random.number(below: kinds.count)].commandName.split(separator: " ").map(String.init)
    guard node.running != nil else { return }
    let format = ["json", "ndjson", "csv", "table"][random.number(below: 4)]
    history.note(
      "read",
      [.init("node", .integer(Int64(node.number))), .init("words", .string(words.joined(separator: " ")))])
    _ = try Worker { _ = Terminal(node: node).run(words + ["-d", node.database, "--format", format]) }
  }
}
