package import Intake
package import System
import Values

/// The rows of one or several answers, joined in a temporary file.
package final class PullRows {
  private enum Form {
    /// JSON, one row a line.
    case objects
    /// Postbacks, each behind its time and its length.
    case postbacks
    case table(header: [UInt8])
  }

  /// Bytes that are written at a time.
  private static let pieceSize = 1 << 16

  private let file: SpoolFile
  private var form: Form?
  private var pending: [UInt8] = []
  /// How many rows there are; of a table, lines.
  package private(set) var count = 0

  /// - Throws: ``FileError`` where no temporary file can be made.
  init() throws(FileError) { file = try SpoolFile() }

  /// Whether the rows are lines of a table.
  package var isTable: Bool { if case .table? = form { true } else { false } }

  /// Gives the bytes of a file with all rows, piece by piece: objects of JSON one a line, or a table with one header.
  package func source() throws(FileError) -> () throws(FileError) -> [UInt8]? {
    try flush()
    guard form != nil else {
      var rest: [UInt8]? = Array("[]".utf8)
      return { () throws(FileError) in
        defer { rest = nil }
        return rest
      }
    }
    var place = 0
    return { [file] () throws(FileError) in
      let bytes = try file.read(at: place)
      place += bytes.count
      return bytes.isEmpty ? nil : bytes
    }
  }

  /// Gives the postbacks of answers of JSON, some at a time.
  package func postbacks() throws(FileError) -> () throws(FileError) -> [DatedPostback]? {
    let next = try source()
    var rest: [UInt8] = []
    return { () throws(FileError) in
      while let bytes = try next() {
        rest += bytes
        let postbacks = Self.postbacks(in: &rest)
        if !postbacks.isEmpty { return postbacks }
      }
      return nil
    }
  }
}

extension PullRows {
  /// Adds a row of JSON.
  func add(_ row: [UInt8]) throws(PullAnswer.Defect) {
    // A line feed in JSON is white space.
    try add(row.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } + [0x0A], as: .objects)
    count += 1
  }

  func add(_ postback: DatedPostback) throws(PullAnswer.Defect) {
    try add(Self.framed(postback), as: .postbacks)
    count += 1
  }

  /// Begins a table, or goes on with it.
  func begin(header: [UInt8]) throws(PullAnswer.Defect) {
    if case .table(let known)? = form {
      guard known == header else { throw PullAnswer.Defect("has another header than the first page") }
      return
    }
    try add(header + [0x0A], as: .table(header: header))
  }

  /// Adds a line of a table, with its line feed.
  func add(line: [UInt8]) throws(PullAnswer.Defect) {
    try keep(line)
    if line.contains(where: { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 }) { count += 1 }
  }

  private func add(_ bytes: [UInt8], as new: Form) throws(PullAnswer.Defect) {
    switch (form, new) {
    case (nil, _): form = new
    case (.objects?, .objects), (.postbacks?, .postbacks): break
    default: throw PullAnswer.Defect("is of another format than the first page")
    }
    try keep(bytes)
  }

  private func keep(_ bytes: [UInt8]) throws(PullAnswer.Defect) {
    pending += bytes
    guard pending.count >= Self.pieceSize else { return }
    do throws(FileError) { try flush() } catch { throw PullAnswer.Defect(error) }
  }

  private func flush() throws(FileError) {
    try file.append(pending)
    pending.removeAll(keepingCapacity: true)
  }

  /// A moment that no postback has, for one without a time.
  private static let noTime = Int64.min
  private static let headSize = 12

  private static func framed(_ postback: DatedPostback) -> [UInt8] {
    let time = UInt64(bitPattern: postback.receivedAt?.milliseconds ?? noTime)
    let length = UInt32(postback.body.count)
    return (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) }
      + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + postback.body
  }

  /// Takes the postbacks that are whole.
  private static func postbacks(in bytes: inout [UInt8]) -> [DatedPostback] {
    var found: [DatedPostback] = []
    var start = 0
    while bytes.count - start >= headSize {
      let time = Int64(
        bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) })
      let length = (8..<12).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * ($1 - 8)) }
      let end = start + headSize + length
      guard end <= bytes.count else { break }
      found.append(
        DatedPostback(
          Array(bytes[(start + headSize)..<end]),
          receivedAt: time == noTime ? nil : Instant(milliseconds: time)))
      start = end
    }
    bytes.removeFirst(start)
    return found
  }
}
