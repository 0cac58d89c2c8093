import Arguments
import Intake
import JSONText
import System
import Tables
import Values
import Verification

/// `skan verify`: prints for each postback whether it is genuine, and stores nothing.
enum VerifyCommand {
  static let entry = Entry(command: command, run: run)

  static let command = Command(
    "verify", "Verify the signatures of postbacks.",
    discussion: [
      "skan detects the format of each file: one JSON object, an array, or one object per line "
        + "(NDJSON), gzip-compressed or not. It prints one row per postback in the order of the input, "
        + "counted from 0 over all files, and stores nothing.",
      "A postback is valid (signed by the key of its version over the documented fields), invalid (the "
        + "signature does not match), unverifiable (unknown version or key, or no signature) or malformed "
        + "(not a postback).",
      "The exit code is 0 if every row is valid, else 1.",
    ],
    examples: [
      .init("Check a file", "skan verify postbacks.ndjson.gz"),
      .init(
        "List the rejected postbacks",
        "skan verify --format ndjson - < postbacks.json | jq 'select(.state != \"valid\")'"),
    ],
    positionals: [.postbackFiles], options: [.trustTestKeys, .format()])

  private static let batchSize = 256

  /// Postbacks that are checked together, with the index of the first.
  private struct Batch: Sendable {
    let first: Int
    let file: String
    let bodies: [[UInt8]]
  }

  private struct Rows: Sendable {
    var vectors: [Vector] = []
    var count = 0
    var states: [VerdictState: Int] = [:]
  }

  static func run(_ call: Invocation) throws -> ExitCode {
    let keyring = try call.keyring()
    let console = call.console
    let paths = call.settings.positionals
    let namesFile = paths.count > 1
    let isSlow = paths.contains("-")
    let sheet = Sheet(VerifyRow.columns, held: [], for: call.format)
    let renderer = Guarded<any Renderer>(
      call.format.renderer(for: sheet.headers) { column, text in
        guard column == "state", let state = VerdictState(rawValue: text) else { return text }
        return console.paint(text, state.color)
      })
    let states = Guarded<[VerdictState: Int]>([:])
    let pool = try OrderedWorkQueue<Batch, Rows> { batch in
      var product = Rows()
      var rows: [VerifyRow] = []
      for (offset, body) in batch.bodies.enumerated() {
        let judgement = keyring.judge(body)
        product.states[judgement.state, default: 0] += 1
        rows.append(
          VerifyRow(index: batch.first + offset, file: namesFile ? batch.file : nil, judgement: judgement))
      }
      (product.vectors, product.count) = (sheet.vectors(of: rows), rows.count)
      return product
    } deliver: { product, isLastForNow in
      console.write(renderer.withLock { $0.rows(product.vectors, count: product.count) })
      // A reader at the other end of a pipe sees rows as soon as they are known.
      if isLastForNow {
        if isSlow { console.write(renderer.withLock { $0.flush() }) }
        console.output.flush()
      }
      states.withLock { $0.merge(product.states, uniquingKeysWith: +) }
    }
    console.write(renderer.withLock { $0.begin() })
    var count = 0
    var obstacles: [CommandError] = []
    for path in paths {
      do {
        let before = count
        try feed(path, into: pool, count: &count, console)
        if count == before {
          throw CommandError(.data, "found no postback in \(path == "-" ? "standard input" : "'\(path)'")")
        }
      } catch {
        obstacles.append(CommandError(error))
      }
    }
    pool.finish()
    console.write(renderer.withLock { $0.end(Ending()) })
    console.output.flush()
    let total = states.withLock { $0 }
    for obstacle in obstacles { console.problem(obstacle.message, remedy: obstacle.remedy) }
    if count > 0 { console.note(summary(total)) }
    if let obstacle = obstacles.first { return obstacle.exitCode }
    return total[.valid, default: 0] == count ? .done : .failedCheck
  }

  private static func feed(
    _ path: String, into pool: OrderedWorkQueue<Batch, Rows>, count: inout Int, _ console: Console
  ) throws {
    let file = try InputFile(path, on: console)
    var progress = Progress("verify", unit: "bytes", total: file.size, on: console)
    var splitter = DocumentSplitter()
    var isAtEnd = false
    while !isAtEnd, console.output.state == .open {
      let bytes = try file.next()
      isAtEnd = bytes == nil
      let bodies = bytes.map { splitter.append($0) } ?? splitter.finish()
      for start in stride(from: 0, to: bodies.count, by: batchSize) {
        let batch = Array(bodies[start..<min(start + batchSize, bodies.count)])
        pool.add(Batch(first: count, file: path, bodies: batch))
        count += batch.count
      }
      progress.advance(to: file.position)
    }
    progress.finish()
  }

  private static func summary(_ states: [VerdictState: Int]) -> String {
    VerdictState.allCases.compactMap { state in states[state].map { "\($0) \(state.rawValue)" } }
      .joined(separator: ", ")
  }
}
