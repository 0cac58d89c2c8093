import CSVText
import Values

/// Cuts a stream of bytes into the rows of an events file, CSV or NDJSON, without copying them.
///
/// Memory is bounded by the longest record and the chunks that come.
struct EventScanner: Sendable {
  /// What ``nextRow()`` found.
  enum Step {
    /// A row: its cells are in ``cells``, its line is ``rowLine``.
    case row
    /// A row that is wrong; the next step goes on behind it, or behind its first line where its end is unknown.
    case mistake(EventFileError)
    /// More bytes are needed.
    case hungry
    /// Nothing is left.
    case end
  }

  private enum Form: Sendable {
    case undecided
    case header
    case table(CSVRowScanner)
    case lines(JSONRowScanner)
  }

  /// The bytes that the places of ``cells`` point into, unless the cells are rewritten.
  private(set) var buffer: [UInt8] = []
  private(set) var cells = RowCells()
  /// The line on which that row begins, from 1.
  private(set) var rowLine = 1
  private(set) var passedOver: [String] = []

  private let columns: EventColumns
  private var form = Form.undecided
  private var at = 0
  /// The line that is looked at next, from 1.
  private(set) var line = 1
  /// Whether no bytes follow.
  private(set) var isLast = false
  /// Whether the rest of a line without end is passed over.
  private var isInLongLine = false

  init(columns: EventColumns) { self.columns = columns }

  /// Bytes that wait for more.
  var pendingCount: Int { buffer.count - at }

  /// Whether what was read so far ends with a row.
  var isBetweenRows: Bool { pendingCount == 0 && !isInLongLine }

  /// Whether the rows are those of a table, and not lines of JSON.
  var isTable: Bool { if case .table = form { true } else { false } }

  /// Whether amounts can have a decimal comma.
  var hasDecimalCommas: Bool {
    if case .table(let scanner) = form { scanner.hasDecimalCommas } else { false }
  }

  /// Bytes that wait for more.
  var pending: [UInt8] { Array(buffer[at...]) }

  /// The same scanner without its bytes, on the first line of what follows.
  ///
  /// It has tables of its own, because threads that count references to the same ones wait for each other at every row.
  func restarted() -> EventScanner {
    var other = restartedLines()
    other.buffer = []
    other.at = 0
    switch form {
    case .undecided, .header: break
    case .table(let scanner): other.form = .table(scanner.copy())
    case .lines(let scanner): other.form = .lines(scanner.copy())
    }
    return other
  }

  /// The same scanner, which counts lines from here.
  consuming func restartedLines() -> EventScanner {
    line = 1
    return self
  }

  /// Takes the next bytes of the stream; the cells of the last row are gone.
  mutating func append(_ bytes: [UInt8]) {
    guard at < buffer.count else {
      buffer = bytes
      at = 0
      return
    }
    buffer.removeSubrange(..<at)
    at = 0
    buffer += bytes
  }

  /// Takes as much as is waiting already, so that a long record is not looked at again for every few bytes.
  ///
  /// - Parameter next: Gives the next bytes of the file, and `nil` at the end.
  /// - Throws: What `next` throws.
  mutating func feed(_ next: () throws -> [UInt8]?) throws {
    let goal = pendingCount * 2
    repeat {
      guard let bytes = try next() else { return end() }
      append(bytes)
    } while pendingCount < goal
  }

  /// Reports that no bytes follow.
  mutating func end() { isLast = true }

  /// Reads what comes before the rows.
  ///
  /// - Returns: Whether it is read; `false` where it is not there in whole.
  /// - Throws: ``EventFileError`` for a wrong header, or an array.
  mutating func begin() throws(EventFileError) -> Bool {
    while true {
      switch form {
      case .undecided: guard try decide() else { return false }
      case .header: guard try readHeader() else { return false }
      case .table, .lines: return true
      }
    }
  }

  /// Looks for the next row, once ``begin()`` has read what comes before.
  mutating func nextRow() -> Step {
    while true {
      if isInLongLine { passRestOfLine() }
      guard at < buffer.count else { return isLast ? .end : .hungry }
      let finding: RowFinding
      switch form {
      case .undecided, .header: preconditionFailure("The header is read first.")
      case .table(let scanner): finding = scanner.scan(buffer, from: at, isLast: isLast, into: &cells)
      case .lines(let scanner): finding = scanner.scan(buffer, from: at, isLast: isLast, into: &cells)
      }
      if let step = take(finding) { return step }
    }
  }

