/// Parts the bytes of a stream into messages, one a line.
package struct MessageLines: Sendable {
  package enum Line: Equatable, Sendable {
    case message([UInt8])
    /// Longer than ``AssistantServer/longestMessage``; its bytes were dropped.
    case tooLong
  }

  private var waiting: [UInt8] = []
  private var isTooLong = false

  package init() {}

  /// Takes further bytes, and returns the lines that end in them; empty lines are left out.
  package mutating func take(_ chunk: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = chunk[...]
    while let end = rest.firstIndex(of: 0x0A) {
      keep(rest[..<end])
      lines += [finish()].compactMap(\.self)
      rest = rest[(end + 1)...]
    }
    keep(rest)
    return lines
  }

  /// The last line, where the stream ends without a line break.
  package mutating func finish() -> Line? {
    defer { (waiting, isTooLong) = ([], false) }
    if isTooLong { return .tooLong }
    if waiting.last == 0x0D { waiting.removeLast() }
    return waiting.isEmpty ? nil : .message(waiting)
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong else { return }
    isTooLong = waiting.count + bytes.count > AssistantServer.longestMessage
    if isTooLong { waiting = [] } else { waiting += bytes }
  }
}
