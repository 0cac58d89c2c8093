/// Cuts a stream of bytes into lines.
package struct LineCutter {
  /// The most bytes of a line that is kept; what is behind them is left out, so that the line cannot be read.
  package static let longestLine = 4 << 20

  private var pending: [UInt8] = []

  package init() {}

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: The lines that these bytes complete, without their line feeds.
  package mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      lines.append(take(bytes[start..<end]))
      start = end + 1
    }
    keep(bytes[start...])
    return lines
  }

  /// Ends the stream.
  ///
  /// - Returns: The last line, also where it is empty.
  package mutating func finish() -> [UInt8] { take([]) }

  private mutating func take(_ end: ArraySlice<UInt8>) -> [UInt8] {
    guard !pending.isEmpty else { return Array(end.prefix(Self.longestLine)) }
    keep(end)
    defer { pending = [] }
    return pending
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    pending += bytes.prefix(Self.longestLine - pending.count)
  }
}
