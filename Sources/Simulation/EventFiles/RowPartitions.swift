import System

/// Packed rows in the order in which they came, parted by user; what passes the budget goes to a file.
struct RowPartitions: Sendable {
  private var words: [[UInt64]]
  private var written: [[Range<Int>]]
  private var file: ScratchFile?
  private let folder: String
  private let budget: Int
  private var reserved = 0
  /// Words that a partition takes at first.
  private static let smallest = 64 * PackedRow.width

  /// Starts without rows.
  ///
  /// - Parameters:
  ///   - count: How many partitions there are.
  ///   - budget: Bytes that the rows in memory may take, all partitions together; some are held in any case.
  ///   - folder: Where the file would be.
  init(count: Int, budget: Int, folder: String) {
    words = Array(repeating: [], count: count)
    written = Array(repeating: [], count: count)
    self.budget = budget / 8
    self.folder = folder
  }

  /// Takes a row.
  ///
  /// - Throws: `FileError` where the budget is used up and the file cannot be written.
  mutating func add(_ row: PackedRow) throws(FileError) {
    // The check hash is mixed well in its upper bits, however short the names are.
    let place = Int((UInt64(row.check) * UInt64(words.count)) >> 32)
    if words[place].count + PackedRow.width > words[place].capacity { try makeRoom(place) }
    row.append(to: &words[place])
  }

  private mutating func makeRoom(_ place: Int) throws(FileError) {
    let old = words[place].capacity
    let more = max(Self.smallest, old)
    if old > 0, reserved + more > budget { return try write(place) }
    words[place].reserveCapacity(old + more)
    reserved += words[place].capacity - old
  }

  private mutating func write(_ place: Int) throws(FileError) {
    guard !words[place].isEmpty else { return }
    let file: ScratchFile
    if let known = self.file { file = known } else { file = try ScratchFile(in: folder) }
    self.file = file
    written[place].append(try file.append(words[place]))
    words[place].removeAll(keepingCapacity: true)
  }

  /// Ends the rows: either all are in memory, or all are in the file.
  ///
  /// - Returns: The rows; none are left here.
  /// - Throws: `FileError` where the file cannot be written.
  mutating func finish() throws(FileError) -> RowStore {
    defer { words = [] }
    guard file != nil else { return .memory(words) }
    for place in words.indices {
      try write(place)
      words[place] = []
    }
    guard let file else { preconditionFailure("The file was there before.") }
    return .file(file, written)
  }
}

enum RowStore: Sendable {
  case memory([[UInt64]])
  case file(ScratchFile, [[Range<Int>]])

  var count: Int {
    switch self {
    case .memory(let words): words.count
    case .file(_, let ranges): ranges.count
    }
  }

  /// Whether there are at most that many rows, all of them in memory.
  func isSmall(rows: Int) -> Bool {
    switch self {
    case .memory(let words): words.reduce(0) { $0 + $1.count } <= rows * PackedRow.width
    case .file: false
    }
  }

  /// Gives the rows of a partition, and keeps none of them in memory.
  mutating func take(_ place: Int) -> RowPart {
    switch self {
    case .memory(var words):
      self = .memory([])
      let taken = words[place]
      words[place] = []
      self = .memory(words)
      return .memory(taken)
    case .file(let file, let ranges): return .file(file, ranges[place])
    }
  }
}

enum RowPart: Sendable {
  case memory([UInt64])
  case file(ScratchFile, [Range<Int>])
}
