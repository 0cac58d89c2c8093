import CSVText
import JSONText
import Values

/// Finds the members of a JSON object on a line in place.
///
/// A flat object of plain texts and numbers is read here; everything else, right or wrong, goes to ``JSONReader``.
struct JSONRowScanner {
  private let columns: EventColumns
  /// The names of the columns in the order of the slots, one behind the other.
  private var letters: [UInt8] = []
  /// Where each name starts, and where the last one ends.
  private var starts: [Int] = [0]
  /// Names of members that one object has at most to be read in place.
  private static let mostMembers = 32

  /// Prepares for lines with these names.
  init(_ columns: EventColumns) {
    self.columns = columns
    for column in EventColumn.allCases {
      letters += Array(columns.name(of: column).utf8)
      starts.append(letters.count)
    }
  }

  /// The same with memory of its own.
  func copy() -> JSONRowScanner { JSONRowScanner(columns) }

  /// Looks for the line that begins at `start`.
  ///
  /// - Parameters:
  ///   - buffer: A part of the stream.
  ///   - start: Where the line begins.
  ///   - isLast: Whether the stream ends with these bytes.
  ///   - cells: Where the places of the cells are written to.
  func scan(_ buffer: [UInt8], from start: Int, isLast: Bool, into cells: inout RowCells) -> RowFinding {
    let bytes = buffer.span
    cells.clear()
    let limit = min(bytes.count, start + CSVReader.longestRecord + 1)
    var end = start
    while end < limit, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    guard end - start <= CSVReader.longestRecord else {
      return .defect(
        code: "record-too-long",
        sentence: Sentence("the line is longer than \(CSVReader.longestRecord) bytes"), below: 0)
    }
    let hasBreak = end < bytes.count
    guard hasBreak || isLast else { return .incomplete }
    let next = hasBreak ? end + 1 : end
    var first = start
    while first < end, Self.isBlank(bytes[first]) { first += 1 }
    if first == end { return .blank(end: next) }
    if !scanPlain(bytes, first..<end, &cells) {
      let line = (start..<end).map { bytes[$0] }
      do throws(EventFileError) { try read(line, &cells) } catch {
        return .rejected(error, end: next, lines: hasBreak ? 1 : 0)
      }
    }
    for column in EventColumn.required where cells.places[column.slot].isEmpty {
      guard let error = missing(column, in: (first..<end).map { bytes[$0] }) else { continue }
      return .rejected(error, end: next, lines: hasBreak ? 1 : 0)
    }
    return .row(end: next, lines: hasBreak ? 1 : 0)
  }

