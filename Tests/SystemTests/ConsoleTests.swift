import Foundation
import Glibc
import System
import TestSupport
import Testing

@Suite struct `A console` {
  @Test func `A console separates data from all other output`() {
    let console = Console.captured()
    console.line("row")
    console.note("by the way")
    console.problem("it broke", remedy: "mend it")
    #expect(console.output.captured == "row\n")
    #expect(console.errors.captured == "by the way\nskan: it broke\n  Try: mend it\n")
    #expect(console.finish() == nil)
  }

  @Test func `A console omits notes if it is quiet, and never problems`() {
    let console = Console.captured().configured(isQuiet: true, forbidsColor: false)
    console.note("by the way")
    console.problem("it broke")
    #expect(console.errors.captured == "skan: it broke\n")
  }

  @Test(
    arguments: [
      (true, [:], false, true), (false, [:], false, false), (true, [:], true, false),
      (true, ["NO_COLOR": "1"], false, false), (true, ["NO_COLOR": ""], false, true),
      (true, ["TERM": "dumb"], false, false), (true, ["TERM": "xterm"], false, true),
    ] as [(Bool, [String: String], Bool, Bool)])
  func `A console uses colours only for a person who wants them`(
    isTerminal: Bool, environment: [String: String], forbidsColor: Bool, isColoured: Bool
  ) {
    let console = Console.captured(environment: environment, isTerminal: isTerminal)
      .configured(isQuiet: false, forbidsColor: forbidsColor)
    #expect(console.paint("bad", .red) == (isColoured ? "\u{1b}[31mbad\u{1b}[0m" : "bad"))
  }

  @Test func `A console reports a full disk with exit code 74`() {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let errors = OutputStream(capturingAsTerminal: false)
    let console = Console(
      output: OutputStream(descriptor: full), errors: errors, isInputTerminal: false, columns: 80,
      environment: [:])
    console.line("row")
    #expect(console.output.state == .open, "it is gathered")
    #expect(console.finish() == .inputOutput)
    #expect(errors.captured.contains("cannot write to standard output: No space left on device"))
  }

  @Test func `A console stops writing when its reader exits`() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    close(ends[0])
    defer { close(ends[1]) }
    let errors = OutputStream(capturingAsTerminal: false)
    let console = Console(
      output: OutputStream(descriptor: ends[1]), errors: errors, isInputTerminal: false, columns: 80,
      environment: [:])
    console.write(String(repeating: "x", count: 70_000))
    #expect(console.output.state == .closed)
    #expect(console.finish() == nil)
    #expect(errors.captured.isEmpty)
  }

  @Test func `A console writes all to a slow reader`() throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let output = OutputStream(descriptor: ends[1])
    let read = Guarded(0)
    let end = ends[0]
    let reader = try Worker {
      var chunk = [UInt8](repeating: 0, count: 10_000)
      var total = 0
      while case let count = Glibc.read(end, &chunk, chunk.count), count > 0 {
        total += count
        usleep(100)
      }
      read.withLock { $0 = total }
    }
    for _ in 0..<50 { output.write([UInt8](repeating: 1, count: 20_001)) }
    output.flush()
    close(ends[1])
    reader.join()
    close(ends[0])
    #expect(read.withLock { $0 } == 50 * 20_001)
  }
}

@Suite struct `A progress line` {
  /// A clock that a test sets.
  private final class Hand: Sendable {
    let now = Guarded<Int64>(0)
    var stopwatch: Stopwatch { { self.now.withLock { $0 } } }
    func set(_ milliseconds: Int64) { now.withLock { $0 = milliseconds } }
  }

  @Test func `A progress line appears after a second and disappears at the end`() {
    let console = Console.captured(isTerminal: true)
    let hand = Hand()
    var progress = Progress("ingest", unit: "rows", total: 4000, on: console, stopwatch: hand.stopwatch)
    progress.advance(to: 500)
    hand.set(999)
    progress.advance(to: 999)
    #expect(console.errors.captured.isEmpty)
    hand.set(1000)
    progress.advance(to: 1000)
    let first = "\ringest  [######..................]  25%  1.0k rows/s  0:03 left\u{1b}[K"
    #expect(console.errors.captured == first)
    hand.set(1099)
    progress.advance(to: 1500)
    #expect(console.errors.captured == first, "ten times a second is enough")
    hand.set(4000)
    progress.advance(to: 4000)
    progress.finish()
    #expect(
      console.errors.captured == first
        + "\ringest  [########################] 100%  1.0k rows/s  0:00 left\u{1b}[K"
        + "\r\u{1b}[K")
    #expect(console.output.captured.isEmpty)
  }

  @Test func `A progress line counts if the total is unknown`() {
    let console = Console.captured(isTerminal: true)
    let hand = Hand()
    var progress = Progress("read", unit: "rows", total: nil, on: console, stopwatch: hand.stopwatch)
    hand.set(3_725_000)
    progress.advance(to: 12_345_678)
    #expect(console.errors.captured == "\rread  12,345,678 rows  3.3k rows/s  1:02:05\u{1b}[K")
  }

  @Test(arguments: [10, 20, 38, 39, 58, 59, 60])
  func `A progress line fits the terminal`(columns: Int) {
    let console = Console.captured(columns: columns, isTerminal: true)
    let hand = Hand()
    var progress = Progress("ingest", unit: "rows", total: 4000, on: console, stopwatch: hand.stopwatch)
    hand.set(1000)
    progress.advance(to: 5000)
    let line = console.errors.captured.dropFirst().dropLast(3)
    #expect(!line.isEmpty && line.count < columns)
  }

  @Test(arguments: [(false, false), (true, true), (false, true)])
  func `A progress line is shown only on a terminal that is not quiet`(isTerminal: Bool, isQuiet: Bool) {
    let console = Console.captured(isTerminal: isTerminal).configured(isQuiet: isQuiet, forbidsColor: false)
    let hand = Hand()
    var progress = Progress("ingest", unit: "rows", total: nil, on: console, stopwatch: hand.stopwatch)
    hand.set(10_000)
    progress.advance(to: 1)
    progress.finish()
    #expect(console.errors.captured.isEmpty)
  }
}
