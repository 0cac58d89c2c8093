import CVirtualTime
import JSONText
import System

/// What happened, in its order: one JSON object a line on standard output.
final class History: Sendable {
  private let output = OutputStream(descriptor: 1)
  private let folder: String

  init(of folder: String) { self.folder = folder }

  /// A text without the place of the run, so that histories of one seed are equal wherever they are made.
  func placeless(_ text: String) -> String { text.replacing(folder, with: "") }

  func note(_ event: String, _ members: [JSONOutput.Member] = []) {
    let line: [JSONOutput.Member] = [
      .init("at", .integer(virtual_time_elapsed() / 1_000_000)), .init("event", .string(event)),
    ]
    output.write(Array((placeless(JSONOutput.object(line + members).text()) + "\n").utf8))
  }

  func finish() { output.flush() }
}