  /// What is wrong with a line that lacks a column and has members of other names, one of which may be it.
  private func missing(_ column: EventColumn, in line: [UInt8]) -> EventFileError? {
    let names = (try? JSONReader.read(line))?.value.object?.members.map(\.name) ?? []
    let name = columns.name(of: column)
    guard !names.contains(name), let cure = columns.cure(forNames: names) else { return nil }
    return .missing(column, line: 0, cure: cure, isOfFile: true)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// Reads any line, with a copy of every text.
  private func read(_ line: [UInt8], _ cells: inout RowCells) throws(EventFileError) {
    let node: JSONNode
    do throws(JSONDefect) { node = try JSONReader.read(line) } catch {
      let diagnosis = error.diagnosis(in: line, isLine: true)
      throw EventFileError(
        code: error.code, line: 0,
        sentence: Sentence("the line is not JSON: \(diagnosis: diagnosis.sentence)"),
        cure: diagnosis.cure.map { Sentence("\(diagnosis: String($0.dropLast()))") })
    }
    cells.startRewriting()
    var subject = "a line"
    do throws(JSONProblem) {
      let members = try JSONPlace(node).members()
      for column in EventColumn.allCases {
        let name = columns.name(of: column)
        subject = quoted(name)
        let isNumberAllowed = column != .event && column != .currency
        if let text = try members[name]?.cell(isNumberAllowed: isNumberAllowed) {
          cells.put(text.utf8, at: column.slot)
        }
      }
    } catch {
      throw EventFileError(
        code: "wrong-type", line: 0, sentence: Sentence("\(code: subject) \(error.predicate)"))
    }
  }

  /// Reads a flat object; `false` where it is not as plain as that.
  private func scanPlain(_ bytes: Span<UInt8>, _ line: Range<Int>, _ cells: inout RowCells) -> Bool {
    var cursor = PlainCursor(at: line.lowerBound, end: line.upperBound)
    guard cursor.take(UInt8(ascii: "{"), bytes) else { return false }
    var members = [32 of Range<Int>](repeating: 0..<0)
    var count = 0
    repeat {
      cursor.skipBlanks(bytes)
      guard count < Self.mostMembers, let name = cursor.text(bytes) else { return false }
      for earlier in 0..<count where Self.areEqual(bytes, members[earlier], name) { return false }
      members[count] = name
      count += 1
      cursor.skipBlanks(bytes)
      guard cursor.take(UInt8(ascii: ":"), bytes) else { return false }
      cursor.skipBlanks(bytes)
      let slot = slot(of: name, in: bytes)
      guard let kind = cursor.value(bytes) else { return false }
      if slot >= 0 {
        // Neither an event nor a currency is a number.
        guard kind.isText || (slot != EventColumn.event.slot && slot != EventColumn.currency.slot) else {
          return false
        }
        cells.places[slot] = kind.place
      }
      cursor.skipBlanks(bytes)
    } while cursor.take(UInt8(ascii: ","), bytes)
    guard cursor.take(UInt8(ascii: "}"), bytes) else { return false }
    cursor.skipBlanks(bytes)
    return cursor.at == cursor.end
  }

  private static func areEqual(_ bytes: Span<UInt8>, _ a: Range<Int>, _ b: Range<Int>) -> Bool {
    guard a.count == b.count else { return false }
    for offset in 0..<a.count where bytes[a.lowerBound + offset] != bytes[b.lowerBound + offset] {
      return false
    }
    return true
  }

  /// The slot of the column of that name; -1 where the member is passed over.
  private func slot(of place: Range<Int>, in bytes: Span<UInt8>) -> Int {
    next: for slot in 0..<EventColumn.allCases.count {
      let start = starts[slot]
      guard starts[slot + 1] - start == place.count else { continue }
      for offset in 0..<place.count where bytes[place.lowerBound + offset] != letters[start + offset] {
        continue next
      }
      return slot
    }
    return -1
  }
}

/// A place in a line of plain JSON.
private struct PlainCursor {
  var at: Int
  let end: Int

  mutating func skipBlanks(_ bytes: Span<UInt8>) {
    while at < end, bytes[at] == 0x20 || bytes[at] == 0x09 || bytes[at] == 0x0D { at += 1 }
  }

  mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard at < end, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  /// The place of a text of plain ASCII; `nil` where it is another value or has escapes.
  mutating func text(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard take(UInt8(ascii: "\""), bytes) else { return nil }
    let start = at
    while at < end {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "\"") { return start..<at - 1 }
      if byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 { return nil }
    }
    return nil
  }

  /// The place of a text or a number; empty for null.
  mutating func value(_ bytes: Span<UInt8>) -> (place: Range<Int>, isText: Bool)? {
    guard at < end else { return nil }
    let start = at
    switch bytes[at] {
    case UInt8(ascii: "\""): return text(bytes).map { ($0, true) }
    case UInt8(ascii: "n"):
      for letter in "null".utf8 where !take(letter, bytes) { return nil }
      return (start..<start, true)
    default:
      _ = take(UInt8(ascii: "-"), bytes)
      if !take(UInt8(ascii: "0"), bytes), digits(bytes) == 0 { return nil }
      if take(UInt8(ascii: "."), bytes), digits(bytes) == 0 { return nil }
      if take(UInt8(ascii: "e"), bytes) || take(UInt8(ascii: "E"), bytes) {
        if !take(UInt8(ascii: "-"), bytes) { _ = take(UInt8(ascii: "+"), bytes) }
        if digits(bytes) == 0 { return nil }
      }
      return (start..<at, false)
    }
  }

  private mutating func digits(_ bytes: Span<UInt8>) -> Int {
    let start = at
    while at < end, (0x30...0x39).contains(bytes[at]) { at += 1 }
    return at - start
  }
}
