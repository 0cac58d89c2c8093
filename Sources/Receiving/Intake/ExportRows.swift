import CSVText
import JSONText
package import Values

/// Cuts a stream of comma-separated values into the rows of a partner's export.
struct ExportRows {
  private let export: PartnerExport
  private let times: ArrivalTimes
  private var reader = CSVReader()
  private var columns: [String]?

  init(_ export: PartnerExport, _ times: ArrivalTimes) {
    self.export = export
    self.times = times
  }

  /// Takes the next bytes of the stream, or its end.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes; `nil` at the end.
  ///   - rows: Gets the rows that these bytes complete, also those before a line that is no row.
  /// - Throws: ``PartnerFileError`` for the first line that is no row.
  mutating func append(_ bytes: [UInt8]?, to rows: inout [ExportRow]) throws(PartnerFileError) {
    guard let bytes else {
      try take(reading { (reader) throws(CSVReader.Defect) in try reader.finish() }, &rows)
      guard columns != nil else {
        throw PartnerFileError(
          line: 1, problem: "the file is empty", remedy: "export the file again with its first line")
      }
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

  private mutating func reading(
    _ read: (inout CSVReader) throws(CSVReader.Defect) -> [CSVReader.Record]
  ) throws(PartnerFileError) -> [CSVReader.Record] {
    do throws(CSVReader.Defect) {
      return try read(&reader)
    } catch {
      throw PartnerFileError(
        line: error.line, problem: error.reason.sentence, remedy: "export the file again")
    }
  }

  private mutating func take(
    _ records: [CSVReader.Record], _ rows: inout [ExportRow]
  ) throws(PartnerFileError) {
    for record in records {
      guard let columns else {
        columns = try header(record)
        continue
      }
      guard record.cells.count == columns.count else {
        throw PartnerFileError(
          line: record.line,
          problem: "found \(counted(record.cells.count, "cell")), the first line has \(columns.count)",
          remedy: "export the file again; what came before this line is stored")
      }
      rows.append(try row(record, columns))
    }
  }

  private func header(_ record: CSVReader.Record) throws(PartnerFileError) -> [String] {
    // Adjust writes the placeholders as the columns' names, with their braces.
    let columns = record.cells.map { cell in
      cell.hasPrefix("{") && cell.hasSuffix("}") ? String(cell.dropFirst().dropLast()) : cell
    }
    guard export.requiredColumns.contains(where: columns.contains) else {
      throw PartnerFileError(
        line: record.line,
        problem: "found no column \(export.requiredColumns.joined(separator: " or "))",
        remedy: "add it to the export, or choose another --from")
    }
    if let timeColumn = times.name, !columns.contains(timeColumn) {
      throw PartnerFileError(
        line: record.line, problem: "found no column \(printable(timeColumn))",
        remedy: "name a column of the file with --received-at-member")
    }
    if let twice = Dictionary(grouping: columns, by: \.self).filter({ $0.value.count > 1 }).keys.min() {
      throw PartnerFileError(
        line: record.line, problem: "found the column \(printable(twice)) twice",
        remedy: "leave one of the two out of the export")
    }
    return columns
  }

  private func row(
    _ record: CSVReader.Record, _ columns: [String]
  ) throws(PartnerFileError) -> ExportRow {
    // Databases and scripts have words for a missing value, and no member of a postback is one of them.
    let cells = zip(columns, record.cells).filter { !NullText.isOne($0.1) }
    let hasNullText = record.cells.count(where: { !$0.isEmpty }) > cells.count
    let byColumn = Dictionary(uniqueKeysWithValues: cells.map { ($0.0, $0.1) })
    // A row about something else needs no time.
    let hasPostback = export.requiredColumns.contains { byColumn[$0] != nil }
    let time = hasPostback ? try time(of: byColumn, line: record.line) : nil
    return ExportRow(
      line: record.line, cells: byColumn, hasNullText: hasNullText, time: time,
      document: JSONOutput.object(cells.map { .init($0.0, .string($0.1)) }).bytes())
  }

  /// The moment of arrival; one that is invented would be wrong for ever, as the corrected file repeats the postback.
  private func time(of cells: [String: String], line: Int) throws(PartnerFileError) -> Instant? {
    let columns = times.name.map { [$0] } ?? export.timeColumns
    guard let column = columns.first(where: { cells[$0] != nil }), let text = cells[column] else {
      if times.hasFallback { return nil }
      throw PartnerFileError(
        line: line, problem: "found no time of arrival in \(columns.joined(separator: ", "))",
        remedy: "name another column with --received-at-member, or give one time for all with --received-at")
    }
    return try times.time(text, in: column, line: line)
  }
}

package struct PartnerFileError: Error, Hashable, Sendable, UserFacingError, CustomStringConvertible {
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
    // Adjust's columns have braces, as {sk_payload}; an object has a quotation mark behind its brace, or nothing yet.
    let rest = line.dropFirst().drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    let isJSON =
      switch line.first {
      case UInt8(ascii: "{"):
        rest.isEmpty || rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "}")
      case UInt8(ascii: "["): true
      default: false
      }
    guard line.contains(where: separators.contains), !isJSON else { return }
    throw PartnerFileError(
      line: 1, problem: "found a table of separated values; a file of postbacks is JSON",
      remedy: "name the partner whose export it is with --from")
  }

  /// What it means to the program that started this one.
  package var exitCode: ExitCode { .data }
}
