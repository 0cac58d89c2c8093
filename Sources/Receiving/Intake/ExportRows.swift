import CSVText
import JSONText
package import Values

/// Cuts a stream into the rows of a partner's export: a table, or JSON objects.
///
/// Cells are separated by commas, semicolons or tabs.
struct ExportRows {
  private let export: PartnerExport
  private let names: ExportColumns
  private let times: ArrivalTimes
  /// The first bytes, until they show the form; `nil` from then on.
  private var beginning: [UInt8]? = []
  private var reader = CSVReader()
  private var columns: [String?]?
  /// Cuts objects; `nil` in a table.
  private var objects: DocumentSplitter?
  /// Objects so far, and whether one had a postback.
  private var count = 0
  private var hasPostback = false

  init(_ export: PartnerExport, _ times: ArrivalTimes, _ names: ExportColumns = ExportColumns()) {
    self.export = export
    self.times = times
    self.names = names
  }

  /// Takes the next bytes of the stream, or its end.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes; `nil` at the end.
  ///   - rows: Gets the rows that these bytes complete, also those before a line that is no row.
  /// - Throws: ``PartnerFileError`` for the first line that is no row.
  mutating func append(_ bytes: [UInt8]?, to rows: inout [ExportRow]) throws(PartnerFileError) {
    guard let begun = beginning else { return try read(bytes, &rows) }
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    let all = begun + (bytes ?? [])
    let text = all.drop(while: blank.contains)
    guard bytes == nil || text.contains(UInt8(ascii: "\n")) || all.count > CSVReader.longestRecord else {
      beginning = all
      return
    }
    beginning = nil
    if DocumentSplitter.isJSON(text.prefix { $0 != UInt8(ascii: "\n") }) {
      objects = DocumentSplitter()
    } else {
      reader = CSVReader(separator: CSVReader.separator(of: all).letter)
    }
    try read(all, &rows)
    if bytes == nil { try read(nil, &rows) }
  }

  private mutating func read(_ bytes: [UInt8]?, _ rows: inout [ExportRow]) throws(PartnerFileError) {
    if var splitter = objects {
      let documents = bytes.map { splitter.append($0) } ?? splitter.finish()
      objects = splitter
      for document in documents { rows.append(try row(document)) }
      if bytes == nil { try requirePostback() }
      return
    }
    guard let bytes else {
      try take(reading { (reader) throws(CSVReader.Defect) in try reader.finish() }, &rows)
      if columns == nil { throw Self.empty }
      return
    }
    // Line by line, because a reader that throws gives none of the records of these bytes.
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.endIndex
      let line = Array(bytes[start..<end])
      try take(reading { (reader) throws(CSVReader.Defect) in try reader.append(line) }, &rows)
      start = end
    }
  }

  private static let empty = PartnerFileError(
    line: 1, problem: "the file is empty", remedy: "export the file again with its first line")

  private mutating func reading(
    _ read: (inout CSVReader) throws(CSVReader.Defect) -> [CSVReader.Record]
  ) throws(PartnerFileError) -> [CSVReader.Record] {
    do throws(CSVReader.Defect) {
      return try read(&reader)
    } catch {
      throw PartnerFileError(
        line: error.line, problem: error.reason.sentence.english, remedy: "export the file again")
    }
  }

  private mutating func take(
    _ records: [CSVReader.Record], _ rows: inout [ExportRow]
  ) throws(PartnerFileError) {
    for record in records {
      guard let columns else {
        // A line for spreadsheets alone, such as `sep=;`.
        if record.cells != ["sep=", ""] { columns = try header(record) }
        continue
      }
      guard record.cells.count == columns.count else {
        throw PartnerFileError(
          line: record.line,
          problem: "found \(counted(record.cells.count, "cell")), the first line has \(columns.count)",
          remedy: "export the file again; what came before this line is stored")
      }
      rows.append(
        try row(
          zip(columns, record.cells).compactMap { column, cell in column.map { ($0, cell) } },
          line: record.line))
    }
  }

  private func header(_ record: CSVReader.Record) throws(PartnerFileError) -> [String?] {
    // Adjust writes the placeholders as the columns' names, with their braces.
    let found = record.cells.map { cell in
      cell.hasPrefix("{") && cell.hasSuffix("}") ? String(cell.dropFirst().dropLast()) : cell
    }
    if let name = names.wanted.first(where: { !found.contains($0) }) {
      throw PartnerFileError(
        line: record.line, problem: "found no column \(printable(name))",
        remedy: "name a column of the file with --columns")
    }
    let columns = found.map(names.column)
    guard export.requiredColumns.contains(where: columns.contains) else {
      throw PartnerFileError(
        line: record.line, problem: "found no column \(export.requiredColumns.joined(separator: " or "))",
        remedy: missingColumn)
    }
    if let timeColumn, !columns.contains(timeColumn) {
      throw PartnerFileError(
        line: record.line, problem: "found no column \(printable(timeColumn))",
        remedy: "name a column of the file with --received-at-member")
    }
    let named = columns.compactMap(\.self)
    if let twice = Dictionary(grouping: named, by: \.self).filter({ $0.value.count > 1 }).keys.min() {
      throw PartnerFileError(
        line: record.line, problem: "found the column \(printable(twice)) twice",
        remedy: "leave one of the two out of the export")
    }
    return columns
  }

  /// What the column that the command line names for times is called here.
  private var timeColumn: String? { times.name.map { names.column($0) ?? $0 } }

  private var missingColumn: String {
    "add it to the export, name the file's own column with --columns \(export.requiredColumns[0])=NAME, or choose "
      + "another --from"
  }

  private mutating func row(_ document: [UInt8]) throws(PartnerFileError) -> ExportRow {
    count += 1
    let node: JSONNode
    do throws(JSONDefect) { node = try JSONReader.read(document) } catch {
      throw PartnerFileError(
        line: count, unit: "row",
        problem: "the row is not JSON: \(error.diagnosis(in: document, isLine: true).text)",
        remedy: "export the file again; what came before this row is stored")
    }
    guard let object = node.value.object else {
      throw PartnerFileError(
        line: count, unit: "row", problem: "the row is \(node.value.sort.rawValue), not a JSON object",
        remedy: "export the rows as objects, one a line")
    }
    let cells = object.members.compactMap { member -> (String, String)? in
      guard let column = names.column(member.name), member.value.value != .null else { return nil }
      return (column, member.value.value.string ?? JSONOutput(member.value.value).text())
    }
    if let twice = Dictionary(grouping: cells, by: \.0).filter({ $0.value.count > 1 }).keys.min() {
      throw PartnerFileError(
        line: count, unit: "row", problem: "found the member \(printable(twice)) twice",
        remedy: "leave one of the two out of the export")
    }
    let row = try row(cells, line: count)
    hasPostback = hasPostback || export.requiredColumns.contains { row.cells[$0] != nil }
    return row
  }

  private func requirePostback() throws(PartnerFileError) {
    guard count > 0 else { throw Self.empty }
    guard !hasPostback else { return }
    throw PartnerFileError(
      line: 1, unit: "row",
      problem: "no row has a member \(export.requiredColumns.joined(separator: " or "))",
      remedy: missingColumn)
  }

  private func row(_ all: [(String, String)], line: Int) throws(PartnerFileError) -> ExportRow {
    // Databases and scripts have words for a missing value, and no member of a postback is one of them.
    let cells = all.filter { !NullText.isOne($0.1) }
    let hasNullText = all.count(where: { !$0.1.isEmpty }) > cells.count
    let byColumn = Dictionary(uniqueKeysWithValues: cells)
    // A row about something else needs no time.
    let hasPostback = export.requiredColumns.contains { byColumn[$0] != nil }
    let time = hasPostback ? try time(of: byColumn, line: line) : nil
    return ExportRow(
      line: line, cells: byColumn, hasNullText: hasNullText, time: time,
      document: JSONOutput.object(cells.map { .init($0.0, .string($0.1)) }).bytes())
  }

  /// The moment of arrival; one that is invented would be wrong for ever, as the corrected file repeats the postback.
  private func time(of cells: [String: String], line: Int) throws(PartnerFileError) -> Instant? {
    let columns = timeColumn.map { [$0] } ?? export.timeColumns
    guard let column = columns.first(where: { cells[$0] != nil }), let text = cells[column] else {
      if times.hasFallback { return nil }
      throw PartnerFileError(
        line: line, problem: "found no time of arrival in \(columns.joined(separator: ", "))",
        remedy: "name another column with --received-at-member, or give one time for all with --received-at")
    }
    return try times.time(text, in: column, line: line)
  }
}

