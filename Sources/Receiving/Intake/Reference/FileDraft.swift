import CSVText
import JSONText
import Values

/// A file of an advertiser in memory, whose rows can be looked at, corrected and left out before it is stored.
///
/// A row has the line that mistakes name.
package struct FileDraft: Sendable {
  /// Its text in UTF-8; an array of JSON as one element a line, whose number is its line then.
  package let bytes: [UInt8]
  /// The names of the header, or the paths of the first object.
  package let names: [String]
  /// The lines of all rows.
  package var lines: [Int] { rows.map(\.line) }
  /// The first rows, each with its texts in the order of ``names``.
  package let first: [(line: Int, texts: [String])]

  /// Where a row is in the bytes.
  private struct Row: Sendable {
    let line: Int
    let place: Range<Int>
  }

  private let rows: [Row]
  /// Where the header of a table is, and the letter between its cells.
  private let header: (place: Range<Int>, separator: UInt8)?

  /// Whether amounts can have a decimal comma, because another letter separates cells.
  package var hasDecimalCommas: Bool { header.map { $0.separator != UInt8(ascii: ",") } ?? false }

  /// Rows of ``first`` at most.
  package static let mostFirst = 200
  /// Names that are shown at most.
  package static let mostNames = 100

  /// Looks at a file as it came.
  ///
  /// - Throws: ``ReferenceFileError`` where it is no table and no JSON as a whole.
  package init(_ file: [UInt8]) throws(ReferenceFileError) {
    var text = try ReferenceText(ReferenceFile.source(file))
    switch try ReferenceFile.shape(of: &text) {
    case .table: try self.init(table: Self.rest(of: &text))
    case .lines: self.init(objects: try Self.rest(of: &text))
    case .array:
      var lines: [UInt8] = []
      try ReferenceFile.elements(&text) { (element, _) throws(ReferenceFileError) in
        // A string has no line feed in it, so that one is but a blank.
        lines += element.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } + [0x0A]
      }
      guard lines.first == UInt8(ascii: "{") else { throw .noHeader }
      self.init(objects: lines)
    }
  }

  private init(table bytes: [UInt8]) throws(ReferenceFileError) {
    let separator = CSVReader.separator(of: bytes).letter
    var reader = CSVReader(separator: separator)
    var records: [CSVReader.Record]
    do throws(CSVReader.Defect) { records = try reader.append(bytes) + reader.finish() } catch {
      throw ReferenceFileError(error)
    }
    if let line = records.first, ReferenceFile.isForSpreadsheets(line) { records.removeFirst() }
    guard let head = records.first else { throw .noHeader }
    let starts = Self.starts(of: bytes)
    rows = zip(records, records.dropFirst().map { starts[$0.line - 1] } + [bytes.count])
      .dropFirst().map { record, end in
        Row(line: record.line, place: Self.trimmed(starts[record.line - 1]..<end, of: bytes))
      }
    let names = head.cells.prefix(Self.mostNames).map(ReferenceFile.name)
    first = records.dropFirst().prefix(Self.mostFirst).map { record in
      let texts = names.indices.map {
        record.cells.indices.contains($0) ? ReferenceFile.reading(record.cells[$0]) : ""
      }
      return (record.line, texts)
    }
    let end = records.count > 1 ? starts[records[1].line - 1] : bytes.count
    let place = Self.trimmed(starts[head.line - 1]..<end, of: bytes)
    header = head.cells.count == names.count ? (place, separator) : nil
    (self.bytes, self.names) = (bytes, names)
  }

  private init(objects bytes: [UInt8]) {
    let starts = Self.starts(of: bytes)
    rows = zip(starts, starts.dropFirst() + [bytes.count]).enumerated().compactMap { number, place in
      let place = Self.trimmed(place.0..<place.1, of: bytes)
      return bytes[place].allSatisfy { $0 == 0x20 || $0 == 0x09 } ? nil : Row(line: number + 1, place: place)
    }
    let objects = rows.prefix(Self.mostFirst).map { row in
      (line: row.line, node: try? JSONReader.read(Array(bytes[row.place])))
    }
    let paths = objects.lazy.compactMap { $0.node?.value.object?.paths }.first ?? []
    let names = Array(paths.prefix(Self.mostNames))
    first = objects.map { line, node in
      (
        line,
        names.map { name in
          switch node?.member(at: name[...])?.value {
          case .string(let text): text
          case .number(let number): number.text
          default: ""
          }
        }
      )
    }
    (self.bytes, self.names, header) = (bytes, names, nil)
  }

  /// A table with other names in its header, by the places of columns; `nil` for JSON, or too many columns.
  ///
  /// - Parameter names: Names without letters that separate or quote cells.
  package func renamed(_ names: (Int) -> String) -> [UInt8]? {
    guard let header else { return nil }
    let cells = self.names.indices.map { Array(names($0).utf8) }
    var result = Array(bytes[..<header.place.lowerBound])
    result += cells.joined(separator: [header.separator])
    result += bytes[header.place.upperBound...]
    return result
  }

  /// The text of the row of a line; `nil` where none begins there, or it is no text.
  package func text(ofLine line: Int) -> String? {
    row(ofLine: line).flatMap { String(validating: bytes[$0.place], as: UTF8.self) }
  }

  /// The bytes up to a number of rows.
  package func beginning(rows count: Int) -> [UInt8] {
    Array(bytes[..<(rows.prefix(count).last?.place.upperBound ?? bytes.count)])
  }

  /// The file with other texts in the place of rows, by their lines; a blank text leaves a row out.
  ///
  /// Other rows keep their lines.
  package func replacing(_ texts: [Int: String]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    for row in rows {
      guard let text = texts[row.line] else { continue }
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let kept = lines.allSatisfy { $0.allSatisfy(\.isWhitespace) } ? [] : lines
      result += bytes[place..<row.place.lowerBound]
      result += kept.joined(separator: "\n").utf8
      let missing = bytes[row.place].count { $0 == 0x0A } - max(0, kept.count - 1)
      result += [UInt8](repeating: 0x0A, count: max(0, missing))
      place = row.place.upperBound
    }
    return result + bytes[place...]
  }

  private func row(ofLine line: Int) -> Row? {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].line < line { low = middle + 1 } else { high = middle }
    }
    return rows.indices.contains(low) && rows[low].line == line ? rows[low] : nil
  }

  /// The bytes to the end, without a mark in front.
  private static func rest(of text: inout ReferenceText) throws(ReferenceFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = try text.bytes() { bytes += more }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Where each line begins.
  private static func starts(of bytes: [UInt8]) -> [Int] {
    [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
  }

  private static func trimmed(_ place: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
    var end = place.upperBound
    while end > place.lowerBound, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return place.lowerBound..<end
  }
}
