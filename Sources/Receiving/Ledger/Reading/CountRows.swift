/// Rows of counts side by side, in half of the memory that the counts may need.
struct CountRows {
  private let width: Int
  /// The low 32 bits of all counts.
  private var low: [UInt32] = []
  /// What does not fit into them, by place.
  private var high: [Int: Int64] = [:]
  private(set) var rows = 0

  init(width: Int) { self.width = width }

  subscript(row: Int, column: Int) -> Int64 {
    let place = row * width + column
    return (high.isEmpty ? 0 : high[place] ?? 0) << 32 &+ Int64(low[place])
  }

  /// Adds a row of zeros behind the others.
  mutating func appendRow() {
    low.append(contentsOf: repeatElement(0, count: width))
    rows += 1
  }

  mutating func add(_ count: Int64, row: Int, column: Int) {
    let place = row * width + column
    let sum = Int64(low[place]) &+ count
    low[place] = UInt32(truncatingIfNeeded: sum)
    if sum >> 32 != 0 { high[place, default: 0] &+= sum >> 32 }
  }
}
