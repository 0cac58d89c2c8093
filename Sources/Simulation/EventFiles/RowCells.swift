import Values

/// The cells of one row that the caller reads, as places in its bytes; made once and filled again for every row.
struct RowCells {
  /// The places by column; empty if the row has no value.
  var places = [10 of Range<Int>](repeating: 0..<0)
  /// The texts of cells with quotation marks or escapes, which cannot be read in place.
  var rewritten: [UInt8] = []
  /// Whether the places are in ``rewritten`` and not in the bytes of the stream.
  var isRewritten = false

  mutating func clear() {
    places = [10 of Range<Int>](repeating: 0..<0)
    isRewritten = false
  }

  /// Reports that all cells come from ``put(_:at:)`` from here on.
  mutating func startRewriting() {
    clear()
    rewritten.removeAll(keepingCapacity: true)
    isRewritten = true
  }

  mutating func put(_ text: some Sequence<UInt8>, at slot: Int) {
    let start = rewritten.count
    rewritten += text
    places[slot] = start..<rewritten.count
  }
}

extension EventColumn {
  /// The place of the column in ``RowCells``, from 0 through 9.
  var slot: Int {
    switch self {
    case .user: 0
    case .time: 1
    case .event: 2
    case .revenue: 3
    case .currency: 4
    case .campaign: 5
    case .installed: 6
    case .conversionTag: 7
    case .sourceApp: 8
    case .country: 9
    }
  }
}

/// What was found where a row could begin.
enum RowFinding {
  /// A row, how far it goes with its line break, and on how many lines.
  case row(end: Int, lines: Int)
  /// A line without anything.
  case blank(end: Int)
  /// The bytes end inside of the row.
  case incomplete
  /// A row that is wrong, with a line that means nothing, how far it goes with its line break, and on how many lines.
  case rejected(EventFileError, end: Int, lines: Int)
  /// Something wrong that many lines below the beginning of a row whose end is not known.
  case defect(code: String, sentence: Sentence, below: Int)
}
