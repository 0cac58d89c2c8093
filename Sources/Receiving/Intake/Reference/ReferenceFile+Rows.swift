import CSVText
package import JSONText
package import Values

extension ReferenceFile {
  /// Adds the rows of a file to a collection.
  ///
  /// - Returns: The last state of a stream.
  static func rows(
    _ source: @escaping Source, into rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> [UInt8]? {
    var text = try ReferenceText(source)
    if case .stream(let form, let names, let endsWithoutState) = rows.form.records {
      var stream = RecordStream(form, names: names, endsWithoutState: endsWithoutState)
      return try stream.read(&text, into: &rows, &mistakes)
    }
    switch try shape(of: &text) {
    case .array: try array(&text, &rows, &mistakes)
    case .lines: try lines(&text, &rows, &mistakes)
    case .table: try table(&text, &rows, &mistakes)
    }
    return nil
  }

  /// How a file has its rows.
  enum Shape {
    case table
    /// JSON objects, one a line.
    case lines
    /// JSON objects in an array.
    case array
  }

  /// Recognises how a file has its rows by its first letter.
  static func shape(of text: inout ReferenceText) throws(ReferenceFileError) -> Shape {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let beginning = try text.beginning { bytes in bytes.contains { !blank.contains($0) } }
    return switch beginning.first(where: { !blank.contains($0) }) {
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "{"): .lines
    default: .table
    }
  }

  private static func table(
    _ text: inout ReferenceText, _ rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) {
    let head = try text.beginning {
      CSVReader.separator(of: $0).isWhole || $0.count > CSVReader.longestRecord
    }
    var table = TableHeader(separator: CSVReader.separator(of: head).letter)
    var reader = CSVReader(separator: table.separator)
    var isAtEnd = false
    while !isAtEnd {
      let bytes = try text.bytes()
      isAtEnd = bytes == nil
      let records: [CSVReader.Record]
      do throws(CSVReader.Defect) {
        if let bytes { records = try reader.append(bytes) } else { records = try reader.finish() }
      } catch {
        throw ReferenceFileError(error)
      }
      for record in records { try table.add(record, to: &rows, &mistakes) }
    }
    guard table.isKnown else { throw .noHeader }
  }

  /// Whether a line is for spreadsheets alone, such as `sep=;`.
  static func isForSpreadsheets(_ record: CSVReader.Record) -> Bool {
    record.line == 1 && record.cells == ["sep=", ""]
  }

  /// The header of a table, once its record came, and the letter that separates cells.
  private struct TableHeader {
    let separator: UInt8
    private var header: CSVReader.Record?
    private var places: [String: Int] = [:]

    init(separator: UInt8) { self.separator = separator }

    var isKnown: Bool { header != nil }

    mutating func add(
      _ record: CSVReader.Record, to rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
    ) throws(ReferenceFileError) {
      guard let header else {
        if ReferenceFile.isForSpreadsheets(record) { return }
        rows.noun = .row
        rows.firstLine = record.line
        rows.names = record.cells.map(\.trimmed)
        places = try ReferenceFile.places(in: record, of: rows)
        header = record
        return
      }
      guard record.cells.count == header.cells.count else {
        return try mistakes.take(
          ReferenceFileError(
            code: "wrong-number-of-cells", line: record.line,
            sentence: .joined(
              [Sentence("the row has \(record.cells.count) cells, the header \(header.cells.count)")]
                + (ReferenceFile.isSplit(record, header, by: separator)
                  ? [Sentence("a comma in an amount separates cells: write a decimal point")] : []),
              by: "; ")))
      }
      do throws(ReferenceFileError) {
        try rows.add(line: record.line, hasDecimalCommas: separator != UInt8(ascii: ",")) { name in
          guard let place = places[name] else { return .nothing }
          let text = ReferenceFile.reading(record.cells[place])
          return text.isEmpty ? .empty : .text(text)
        }
      } catch {
        try mistakes.take(error)
      }
    }
  }

  /// The cells in which the names that are looked up are, by name.
  private static func places(
    in header: CSVReader.Record, of rows: RowCollection
  ) throws(ReferenceFileError) -> [String: Int] {
    var places: [String: Int] = [:]
    for name in rows.lookedUp {
      let exact = rows.names.indices.filter { rows.names[$0] == name }
      let like = exact.isEmpty ? rows.names.indices.filter { plain(rows.names[$0]) == plain(name) } : exact
      guard like.count <= 1 else {
        throw ReferenceFileError(
          code: "repeated-column", line: header.line,
          sentence: Sentence("the header has '\(name: name)' twice"))
      }
      places[name] = like.first
    }
    for (column, name) in rows.namedColumns where rows.required.contains(column) && places[name] == nil {
      throw ReferenceFileError(
        code: "missing-column", line: header.line,
        sentence: name == column
          ? Sentence(
            "the header has no column '\(name: name)'; it needs \(code: rows.required.joined(separator: ", "))"
          )
          : Sentence("the header has no column '\(name: name)', which has the \(code: column)"),
        cure: rows.cure(for: column))
    }
    return places
  }

