/// Turns a stream of UTF-16 into UTF-8, and leaves every other text as it is.
///
/// Spreadsheets and shells of Windows write UTF-16. It is known by its mark, or by the zero that its first letter has.
package struct UTF16Decoder: Sendable {
  /// Why bytes that begin as UTF-16 are none.
  package struct Defect: Error, Hashable, Sendable {
    /// The line, from 1, at most.
    package let line: Int
  }

  private enum Form { case undecided, other, bigEndian, littleEndian }

  private var form = Form.undecided
  private var pending: [UInt8] = []
  private var line = 1

  package init() {}

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: What they are in UTF-8.
  /// - Throws: ``Defect`` for the first mistake.
  package mutating func append(_ bytes: [UInt8]) throws(Defect) -> [UInt8] {
    if form == .other { return bytes }
    pending += bytes
    if form == .undecided {
      guard pending.count >= 2 else { return [] }
      form = Self.form(pending[0], pending[1])
    }
    return try take(isLast: false)
  }

  /// Ends the stream.
  ///
  /// - Returns: What was not complete before.
  /// - Throws: ``Defect`` where half a letter is left.
  package mutating func finish() throws(Defect) -> [UInt8] { try take(isLast: true) }

  private static func form(_ first: UInt8, _ second: UInt8) -> Form {
    switch (first, second) {
    case (0xFF, 0xFE): .littleEndian
    case (0xFE, 0xFF): .bigEndian
    case (0, 1...): .bigEndian
    case (1..., 0): .littleEndian
    default: .other
    }
  }

  private mutating func take(isLast: Bool) throws(Defect) -> [UInt8] {
    guard form == .bigEndian || form == .littleEndian else {
      defer { pending = [] }
      return pending
    }
    var units: [UInt16] = []
    units.reserveCapacity(pending.count / 2)
    for index in stride(from: 0, to: pending.count - 1, by: 2) {
      let (first, second) = (UInt16(pending[index]), UInt16(pending[index + 1]))
      units.append(form == .bigEndian ? first << 8 | second : second << 8 | first)
    }
    // The other half of a letter comes with the next bytes.
    if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    line += units.count { $0 == 0x0A }
    guard !isLast || pending.count == 2 * units.count, let text = String(validating: units, as: UTF16.self)
    else { throw Defect(line: line) }
    pending.removeFirst(2 * units.count)
    return Array(text.utf8)
  }
}
