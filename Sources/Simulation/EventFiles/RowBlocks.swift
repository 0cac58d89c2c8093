import CSVText
import System

/// Some bytes of an events file, behind the header.
struct RowBlock: Sendable {
  let bytes: [UInt8]
  /// Whether the file ends with them.
  let isLast: Bool
}

/// Cuts the rows of a stream into blocks, so that several threads can read them.
///
/// A block ends behind a line break outside of quotation marks, as far as those in the block show it. Where marks are
/// astray, it may end inside of a row; readers of blocks have to check for that.
struct RowBlocks {
  private(set) var obstacle: (any Error)?
  private(set) var hasEnded = false

  private var rest: [UInt8]
  /// Bytes that have to be there before the next cut is looked for.
  private var goal: Int
  private let size: Int
  private let isTable: Bool

  /// Starts behind the header.
  ///
  /// - Parameters:
  ///   - bytes: Bytes that were read already.
  ///   - isTable: Whether rows may have line breaks inside of quotation marks.
  ///   - size: Bytes that a block has at least, unless it is the last one or has marks astray.
  init(_ bytes: [UInt8], isTable: Bool, size: Int) {
    rest = bytes
    goal = size
    self.size = size
    self.isTable = isTable
  }

  /// Looks for the next block.
  ///
  /// - Parameter source: Gives the next bytes, and `nil` at the end. An error that it throws is kept and ends the stream
  ///   after the bytes before it, in a block that is not the file's last.
  /// - Returns: The block; `nil` behind the last one.
  mutating func next(_ source: () throws -> [UInt8]?) -> RowBlock? {
    guard !hasEnded else { return nil }
    do {
      while true {
        if rest.count >= goal {
          if let end = cut() { return take(end) }
          // So that bytes which come one by one are not looked at again for each of them.
          goal = rest.count + size
        }
        guard let bytes = try source() else { break }
        rest += bytes
      }
    } catch {
      obstacle = error
    }
    hasEnded = true
    return RowBlock(bytes: rest, isLast: obstacle == nil)
  }

  private mutating func take(_ end: Int) -> RowBlock {
    var bytes = rest
    rest = Array(bytes[end...])
    bytes.removeLast(bytes.count - end)
    goal = size
    return RowBlock(bytes: bytes, isLast: false)
  }

  /// The end of the last row in ``rest``; `nil` where none may have ended yet.
  private func cut() -> Int? {
    let bytes = rest.span
    var isInside = isTable && occursOddly(UInt8(ascii: "\""), in: bytes)
    var lastBreak: Int?
    for index in bytes.indices.reversed() {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        if !isInside { return index + 1 }
        lastBreak = lastBreak ?? index + 1
      }
      if isTable, byte == UInt8(ascii: "\"") { isInside.toggle() }
    }
    // Longer than any record may be.
    return bytes.count > size + CSVReader.longestRecord ? lastBreak ?? bytes.count : nil
  }
}
