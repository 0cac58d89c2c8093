import Glibc
import Values

/// A monotonic clock in milliseconds; tests supply their own.
public typealias Stopwatch = @Sendable () -> Int64

/// The machine's clock that no one sets, in milliseconds since an unknown moment.
public let systemStopwatch: Stopwatch = {
  var time = timespec()
  // CLOCK_MONOTONIC exists on every Linux, so the call cannot fail; see clock_gettime(2).
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// A line on standard error that shows how far a piece of work is.
///
/// It appears when the work has taken a second, only on a terminal and not with `--quiet`, and it is wiped away at
/// the end.
public struct Progress: ~Copyable {
  private static let firstAfter: Int64 = 1000
  private static let drawEvery: Int64 = 100

  private let console: Console
  private let label: String
  private let unit: String
  private let total: Int?
  private let stopwatch: Stopwatch
  private let start: Int64
  private let isShown: Bool
  private var drawAfter: Int64
  private var isDrawn = false

  /// Starts the clock.
  ///
  /// - Parameters:
  ///   - label: What is done, such as `ingest`.
  ///   - unit: What is counted, such as `rows`.
  ///   - total: How many there are, or nil if unknown.
  ///   - console: Where to draw.
  public init(
    _ label: String, unit: String, total: Int?, on console: Console,
    stopwatch: @escaping Stopwatch = systemStopwatch
  ) {
    self.console = console
    self.label = label
    self.unit = unit
    self.total = total
    self.stopwatch = stopwatch
    start = stopwatch()
    drawAfter = start + Self.firstAfter
    isShown = console.errors.isTerminal && !console.isQuiet
  }

  deinit { if isDrawn { console.errors.write(Array("\r\u{1b}[K".utf8)) } }

  /// Reports how many are done by now.
  public mutating func advance(to done: Int) {
    guard isShown else { return }
    let now = stopwatch()
    guard now >= drawAfter else { return }
    drawAfter = now + Self.drawEvery
    isDrawn = true
    console.errors.write(Array("\r\(line(done, milliseconds: now - start))\u{1b}[K".utf8))
  }

  /// Wipes the line away.
  public consuming func finish() {}

  private func line(_ done: Int, milliseconds: Int64) -> String {
    let rate = Double(done) * 1000 / Double(max(1, milliseconds))
    let speed = "\(short(rate)) \(unit)/s"
    guard let total, total > 0 else {
      return fit(["\(label)  \(grouped(done)) \(unit)", speed, clock(milliseconds / 1000)])
    }
    let share = min(1, Double(done) / Double(total))
    let left = rate > 0 ? clock(Int64((Double(max(0, total - done)) / rate).rounded(.up))) : "?"
    let percent = String(Int(share * 100))
    let filled = Int(share * 24)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 24 - filled)
    return fit([
      "\(label)  [\(bar)] " + String(repeating: " ", count: 3 - percent.count) + percent + "%", speed,
      "\(left) left",
    ])
  }

  /// Leaves parts out at the end until the line fits; one letter stays free, or some terminals would wrap.
  private func fit(_ parts: [String]) -> String {
    var parts = parts
    while parts.count > 1, parts.joined(separator: "  ").count >= console.columns { parts.removeLast() }
    return String(parts.joined(separator: "  ").prefix(max(1, console.columns - 1)))
  }
}

private func clock(_ seconds: Int64) -> String {
  let rest = seconds % 60
  let tail = (rest < 10 ? "0" : "") + String(rest)
  guard seconds >= 3600 else { return "\(seconds / 60):\(tail)" }
  let minutes = seconds / 60 % 60
  return "\(seconds / 3600):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
}

private func short(_ value: Double) -> String {
  switch value {
  case ..<1000: String(Int(value))
  case ..<1_000_000: tenths(value / 1000) + "k"
  default: tenths(value / 1_000_000) + "M"
  }
}

private func tenths(_ value: Double) -> String {
  let tenths = Int(value * 10)
  return "\(tenths / 10).\(tenths % 10)"
}