  /// What a cell of a table contains.
  static func reading(_ cell: String) -> String { CSV.reading(cell.trimmed) }

  /// What a column of a table is called.
  static func name(_ cell: String) -> String { cell.trimmed }

  /// A name without what spreadsheets and people change in it.
  private static func plain(_ name: String) -> String {
    name.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" }).joined(separator: "-")
  }

  private static func lines(
    _ text: inout ReferenceText, _ rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) {
    var cutter: LineCutter? = LineCutter()
    var number = 0
    while let lines = try text.lines(&cutter) {
      for line in lines {
        number += 1
        guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { continue }
        let node: JSONNode
        do throws(JSONDefect) { node = try JSONReader.read(line) } catch {
          try mistakes.take(
            ReferenceFileError(
              code: error.code, line: number,
              sentence: Sentence(
                "the line is not JSON: \(diagnosis: error.diagnosis(in: line, isLine: true).text)")))
          continue
        }
        do throws(ReferenceFileError) { try rows.add(node, line: number) } catch { try mistakes.take(error) }
      }
    }
  }

  private static func array(
    _ text: inout ReferenceText, _ rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) {
    try elements(&text) { (element, number) throws(ReferenceFileError) in
      do throws(ReferenceFileError) { try rows.add(try node(element, number), line: number) } catch {
        try mistakes.take(error)
      }
    }
  }

  /// Gives each element of an array with its number.
  static func elements(
    _ text: inout ReferenceText, _ take: ([UInt8], _ number: Int) throws(ReferenceFileError) -> Void
  ) throws(ReferenceFileError) {
    var cutter = JSONArrayCutter(path: "")
    var number = 0
    while let bytes = try text.bytes() {
      var elements: [[UInt8]] = []
      do throws(JSONArrayCutter.Defect) { try cutter.append(bytes, to: &elements) } catch {
        throw ReferenceFileError(code: "not-an-array", line: max(1, cutter.count), sentence: error.sentence)
      }
      for element in elements {
        number += 1
        try take(element, number)
      }
    }
    let rest = cutter.finish()
    do throws(JSONDefect) { _ = try JSONReader.read(rest) } catch {
      throw ReferenceFileError(
        code: error.code, line: max(1, number),
        sentence: Sentence(
          "the file is not one array of JSON: \(error.reason.sentence)"))
    }
  }

  private static func node(_ element: [UInt8], _ number: Int) throws(ReferenceFileError) -> JSONNode {
    do throws(JSONDefect) { return try JSONReader.read(element) } catch {
      throw ReferenceFileError(
        code: error.code, line: number,
        sentence: Sentence(
          "the element is not JSON: \(diagnosis: error.diagnosis(in: element, isLine: true).text)"))
    }
  }

  /// Whether a row seems to have more cells than the header because amounts have decimal commas.
  private static func isSplit(_ record: CSVReader.Record, _ header: CSVReader.Record, by separator: UInt8)
    -> Bool
  {
    guard separator == UInt8(ascii: ","), record.cells.count > header.cells.count else { return false }
    return zip(record.cells, record.cells.dropFirst()).contains { whole, decimals in
      !whole.isEmpty && (1...2).contains(decimals.count)
        && (whole + decimals).allSatisfy { $0.isASCII && $0.isNumber }
    }
  }
}

extension ReferenceFileError {
  static let noHeader = Self(
    code: "no-header", line: 1, sentence: Sentence("the file is empty; it needs a header"))

  init(_ defect: CSVReader.Defect) {
    let cure = defect.reason == .notUTF8 ? [Sentence("export the file as CSV in UTF-8")] : []
    self.init(
      code: defect.reason.rawValue, line: defect.line,
      sentence: .joined([defect.reason.sentence] + cure, by: "; "))
  }
}

extension JSONArrayCutter.Defect {
  /// What is wrong with an array, in a sentence without a full stop.
  package var sentence: Sentence {
    switch self {
    case .longElement(let number):
      Sentence("the row \(number) is longer than \(JSONArrayCutter.longestElement) bytes")
    case .longRest:
      Sentence("what is around the rows is longer than \(JSONArrayCutter.longestRest) bytes")
    case .noElement(let number): Sentence("the row \(number) is missing beside a comma")
    }
  }
}

extension String {
  /// The text without spaces around it.
  fileprivate var trimmed: String {
    guard first == " " || last == " " else { return self }
    return String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
