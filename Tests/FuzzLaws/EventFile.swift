import CSVText
import EventFiles
import JSONText
import Values

/// Reads a stream of bytes as an events file: CSV with a header, or one JSON object a line.
///
/// This is the plain reader that `PopulationReader` is compared with: it is written to be read.
///
/// The columns are `user`, `time` and `event`, and optionally `revenue`, `currency`, `campaign`, `installed`,
/// `conversion-tag`, `source_app` and `country`; others are passed over. Times are RFC 3339 or whole seconds, money is
/// read digit by digit.
package struct EventFile: Sendable {
  private enum Form { case undecided, table, lines }

  private var form = Form.undecided
  private let currency: CurrencyCode
  /// What came before the form was known.
  private var pending: [UInt8] = []
  private var table = CSVReader()
  /// Whether a comma can be the decimal mark, because another letter separates cells.
  private var hasDecimalCommas = false
  /// The place of each column, once the header is read.
  private var columns: [EventColumn: Int]?
  private var width = 0
  private var lines = LineCutter()

  /// Starts with an empty stream; amounts that name no currency are in that one.
  package init(currency: CurrencyCode) { self.currency = currency }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: The rows that these bytes complete.
  /// - Throws: ``EventFileError`` for the first row that is wrong.
  package mutating func append(_ bytes: [UInt8]) throws(EventFileError) -> [EventRow] {
    guard form == .undecided else { return try route(bytes) }
    pending += bytes
    guard let first = pending.first(where: { !Self.meansNothing($0) }) else {
      guard pending.count <= CSVReader.longestRecord else {
        throw EventFileError(
          code: "record-too-long", line: 1,
          sentence: Sentence("the file begins with more than \(CSVReader.longestRecord) blanks"))
      }
      return []
    }
    guard first != UInt8(ascii: "[") else {
      throw EventFileError(
        code: "array", line: 1,
        sentence: Sentence("a JSON array is not read; write one object a line (NDJSON)"))
    }
    if first == UInt8(ascii: "{") {
      form = .lines
    } else {
      // Which letter separates cells is known by the whole line.
      let (separator, isWhole) = CSVReader.separator(of: pending)
      guard isWhole || pending.count > CSVReader.longestRecord else { return [] }
      beginTable(separator)
    }
    defer { pending = [] }
    return try route(pending)
  }

  /// Ends the stream.
  ///
  /// - Returns: The last row, where no line break ended it.
  /// - Throws: ``EventFileError`` where that row is wrong.
  package mutating func finish() throws(EventFileError) -> [EventRow] {
    var rows: [EventRow] = []
    if form == .undecided {
      guard pending.contains(where: { !Self.meansNothing($0) }) else { return [] }
      beginTable(CSVReader.separator(of: pending).letter)
      rows = try route(pending)
    }
    guard form == .table else { return try self.rows(lines.finish()) }
    let records: [CSVReader.Record]
    do throws(CSVReader.Defect) { records = try table.finish() } catch { throw Self.error(error) }
    return rows + (try self.rows(records))
  }

  private mutating func beginTable(_ separator: UInt8) {
    form = .table
    table = CSVReader(separator: separator)
    hasDecimalCommas = separator != UInt8(ascii: ",")
  }

  /// White space and the bytes of a byte order mark.
  private static func meansNothing(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(byte)
  }

  private mutating func route(_ bytes: [UInt8]) throws(EventFileError) -> [EventRow] {
    if form == .lines { return try rows(lines.append(bytes)) }
    let records: [CSVReader.Record]
    do throws(CSVReader.Defect) { records = try table.append(bytes) } catch { throw Self.error(error) }
    return try rows(records)
  }

  private static func error(_ defect: CSVReader.Defect) -> EventFileError {
    EventFileError(
      code: defect.reason.rawValue, line: defect.line, sentence: defect.reason.sentence)
  }

  // MARK: CSV

  private mutating func rows(_ records: [CSVReader.Record]) throws(EventFileError) -> [EventRow] {
    var rows: [EventRow] = []
    for record in records {
      // A line for spreadsheets alone.
      if record.line == 1, record.cells == ["sep=", ""] { continue }
      guard let columns else {
        try readHeader(record)
        continue
      }
      guard record.cells.count == width else {
        throw EventFileError(
          code: "wrong-number-of-cells", line: record.line,
          sentence: Sentence("the row has \(record.cells.count) cells, the header \(width)"))
      }
      var texts = columns.mapValues { record.cells[$0] }
      if hasDecimalCommas, let pointed = texts[.revenue].flatMap(Amount.pointed) { texts[.revenue] = pointed }
      try rows.append(EventRow(texts, line: record.line, currency: currency))
    }
    return rows
  }

  private mutating func readHeader(_ record: CSVReader.Record) throws(EventFileError) {
    var columns: [EventColumn: Int] = [:]
    for (index, name) in record.cells.enumerated() {
      guard let column = EventColumn(rawValue: name) else { continue }
      guard columns.updateValue(index, forKey: column) == nil else {
        throw EventFileError(
          code: "repeated-column", line: record.line,
          sentence: Sentence("the header has '\(name: name)' twice"))
      }
    }
    for column in EventColumn.required where columns[column] == nil {
      throw EventFileError(
        code: "missing-column", line: record.line,
        sentence: Sentence(name: "the header lacks '\(column.rawValue)'"))
    }
    self.columns = columns
    width = record.cells.count
  }

  // MARK: NDJSON

  private func rows(_ lines: [LineCutter.Line]) throws(EventFileError) -> [EventRow] {
    var rows: [EventRow] = []
    for line in lines {
      guard line.isWhole else {
        throw EventFileError(
          code: "record-too-long", line: line.number,
          sentence: Sentence("the line is longer than \(CSVReader.longestRecord) bytes"))
      }
      let node: JSONNode
      do throws(JSONDefect) { node = try JSONReader.read(line.bytes) } catch {
        throw EventFileError(
          code: error.code, line: line.number,
          sentence: Sentence(
            "the line is not JSON: \(diagnosis: error.diagnosis(in: line.bytes, isLine: true).sentence)"
          ))
      }
      try rows.append(
        EventRow(EventRow.texts(node, line: line.number), line: line.number, currency: currency))
    }
    return rows
  }
}

/// Cuts a stream into lines, blank ones left out; of a line that is too long only the beginning is kept.
private struct LineCutter: Sendable {
  struct Line {
    let number: Int
    let bytes: [UInt8]
    let isWhole: Bool
  }

  private var number = 1
  private var pending: [UInt8] = []
  private var isWhole = true

  mutating func append(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end])
      lines += finish()
      number += 1
      rest = rest[(end + 1)...]
    }
    keep(rest)
    return lines
  }

  mutating func finish() -> [Line] {
    defer {
      pending = []
      isWhole = true
    }
    // A byte order mark can only be in front of the first line.
    let bytes = number == 1 && pending.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(pending[3...]) : pending
    let isBlank = bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
    return isBlank ? [] : [Line(number: number, bytes: bytes, isWhole: isWhole)]
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    let room = CSVReader.longestRecord - pending.count
    if bytes.count > room { isWhole = false }
    pending += bytes.prefix(room)
  }
}