  private mutating func take(_ finding: RowFinding) -> Step? {
    switch finding {
    case .row(let end, let lines):
      rowLine = line
      at = end
      line += lines
      return .row
    case .blank(let end):
      at = end
      line += 1
      return nil
    case .incomplete: return .hungry
    case .defect(let code, let sentence, let below):
      let error = EventFileError(code: code, line: line + below, sentence: sentence)
      isInLongLine = true
      return .mistake(error)
    case .rejected(let error, let end, let lines):
      let error = error.on(line: line)
      at = end
      line += lines
      return .mistake(error)
    }
  }

  /// Goes on behind the next line break; the rows below a stray quotation mark may well be sound.
  private mutating func passRestOfLine() {
    guard let end = buffer[at...].firstIndex(of: UInt8(ascii: "\n")) else {
      at = buffer.count
      return
    }
    at = end + 1
    line += 1
    isInLongLine = false
  }

  // MARK: The beginning

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Determines the form by the first byte that means something; false while there is none.
  private mutating func decide() throws(EventFileError) -> Bool {
    guard
      let first = buffer.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) && !Self.mark.contains($0) })
    else {
      guard buffer.count <= CSVReader.longestRecord else {
        throw EventFileError(
          code: "record-too-long", line: 1,
          sentence: Sentence("the file begins with more than \(CSVReader.longestRecord) blanks"),
          isOfFile: true)
      }
      return false
    }
    guard first != UInt8(ascii: "[") else {
      throw EventFileError(
        code: "array", line: 1,
        sentence: Sentence("a JSON array is not read; write one object a line (NDJSON)"),
        cure: Sentence("jq -c '.[]' FILE writes an array that way"), isOfFile: true)
    }
    guard first == UInt8(ascii: "{") else {
      form = .header
      return true
    }
    if buffer.starts(with: Self.mark) { at = 3 }
    form = .lines(JSONRowScanner(columns))
    return true
  }

  /// Reads the header, whose names are needed as texts; false where it is not there in whole.
  private mutating func readHeader() throws(EventFileError) -> Bool {
    // Which letter separates cells is known by the whole line.
    let (separator, isWhole) = CSVReader.separator(of: buffer)
    guard isWhole || isLast || buffer.count > CSVReader.longestRecord else { return false }
    var reader = CSVReader(separator: separator)
    var end = 0
    while end < buffer.count {
      let start = end
      end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? buffer.count
      var records: [CSVReader.Record]
      do throws(CSVReader.Defect) {
        records = try reader.append(Array(buffer[start..<end]))
        if records.isEmpty, end == buffer.count, isLast { records = try reader.finish() }
      } catch {
        throw EventFileError(
          code: error.reason.rawValue, line: error.line, sentence: error.reason.sentence,
          isOfFile: true)
      }
      // A line for spreadsheets alone.
      guard let record = records.first, record.line > 1 || record.cells != ["sep=", ""] else { continue }
      form = .table(try slots(of: record, separator))
      line = 1 + buffer[..<end].count { $0 == UInt8(ascii: "\n") }
      at = end
      return true
    }
    return false
  }

  private mutating func slots(
    of header: CSVReader.Record, _ separator: UInt8
  ) throws(EventFileError) -> CSVRowScanner {
    var slots = [Int8](repeating: -1, count: header.cells.count)
    for column in EventColumn.allCases {
      let name = columns.name(of: column)
      let places = header.cells.indices.filter { header.cells[$0].utf8.elementsEqual(name.utf8) }
      guard places.count <= 1 else {
        throw EventFileError(
          code: "repeated-column", line: header.line,
          sentence: Sentence("the header has '\(name: name)' twice"),
          cure: Sentence("--columns \(code: column.rawValue)=NAME, with the name of the right one"),
          isOfFile: true)
      }
      if let place = places.first {
        slots[place] = Int8(column.slot)
      } else if EventColumn.required.contains(column) || columns.renamed[column] != nil {
        throw EventFileError(
          code: "missing-column", line: header.line,
          sentence: Sentence("the header has no column '\(name: name)'; it has \(Self.list(header.cells))"),
          cure: columns.cure(forNames: header.cells), isOfFile: true)
      }
    }
    passedOver = header.cells.indices.filter { slots[$0] < 0 }.map { header.cells[$0] }
    return CSVRowScanner(slots: slots, separator: separator)
  }

  /// The first names of a header; one of thousands of columns would not help.
  private static func list(_ names: [String]) -> Sentence {
    let first = Sentence.joined(names.prefix(30).map { Sentence("'\(name: $0)'") }, by: ", ")
    return names.count > 30 ? Sentence("\(first) and more") : first
  }
}
