import Foundation
import Glibc
import System

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
///
/// It is started by `posix_spawn`, because Foundation's `Process` leaks, which the address sanitizer reports.
public final class Subprocess {
  /// A program that could not be started.
  public struct StartError: Error {
    /// The system's `errno`.
    public let number: Int32
  }

  private static let starting = Guarded(0)

  /// The child's process number.
  public let identifier: Int32
  private let output: PipeReader
  private let errors: PipeReader
  private let input: Guarded<Int32?>
  private let exitCode = Guarded<Int32?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: A product of the package, or an absolute path.
  ///   - arguments: The words after its name.
  ///   - environment: Variables that are set besides the test's own.
  /// - Throws: ``StartError`` when it cannot be started.
  public init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    let path = name.hasPrefix("/") ? name : Self.productsFolder.appending(path: name).path
    // The backtracer would hold the pipes open after a crash.
    let variables = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
    // One at a time, or a child that starts between two of these calls would keep another's pipes open.
    let (started, ends) = try Self.starting.withLock { _ throws(StartError) in
      try Self.spawn(path, [path] + arguments, variables.map { "\($0.key)=\($0.value)" })
    }
    identifier = started
    input = Guarded(ends[0])
    // The child may write to both pipes in any order, so each has a reader of its own.
    output = try PipeReader(ends[1])
    errors = try PipeReader(ends[2])
  }

  /// Returns the process number and the test's ends of the child's three pipes.
  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String]
  ) throws(StartError) -> (pid_t, [Int32]) {
    let pipes = (0..<3).map { _ in
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return ends
    }
    let theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
    let ours = [pipes[0][1], pipes[1][0], pipes[2][0]]
    defer { for end in theirs { close(end) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (index, end) in theirs.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, Int32(index)) }
    var words = arguments.map { strdup($0) } + [nil]
    var settings = environment.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    // The thread of a test may block signals, and the tests may run under nohup, which the child would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var ordinary = sigset_t()
    sigemptyset(&ordinary)
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&ordinary, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ordinary)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var started: pid_t = 0
    let number = posix_spawn(&started, path, &actions, &attributes, &words, &settings)
    guard number == 0 else {
      for end in ours { close(end) }
      throw StartError(number: number)
    }
    return (started, ours)
  }

  deinit {
    send(SIGKILL)
    closeInput()
    _ = wait()
  }

  /// Runs a program to its end.
  public static func run(
    _ name: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let child = try Subprocess(name, arguments, environment: environment)
    child.write(input)
    return child.finish()
  }

  /// Where the package's programs lie: beside the test bundle.
  public static var productsFolder: URL {
    URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// Writes to the child's standard input; a child that ends without reading is no failure.
  public func write(_ bytes: [UInt8]) {
    signal(SIGPIPE, SIG_IGN)
    guard let descriptor = input.withLock({ $0 }) else { return }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for a line on standard output that holds `text` and returns the line; nil when the output ends before.
  public func waitForLine(containing text: String) -> String? { output.line(containing: text) }

  /// Waits for a line on standard error that holds `text` and returns the line; nil when the output ends before.
  public func waitForErrorLine(containing text: String) -> String? { errors.line(containing: text) }

  /// Sends a signal, such as `SIGTERM`, unless the child has ended.
  public func send(_ signal: Int32) {
    exitCode.withLock { exitCode in
      // Once waited for, the number may belong to another process.
      if exitCode == nil { kill(identifier, signal) }
    }
  }

  /// Closes the child's input, reads all of its output and waits for its end.
  public func finish() -> ProgramResult {
    closeInput()
    let (out, err) = (output.all(), errors.all())
    return ProgramResult(exitCode: wait(), output: out, errors: err)
  }

  private func closeInput() {
    input.withLock { input in
      if let descriptor = input.take() { close(descriptor) }
    }
  }

  private func wait() -> Int32 {
    exitCode.withLock { exitCode in
      if let exitCode { return exitCode }
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      // The low seven bits are the signal, the next eight the code; see wait(2).
      let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
      exitCode = code
      return code
    }
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

  init(_ descriptor: Int32) throws {
    let state = state
    worker = try Worker {
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
      close(descriptor)
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
