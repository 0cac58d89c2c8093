import CSVText

/// Finds the cells of a CSV record in place; what is wrong is what is wrong for ``CSVReader``.
struct CSVRowScanner {
  /// For each cell of the header the slot of its column, or -1.
  let slots: [Int8]

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Looks for the record that begins at `start`.
  ///
  /// - Parameters:
  ///   - buffer: A part of the stream.
  ///   - start: Where the record begins.
  ///   - isLast: Whether the stream ends with these bytes.
  ///   - cells: Where the places of the cells are written to.
  /// - Returns: What was found.
  func scan(_ buffer: [UInt8], from start: Int, isLast: Bool, into cells: inout RowCells) -> RowFinding {
    let bytes = buffer.span
    cells.clear()
    let limit = min(bytes.count, start + CSVReader.longestRecord)
    var at = start
    var cell = 0
    var lines = 0
    var hasQuotes = false
    var hasPairs = false
    var all: UInt8 = 0
    while true {
      var place = at..<at
      if at < limit, bytes[at] == Self.quote {
        hasQuotes = true
        at += 1
        let first = at
        while true {
          while at < limit, bytes[at] != Self.quote {
            all |= bytes[at]
            if bytes[at] == Self.lineFeed { lines += 1 }
            at += 1
          }
          guard at < limit else { return end(bytes, start, isLast, .unclosedQuote, below: 0) }
          // Whether it closes the cell is only known with the byte behind it.
          guard at + 1 < limit || (isLast && limit == bytes.count) else {
            return end(bytes, start, isLast, .unclosedQuote, below: 0)
          }
          guard at + 1 < limit, bytes[at + 1] == Self.quote else { break }
          hasPairs = true
          at += 2
        }
        place = first..<at
        at += 1
        if at < limit, bytes[at] != Self.comma, bytes[at] != Self.lineFeed, bytes[at] != Self.carriageReturn {
          return defect(.textBehindQuote, below: lines)
        }
      } else {
        let first = at
        while at < limit {
          let byte = bytes[at]
          // All four bytes that mean something lie below the comma.
          if byte <= Self.comma {
            if byte == Self.comma || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            if byte == Self.quote { return defect(.strayQuote, below: lines) }
          }
          all |= byte
          at += 1
        }
        place = first..<at
      }
      if cell < slots.count, slots[cell] >= 0 { cells.places[Int(slots[cell])] = place }
      cell += 1
      if at < limit, bytes[at] == Self.comma {
        at += 1
        continue
      }
      if at < limit, bytes[at] == Self.carriageReturn {
        guard at + 1 < limit else { return end(bytes, start, isLast, .strayCarriageReturn, below: lines) }
        guard bytes[at + 1] == Self.lineFeed else { return defect(.strayCarriageReturn, below: lines) }
        at += 1
      }
      guard at < limit || (isLast && limit == bytes.count) else {
        return end(bytes, start, isLast, .recordTooLong, below: 0)
      }
      let hasBreak = at < limit
      if cell == 1, place.isEmpty, !hasQuotes { return .blank(end: hasBreak ? at + 1 : at) }
      if all >= 0x80, (try? UTF8Span(validating: bytes.extracting(start..<at))) == nil {
        return defect(.notUTF8, below: lines)
      }
      guard cell == slots.count else {
        return .refused(
          code: "wrong-number-of-cells", sentence: "the row has \(cell) cells, the header \(slots.count)",
          end: hasBreak ? at + 1 : at, lines: hasBreak ? lines + 1 : lines)
      }
      if hasPairs { rewrite(bytes, &cells) }
      return .row(end: hasBreak ? at + 1 : at, lines: hasBreak ? lines + 1 : lines)
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
        at += bytes[at] == Self.quote ? 2 : 1
      }
      cells.put(text, at: slot)
    }
  }
}
