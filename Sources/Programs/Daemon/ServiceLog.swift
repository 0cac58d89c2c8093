import JSONText
package import System
import Values

/// The daemon's log: one line for each event on standard error, without addresses, identifiers or bodies.
package struct ServiceLog: Sendable {
  /// How much an event matters.
  package enum Level: String, Sendable {
    case info
    case warning
    case error
  }

  /// A named figure or text of an event.
  package enum Value: Hashable, Sendable {
    case integer(Int64)
    case string(String)
  }

  private let console: Console
  private let clock: WallClock
  private let isJSON: Bool

  package init(_ console: Console, clock: @escaping WallClock, isJSON: Bool) {
    self.console = console
    self.clock = clock
    self.isJSON = isJSON
  }

  /// Writes an event; with `--quiet` only one that matters to someone who reads nothing else.
  package func write(_ level: Level, _ event: String, _ fields: [(String, Value)] = []) {
    guard level != .info || !console.isQuiet else { return }
    let line = isJSON ? json(level, event, fields) : text(level, event, fields)
    console.errors.write(Array((line + "\n").utf8))
  }

  private func json(_ level: Level, _ event: String, _ fields: [(String, Value)]) -> String {
    let members: [JSONOutput.Member] = [
      .init("time", .string("\(clock())")), .init("level", .string(level.rawValue)),
      .init("event", .string(event)),
    ]
    return JSONOutput.object(
      members
        + fields.map { name, value in
          switch value {
          case .integer(let number): .init(name, .integer(number))
          case .string(let text): .init(name, .string(text))
          }
        }
    ).text()
  }

  private func text(_ level: Level, _ event: String, _ fields: [(String, Value)]) -> String {
    let parts = fields.map { name, value in
      switch value {
      case .integer(let number): "\(name)=\(number)"
      case .string(let text):
        text.contains(" ") || text.isEmpty || text.contains("\"") || printable(text) != text
          ? "\(name)=\(quoted(text, upTo: 400))" : "\(name)=\(text)"
      }
    }
    return (["\(clock())", level.rawValue, event] + parts).joined(separator: " ")
  }
}

extension ServiceLog.Value: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self = .string(text) }
}
