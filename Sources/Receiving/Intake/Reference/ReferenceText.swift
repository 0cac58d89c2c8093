import CSVText
import Values

/// The text of a file of an advertiser in UTF-8, piece by piece; spreadsheets often export it as UTF-16.
struct ReferenceText {
  private let next: ReferenceFile.Source
  private var decoder = UTF16Decoder()
  /// What was looked at and not taken yet.
  private var held: [UInt8] = []
  /// What comes next, so that the last piece is known as such.
  private var ahead: [UInt8]?

  init(_ next: @escaping ReferenceFile.Source) throws(ReferenceFileError) {
    self.next = next
    var beginning: [UInt8] = []
    while beginning.count < 4, let more = try next() { beginning += more }
    if beginning.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw ReferenceFileError(
        code: "workbook", line: 1,
        sentence: Sentence(
          "found a spreadsheet's workbook or a ZIP file; export the sheet as CSV in UTF-8"))
    }
    ahead = beginning
    held = try piece() ?? []
  }

  /// The next bytes in UTF-8; `nil` at the end.
  private mutating func piece() throws(ReferenceFileError) -> [UInt8]? {
    guard let bytes = ahead else { return nil }
    ahead = try next()
    do throws(UTF16Decoder.Defect) {
      return try decoder.append(bytes) + (ahead == nil ? decoder.finish() : [])
    } catch {
      throw ReferenceFileError(
        code: "not-utf-16", line: error.line,
        sentence: Sentence("the file begins as UTF-16 and is not; export it as UTF-8"))
    }
  }

  /// The first bytes that are not taken yet, until `isEnough` or the end; they are still to come.
  mutating func beginning(
    until isEnough: ([UInt8]) -> Bool
  ) throws(ReferenceFileError) -> [UInt8] {
    while !isEnough(held), let more = try piece() { held += more }
    return held
  }

  /// The next bytes; `nil` at the end.
  mutating func bytes() throws(ReferenceFileError) -> [UInt8]? {
    if !held.isEmpty {
      defer { held = [] }
      return held
    }
    return try piece()
  }

  /// The next lines, without their line feeds; `nil` behind the last one.
  mutating func lines(_ cutter: inout LineCutter?) throws(ReferenceFileError) -> [[UInt8]]? {
    guard cutter != nil else { return nil }
    if let bytes = try bytes() { return cutter?.append(bytes) }
    let last = cutter?.finish()
    cutter = nil
    return last.map { [$0] }
  }
}
