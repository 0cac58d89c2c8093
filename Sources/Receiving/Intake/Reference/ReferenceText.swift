/// The text of a file of an advertiser in UTF-8, piece by piece; spreadsheets often export it as UTF-16.
struct ReferenceText {
  private enum Form {
    case utf8
    case utf16(isBigEndian: Bool)
  }

  private let next: ReferenceFile.Source
  private var form = Form.utf8
  /// What was looked at and not taken yet.
  private var held: [UInt8] = []
  /// What comes next, so that the last piece is known as such.
  private var ahead: [UInt8]?
  /// The odd byte and the half of a pair that a piece of UTF-16 ended with.
  private var oddByte: UInt8?
  private var highHalf: UInt16?
  private var lines = 1

  init(_ next: @escaping ReferenceFile.Source) throws(ReferenceFileError) {
    self.next = next
    var beginning: [UInt8] = []
    while beginning.count < 4, let more = try next() { beginning += more }
    if beginning.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw ReferenceFileError(
        code: "workbook", line: 1,
        sentence: "found a spreadsheet's workbook or a ZIP file; export the sheet as CSV in UTF-8")
    }
    switch (beginning.first, beginning.dropFirst().first) {
    case (0xFF, 0xFE): form = .utf16(isBigEndian: false)
    case (0xFE, 0xFF): form = .utf16(isBigEndian: true)
    case (0, let letter?) where letter != 0: form = .utf16(isBigEndian: true)
    case (let letter?, 0) where letter != 0: form = .utf16(isBigEndian: false)
    default: break
    }
    ahead = beginning
    held = try piece() ?? []
  }

  /// The next bytes in UTF-8; `nil` at the end.
  private mutating func piece() throws(ReferenceFileError) -> [UInt8]? {
    guard let bytes = ahead else { return nil }
    ahead = try next()
    let text = try utf8(bytes)
    guard ahead != nil || oddByte == nil && highHalf == nil else { throw notUTF16 }
    return text
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

  private var notUTF16: ReferenceFileError {
    ReferenceFileError(
      code: "not-utf-16", line: lines, sentence: "the file begins as UTF-16 and is not; export it as UTF-8")
  }

  private mutating func utf8(_ bytes: [UInt8]) throws(ReferenceFileError) -> [UInt8] {
    guard case .utf16(let isBigEndian) = form else { return bytes }
    let bytes = (oddByte.map { [$0] } ?? []) + bytes
    oddByte = bytes.count.isMultiple(of: 2) ? nil : bytes.last
    var units = highHalf.map { [$0] } ?? []
    units.reserveCapacity(bytes.count / 2 + 1)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    highHalf = units.last.flatMap { UTF16.isLeadSurrogate($0) ? $0 : nil }
    if highHalf != nil { units.removeLast() }
    guard let text = String(validating: units, as: UTF16.self) else {
      lines += units.count { $0 == 0x0A }
      throw notUTF16
    }
    lines += units.count { $0 == 0x0A }
    return Array(text.utf8)
  }
}
