import CVirtualTime
import JSONText
import System

/// What happened, in its order: one JSON object a line on standard output.
final class History: Sendable {
  private let output = OutputStream(descriptor: 1)

  func note(_ event: String, _ members: [JSONOutput.Member] = []) {
    let line: [JSONOutput.Member] = [
      .init("at", .integer(virtual_time_elapsed() / 1_000_000)), .init("event", .string(event)),
    ]
    output.write(JSONOutput.object(line + members).bytes() + [0x0A])
  }

  func finish() { output.flush() }
}
