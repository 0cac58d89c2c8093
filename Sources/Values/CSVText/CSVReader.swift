package import Values

/// Cuts a stream of bytes into records of comma-separated values.
///
/// Cells are separated by commas, or by another ASCII letter. Lines end with CRLF or LF, blank lines are passed over, and a byte order mark in front means nothing. Memory is
/// bounded by ``longestRecord``.
/// Source: RFC 4180, section 2.
package struct CSVReader: Sendable {
  /// The most bytes of one record.
  package static let longestRecord = 1 << 20

  package struct Record: Equatable, Sendable {
    /// The line it begins on, from 1.
    package let line: Int
    /// Its cells, without quotation marks around them.
    package let cells: [String]
  }

  /// Why bytes are not comma-separated values.
  package struct Defect: Error, Hashable, Sendable {
    /// The kinds of mistake; the raw value is the stable code.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
      case strayQuote = "stray-quote"
      case textBehindQuote = "text-behind-quote"
      case unclosedQuote = "unclosed-quote"
      case strayCarriageReturn = "stray-carriage-return"
      case recordTooLong = "record-too-long"
      case notUTF8 = "not-utf-8"

      package var sentence: Sentence {
        switch self {
        case .strayQuote:
          Sentence("found a quotation mark inside a cell without quotes; quote the cell and double the mark")
        case .textBehindQuote: Sentence("found text between a closing quotation mark and the end of its cell")
        case .unclosedQuote: Sentence("the file ends inside a quoted cell")
        case .strayCarriageReturn: Sentence("found a carriage return without a line feed")
        case .recordTooLong: Sentence("the record is longer than \(CSVReader.longestRecord) bytes")
        case .notUTF8: Sentence("the text is not UTF-8")
        }
      }
    }

    package let reason: Reason
    /// The line, from 1.
    package let line: Int
  }

  private enum State { case cellStart, plain, quoted, quoteInQuoted, carriageReturn }

  private var state = State.cellStart
  private var line = 1
  private var recordLine = 1
  private var cell: [UInt8] = []
  private var cells: [String] = []
  private var size = 0
  /// Whether the record has a quotation mark, so that it is not blank.
  private var hasQuotes = false

  private var markBytes = 0
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let separator: UInt8

  package init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

  /// The letter that separates cells: a comma, a semicolon or a tab, whichever the first line has most of.
  ///
  /// - Returns: The letter, and whether the bytes have the whole line.
  package static func separator(of bytes: [UInt8]) -> (letter: UInt8, isWhole: Bool) {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var counts = [0, 0, 0]
    var isQuoted = false
    var hasText = false
    var isWhole = false
    for byte in bytes {
      if byte == UInt8(ascii: "\n"), !isQuoted, hasText {
        isWhole = true
        break
      }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      hasText = hasText || ![0x20, 0x0A, 0x0D].contains(byte)
      if !isQuoted, let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    // The first of equals.
    let most = counts.indices.max { counts[$0] < counts[$1] || counts[$0] == counts[$1] && $0 > $1 } ?? 0
    return (candidates[most], isWhole)
  }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: The records that these bytes complete.
  /// - Throws: ``Defect`` for the first mistake.
  package mutating func append(_ bytes: [UInt8]) throws(Defect) -> [Record] {
    var records: [Record] = []
    for byte in bytes {
      if markBytes < 3 {
        if byte == Self.mark[markBytes] {
          markBytes += 1
          continue
        }
        let begun = Self.mark.prefix(markBytes)
        markBytes = 3
        for byte in begun { try take(byte, &records) }
      }
      try take(byte, &records)
    }
    return records
  }

  /// Ends the stream.
  ///
  /// - Returns: The last record, where no line break ended it.
  /// - Throws: ``Defect`` where a quoted cell is open.
  package mutating func finish() throws(Defect) -> [Record] {
    var records: [Record] = []
    if markBytes < 3 {
      let begun = Self.mark.prefix(markBytes)
      markBytes = 3
      for byte in begun { try take(byte, &records) }
    }
    switch state {
    case .quoted: throw Defect(reason: .unclosedQuote, line: recordLine)
    case .carriageReturn: throw defect(.strayCarriageReturn)
    case .cellStart, .plain, .quoteInQuoted: try endRecord(&records)
    }
    return records
  }

  private func defect(_ reason: Defect.Reason) -> Defect { Defect(reason: reason, line: line) }

  private mutating func take(_ byte: UInt8, _ records: inout [Record]) throws(Defect) {
    size += 1
    guard size <= Self.longestRecord else { throw Defect(reason: .recordTooLong, line: recordLine) }
    switch (state, byte) {
    case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
    case (.quoted, _):
      if byte == UInt8(ascii: "\n") { line += 1 }
      cell.append(byte)
    case (.quoteInQuoted, UInt8(ascii: "\"")):
      cell.append(byte)
      state = .quoted
    case (.carriageReturn, UInt8(ascii: "\n")), (.cellStart, UInt8(ascii: "\n")),
      (.plain, UInt8(ascii: "\n")), (.quoteInQuoted, UInt8(ascii: "\n")):
      try endRecord(&records)
      line += 1
      recordLine = line
    case (.carriageReturn, _): throw defect(.strayCarriageReturn)
    case (_, UInt8(ascii: "\r")): state = .carriageReturn
    case (_, separator): try endCell()
    case (.cellStart, UInt8(ascii: "\"")):
      state = .quoted
      hasQuotes = true
    case (.plain, UInt8(ascii: "\"")): throw defect(.strayQuote)
    case (.quoteInQuoted, _): throw defect(.textBehindQuote)
    case (.cellStart, _), (.plain, _):
      cell.append(byte)
      state = .plain
    }
  }

  private mutating func endCell() throws(Defect) {
    guard let text = String(validating: cell, as: UTF8.self) else { throw defect(.notUTF8) }
    cells.append(text)
    cell.removeAll(keepingCapacity: true)
    state = .cellStart
  }

  private mutating func endRecord(_ records: inout [Record]) throws(Defect) {
    let isBlank = cells.isEmpty && cell.isEmpty && !hasQuotes
    try endCell()
    if !isBlank { records.append(Record(line: recordLine, cells: cells)) }
    cells = []
    size = 0
    hasQuotes = false
  }
}
