import Commands
import Foundation
import PostbackFixtures
import Serving
import System
import TestSupport
import Values

/// What a command left behind.
struct Outcome {
  let code: ExitCode
  let output: String
  let errors: String
}

/// Runs a command line in this process.
func skan(
  _ words: String..., environment: [String: String] = [:], isTerminal: Bool = false, at time: Instant = noon
) -> Outcome {
  outcome(of: words, environment: environment, isTerminal: isTerminal, at: time)
}

/// Runs the words of a command line in this process.
func outcome(
  of words: [String], environment: [String: String] = [:], isTerminal: Bool = false, at time: Instant = noon
) -> Outcome {
  let console = Console.captured(environment: environment, isTerminal: isTerminal)
  let code = run(words, in: CommandContext(console: console, clock: { time }, answersSignals: false))
  return Outcome(code: code, output: console.output.captured, errors: console.errors.captured)
}

/// Runs a command line on a console.
func skan(_ words: [String], console: Console, at time: Instant = noon) -> ExitCode {
  run(words, in: CommandContext(console: console, clock: { time }, answersSignals: false))
}

/// Runs a command line in this process for a person who gives one answer.
func skan(_ words: String..., answer: String) -> Outcome {
  let console = Console.captured(isTerminal: true, answer: answer)
  let code = skan(words, console: console)
  return Outcome(code: code, output: console.output.captured, errors: console.errors.captured)
}

/// The lines of Apple's published samples.
func appleSamples() throws -> [UInt8] {
  Array(try SharedVectors.bodies("apple-").map(\.body).joined(separator: [10]))
}

/// Makes a key file and its public half in a folder.
func makeKeys(in folder: borrowing TemporaryFolder) throws -> (secret: String, trusted: String) {
  let secret = folder.file("key.json")
  _ = skan("sign", "--new-key", secret)
  let trusted = try folder.write(
    skan("sign", "--test-key", secret, "--public-key").output, to: "trusted.json")
  return (secret, trusted)
}
