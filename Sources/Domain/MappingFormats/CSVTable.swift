import CSVText
import JSONText
import Mappings

struct CSVTable {
  let header: [String]
  /// The rows as objects, each cell that is not empty a text under the name of its column; `nil` for rows that have
  /// more or fewer cells than the header.
  let rows: [JSONObject?]

  /// Reads a table; `nil` when it is no CSV, has no header or repeats a column.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= MappingDocument.largestFile, let records = try? Self.records(bytes),
      let header = records.first?.cells, !header.contains(""), Set(header).count == header.count,
      header.count <= 64
    else { return nil }
    self.header = header
    rows = records.dropFirst().map { record in
      guard record.cells.count == header.count else { return nil }
      return JSONObject(
        members: zip(header, record.cells).filter { !$1.isEmpty }.map {
          JSONMember(name: $0, nameRange: 0..<0, value: JSONNode(value: .string($1), range: 0..<0))
        })
    }
  }

  /// The records of a file as systems and spreadsheets write it: in UTF-8 or UTF-16, with commas, semicolons or tabs.
  static func records(_ bytes: [UInt8]) throws(CSVReader.Defect) -> [CSVReader.Record] {
    var decoder = UTF16Decoder()
    let text = (try? decoder.append(bytes) + decoder.finish()) ?? bytes
    var reader = CSVReader(separator: CSVReader.separator(of: text).letter)
    let records = try reader.append(text) + reader.finish()
    // A line for spreadsheets alone, such as `sep=;`.
    return records.first?.cells == ["sep=", ""] ? Array(records.dropFirst()) : records
  }
}
