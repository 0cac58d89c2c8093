import CSVText
import JSONText
import Values

extension ReferenceFile {
  /// Adds the rows of a file to a collection.
  ///
  /// - Returns: The last state of a stream.
  static func rows(
    _ bytes: [UInt8], into rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> [UInt8]? {
    let bytes = try utf8(bytes)
    if case .stream(let form, let names, let endsWithoutState) = rows.form.records {
      var stream = RecordStream(form, names: names, endsWithoutState: endsWithoutState)
      return try stream.read(bytes, into: &rows, &mistakes)
    }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    switch first {
    case UInt8(ascii: "["): try array(bytes, &rows, &mistakes)
    case UInt8(ascii: "{"): try lines(bytes, &rows, &mistakes)
    default: try table(bytes, &rows, &mistakes)
    }
    return nil
  }

  private static func table(
    _ bytes: [UInt8], _ rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) {
    let separator = CSVReader.separator(of: bytes)
    var records: [CSVReader.Record]
    do throws(CSVReader.Defect) {
      var reader = CSVReader(separator: separator)
      records = try reader.append(bytes) + reader.finish()
    } catch {
      throw ReferenceFileError(
        code: error.reason.rawValue, line: error.line,
        sentence: error.reason.sentence
          + (error.reason == .notUTF8 ? "; export the file as CSV in UTF-8" : ""))
    }
    // A line for spreadsheets alone, such as `sep=;`.
    if let first = records.first, first.cells == ["sep=", ""] { records.removeFirst() }
    guard let header = records.first else {
      throw ReferenceFileError(code: "no-header", line: 1, sentence: "the file is empty; it needs a header")
    }
    rows.noun = "row"
    rows.firstLine = header.line
    rows.names = header.cells.map(\.trimmed)
    let places = try places(in: header, of: rows)
    for record in records.dropFirst() {
      guard record.cells.count == header.cells.count else {
        try mistakes.take(
          ReferenceFileError(
            code: "wrong-number-of-cells", line: record.line,
            sentence: "the row has \(record.cells.count) cells, the header \(header.cells.count)"
              + (isSplit(record, header, by: separator)
                ? "; a comma in an amount separates cells: write a decimal point" : "")))
        continue
      }
      do throws(ReferenceFileError) {
        try rows.add(line: record.line, hasDecimalCommas: separator != UInt8(ascii: ",")) { name in
          guard let place = places[name] else { return .nothing }
          let text = CSV.reading(record.cells[place].trimmed)
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
          code: "repeated-column", line: header.line, sentence: "the header has '\(name)' twice")
      }
      places[name] = like.first
    }
    for (column, name) in rows.namedColumns where rows.required.contains(column) && places[name] == nil {
      throw ReferenceFileError(
        code: "missing-column", line: header.line,
        sentence: name == column
          ? "the header has no column '\(name)'; it needs \(rows.required.joined(separator: ", "))"
          : "the header has no column '\(printable(name))', which has the \(column)",
        cure: rows.cure(for: column))
    }
    return places
  }

  /// A name without what spreadsheets and people change in it.
  private static func plain(_ name: String) -> String {
    name.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" }).joined(separator: "-")
  }

  private static func lines(
    _ bytes: [UInt8], _ rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) {
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
      let node: JSONNode
      do throws(JSONDefect) { node = try JSONReader.read(Array(line)) } catch {
        try mistakes.take(
          ReferenceFileError(
            code: error.code, line: index + 1,
            sentence: "the line is not JSON: \(error.diagnosis(in: Array(line), isLine: true).text)"))
        continue
      }
      do throws(ReferenceFileError) { try rows.add(node, line: index + 1) } catch { try mistakes.take(error) }
    }
  }

  private static func array(
    _ bytes: [UInt8], _ rows: inout RowCollection, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) {
    let root: JSONNode
    do throws(JSONDefect) { root = try JSONReader.read(bytes) } catch {
      throw ReferenceFileError(
        code: error.code, line: error.position(in: bytes).line,
        sentence: "the file is not JSON: \(error.diagnosis(in: bytes).text)")
    }
    guard case .array(let elements) = root.value else { return }
    for (index, element) in elements.enumerated() {
      do throws(ReferenceFileError) { try rows.add(element, line: index + 1) } catch {
        try mistakes.take(error)
      }
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

  /// The text in UTF-8, which spreadsheets often export as UTF-16.
  private static func utf8(_ bytes: [UInt8]) throws(ReferenceFileError) -> [UInt8] {
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw ReferenceFileError(
        code: "workbook", line: 1,
        sentence: "found a spreadsheet's workbook or a ZIP file; export the sheet as CSV in UTF-8")
    }
    var decoder = UTF16Decoder()
    do throws(UTF16Decoder.Defect) { return try decoder.append(bytes) + decoder.finish() } catch {
      throw ReferenceFileError(
        code: "not-utf-16", line: error.line,
        sentence: "the file begins as UTF-16 and is not; export it as UTF-8")
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
