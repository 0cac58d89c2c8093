import Foundation
import Glibc
import Platform

/// What a program left behind.
public struct ProgramResult: Sendable {
  /// The exit code, or 128 and the number of the signal that ended it.
  public let exitCode: Int32
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errors: String
}

/// A built program, running as a child; it is killed when the value goes before it ended.
public final class Subprocess {
  private let process = Process()
  private let input = Pipe()
  private let output: PipeReader
  private let errors: PipeReader

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: A product of the package, or an absolute path.
  ///   - arguments: The words after its name.
  ///   - environment: Variables that are set besides the test's own.
  /// - Throws: The system's error when it cannot be started.
  public init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL =
      name.hasPrefix("/") ? URL(filePath: name) : Self.productsFolder.appending(path: name)
    process.arguments = arguments
    // The backtracer would hold the pipes open after a crash.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
    let out = Pipe()
    let err = Pipe()
    process.standardInput = input
    process.standardOutput = out
    process.standardError = err
    try process.run()
    // The child may write to both pipes in any order, so each has a reader of its own.
    output = PipeReader(out.fileHandleForReading.fileDescriptor, keeping: out)
    errors = PipeReader(err.fileHandleForReading.fileDescriptor, keeping: err)
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Runs a program to its end.
  public static func run(
    _ name: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let child = try Subprocess(name, arguments, environment: environment)
    try child.write(input)
    return child.finish()
  }

  /// Where the package's programs lie: beside the test bundle.
  public static var productsFolder: URL {
    URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The child's process number.
  public var identifier: Int32 { process.processIdentifier }

  /// Writes to the child's standard input.
  public func write(_ bytes: [UInt8]) throws {
    // A child that ends without reading is no failure of the test.
    signal(SIGPIPE, SIG_IGN)
    try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
  }

  /// Waits for a line on standard output that holds `text` and returns the line; nil when the output ends before.
  public func waitForLine(containing text: String) -> String? { output.line(containing: text) }

  /// Waits for a line on standard error that holds `text` and returns the line; nil when the output ends before.
  public func waitForErrorLine(containing text: String) -> String? { errors.line(containing: text) }

  /// Sends a signal, such as `SIGTERM`.
  public func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Closes the child's input, reads all of its output and waits for its end.
  public func finish() -> ProgramResult {
    try? input.fileHandleForWriting.close()
    let (out, err) = (output.all(), errors.all())
    process.waitUntilExit()
    let code = process.terminationStatus
    return ProgramResult(
      exitCode: process.terminationReason == .uncaughtSignal ? 128 + code : code, output: out, errors: err)
  }
}

/// Collects what comes out of a pipe, on a thread of its own.
private final class PipeReader: Sendable {
  private struct State: Sendable {
    var bytes: [UInt8] = []
    var hasEnded = false
  }

  private let state = Guarded(State())
  private let worker: Worker

  init(_ descriptor: Int32, keeping pipe: Pipe) {
    let state = state
    worker = Worker {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        let piece = chunk.prefix(max(0, count))
        state.withLock { state in
          state.bytes += piece
          state.hasEnded = count <= 0
        }
        state.wakeAll()
        guard count > 0 else { break }
      }
      withExtendedLifetime(pipe) {}
    }
  }

  func line(containing text: String) -> String? {
    let found: String?? = state.wait { state in
      let whole = String(decoding: state.bytes, as: UTF8.self)
      let complete = whole.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let line = complete.first(where: { $0.contains(text) }) { return .some(String(line)) }
      return state.hasEnded ? .some(nil) : nil
    }
    return found ?? nil
  }

  func all() -> String {
    state.wait { state in state.hasEnded ? String(decoding: state.bytes, as: UTF8.self) : nil }
  }
}
