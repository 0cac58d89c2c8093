import CSVText
import Values

private let quote = UInt8(ascii: "\"")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

/// Finds the cells of a CSV record in place; what is wrong is what is wrong for ``CSVReader``.
struct CSVRowScanner {
  /// For each cell of the header the slot of its column, or -1.
  let slots: [Int8]
  /// The ASCII letter between cells.
  let separator: UInt8

  /// Whether a comma can be the decimal mark, because another letter separates cells.
  var hasDecimalCommas: Bool { separator != UInt8(ascii: ",") }

  /// The same with memory of its own.
  func copy() -> CSVRowScanner { CSVRowScanner(slots: slots.map { $0 }, separator: separator) }

  /// Looks for the record that begins at `start`.
  ///
  /// - Parameters:
  ///   - buffer: A part of the stream.
  ///   - start: Where the record begins.
  ///   - isLast: Whether the stream ends with these bytes.
  ///   - cells: Where the places of the cells are written to.
  func scan(_ buffer: [UInt8], from start: Int, isLast: Bool, into cells: inout RowCells) -> RowFinding {
    let bytes = buffer.span
    // A whole row sets every place that this table has.
    cells.isRewritten = false
    let limit = min(bytes.count, start + CSVReader.longestRecord)
    let endsStream = isLast && limit == bytes.count
    var record = Record(at: start, limit: limit, separator: separator)
    while true {
      let isQuoted = record.at < limit && bytes[record.at] == quote
      let place: Range<Int>
      if isQuoted {
        guard let found = record.passQuoted(bytes, endsStream) else {
          return end(bytes, start, isLast, .unclosedQuote, below: 0)
        }
        place = found
      } else {
        place = record.passPlain(bytes)
      }
      if record.cell < slots.count, slots[record.cell] >= 0 { cells.places[Int(slots[record.cell])] = place }
      record.cell += 1
      if record.at < limit {
        switch bytes[record.at] {
        case separator:
          record.at += 1
          continue
        case lineFeed: break
        case carriageReturn:
          guard record.at + 1 < limit else {
            return end(bytes, start, isLast, .strayCarriageReturn, below: record.lines)
          }
          record.at += 1
          guard bytes[record.at] == lineFeed else {
            return defect(.strayCarriageReturn, below: record.lines)
          }
        default: return defect(isQuoted ? .textBehindQuote : .strayQuote, below: record.lines)
        }
      } else if !endsStream {
        return end(bytes, start, isLast, .recordTooLong, below: 0)
      }
      if record.cell == 1, place.isEmpty, !isQuoted { return .blank(end: min(record.at + 1, bytes.count)) }
      return finish(bytes, start, record, &cells)
    }
  }

  /// Line breaks of a record up to the end of the first cell that is not UTF-8.
  private func linesUpToMistake(_ bytes: Span<UInt8>, _ record: Range<Int>) -> Int {
    var lines = 0
    var start = record.lowerBound
    var isQuoted = false
    for at in record {
      if bytes[at] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[at] == UInt8(ascii: "\n") { lines += 1 }
      guard bytes[at] == separator, !isQuoted else { continue }
      if (try? UTF8Span(validating: bytes.extracting(start..<at))) == nil { return lines }
      start = at + 1
    }
    return lines
  }

  /// Judges a record whose end is found.
  private func finish(_ bytes: Span<UInt8>, _ start: Int, _ record: Record, _ cells: inout RowCells)
    -> RowFinding
  {
    if record.all >= 0x80, (try? UTF8Span(validating: bytes.extracting(start..<record.at))) == nil {
      return defect(.notUTF8, below: linesUpToMistake(bytes, start..<record.at))
    }
    let hasBreak = record.at < record.limit
    let end = hasBreak ? record.at + 1 : record.at
    let lines = hasBreak ? record.lines + 1 : record.lines
    guard record.cell == slots.count else {
      let error = EventFileError(
        code: "wrong-number-of-cells", line: 0,
        sentence: Sentence("the row has \(record.cell) cells, the header \(slots.count)"),
        cure: record.cell > slots.count && !hasDecimalCommas
          ? Sentence("write amounts with a decimal point, and put a cell that holds a comma in double quotes")
          : nil)
      return .rejected(error, end: end, lines: lines)
    }
    if record.hasPairs { rewrite(bytes, &cells) }
    return .row(end: end, lines: lines)
  }

  /// How far a record has been read.
  private struct Record {
    var at: Int
    let limit: Int
    let separator: UInt8
    /// The largest of the four bytes that end a cell without marks around it.
    private let last: UInt8
    var cell = 0
    /// Line breaks inside of cells.
    var lines = 0
    /// Whether a cell has a quotation mark inside, written twice.
    var hasPairs = false
    /// All bits of the bytes in cells; without the highest one they are ASCII.
    var all: UInt8 = 0

    init(at: Int, limit: Int, separator: UInt8) {
      (self.at, self.limit, self.separator) = (at, limit, separator)
      last = max(separator, quote)
    }

    /// Passes over a cell without marks around it, up to a byte that cannot be in it.
    mutating func passPlain(_ bytes: Span<UInt8>) -> Range<Int> {
      let first = at
      while at < limit {
        let byte = bytes[at]
        if byte <= last,
          byte == separator || byte == lineFeed || byte == carriageReturn || byte == quote
        {
          break
        }
        all |= byte
        at += 1
      }
      return first..<at
    }

    /// Passes over a cell with marks around it; `nil` where its end is not in the bytes.
    mutating func passQuoted(_ bytes: Span<UInt8>, _ endsStream: Bool) -> Range<Int>? {
      at += 1
      let first = at
      while true {
        while at < limit, bytes[at] != quote {
          all |= bytes[at]
          if bytes[at] == lineFeed { lines += 1 }
          at += 1
        }
        // Whether a mark closes the cell is only known with the byte behind it.
        guard at + 1 < limit || (at < limit && endsStream) else { return nil }
        guard at + 1 < limit, bytes[at + 1] == quote else {
          at += 1
          return first..<at - 1
        }
        hasPairs = true
        at += 2
      }
    }
  }

  /// What it means that a record has no end where it may have one at most.
  private func end(
    _ bytes: Span<UInt8>, _ start: Int, _ isLast: Bool, _ reason: CSVReader.Defect.Reason, below lines: Int
  ) -> RowFinding {
    if bytes.count - start > CSVReader.longestRecord { return defect(.recordTooLong, below: 0) }
    return isLast ? defect(reason, below: lines) : .incomplete
  }

  private func defect(_ reason: CSVReader.Defect.Reason, below lines: Int) -> RowFinding {
    .defect(code: reason.rawValue, sentence: reason.sentence, below: lines)
  }

  /// Copies the cells with one quotation mark for two; a cell without marks around it has none inside.
  private func rewrite(_ bytes: Span<UInt8>, _ cells: inout RowCells) {
    let places = cells.places
    cells.startRewriting()
    for slot in places.indices {
      var text: [UInt8] = []
      var at = places[slot].lowerBound
      while at < places[slot].upperBound {
        text.append(bytes[at])
        at += bytes[at] == quote ? 2 : 1
      }
      cells.put(text, at: slot)
    }
  }
}