extension PartnerExport {
  /// Reads an export to its end, and stores nothing.
  ///
  /// - Parameter next: Gives the next bytes, `nil` at the end.
  /// - Throws: ``PartnerFileError`` for the first line that is no row, or has no time, or what `next` throws.
  package func check(_ times: ArrivalTimes, next: () throws -> [UInt8]?) throws {
    var reader = ExportRows(self, times)
    var isAtEnd = false
    while !isAtEnd {
      let bytes = try next()
      isAtEnd = bytes == nil
      var rows: [ExportRow] = []
      try reader.append(bytes, to: &rows)
    }
  }
}

package struct PartnerFileError: Error, Equatable, Sendable, UserFacingError, CustomStringConvertible {
  /// The line, or the postback, from 1.
  package let line: Int
  var unit = "line"
  package let problem: String
  package let remedy: String?

  package var description: String { "\(unit) \(line): \(problem)" }
  init(line: Int, unit: String = "line", problem: String, remedy: String?) {
    self.line = line
    self.unit = unit
    self.problem = problem
    self.remedy = remedy
  }

  /// Rejects a table where postbacks are expected: each of its lines would be stored as a rejected postback.
  ///
  /// - Parameter beginning: The first bytes of a stream that are not white space.
  /// - Throws: The error for a table.
  static func requireNoTable(_ beginning: ArraySlice<UInt8>) throws(PartnerFileError) {
    let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    guard line.contains(where: separators.contains), !DocumentSplitter.isJSON(line) else { return }
    throw PartnerFileError(
      line: 1, problem: "found a table of separated values; a file of postbacks is JSON",
      remedy: "name the partner whose export it is with --from")
  }

  /// A file of something else.
  static let noPostback = Self(
    line: 1, problem: "found no JSON object in the file; each postback is one",
    remedy: "give a file of postbacks, one a line or in an array; nothing of this one was stored")

  /// What it means to the program that started this one.
  package var exitCode: ExitCode { .data }
}
