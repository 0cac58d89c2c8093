import Gzip
import System

/// The facts of some postbacks: a column of numbers for each, as differences from the least of the column.
///
/// In bytes it is, with integers little-endian: a byte for the format; the CRC-32 of all behind it in four bytes; the number
/// of postbacks in four; for each column the least number in eight bytes and in one how many bytes a difference has: 0, 1, 2
/// or 4; then the differences, one column after the other.
struct FactBlock: Equatable {
  /// What bytes are not, or no longer.
  struct Malformed: Error {}

  enum Column: Int, CaseIterable {
    /// Seconds since 1970-01-01, UTC.
    case second
    /// `fact_source.id`.
    case source
    /// See ``CampaignDigits``.
    case campaign
    /// See ``PostbackFacts/detail``.
    case detail
    /// See ``PostbackFacts/countryNumber``.
    case country
    /// `publisher.id`; 0 for none.
    case publisher
    /// `marketplace.id`; 0 for none.
    case marketplace
  }

  private static let format: UInt8 = 2
  private static let checked = 5
  private static let head = 9 + 9 * Column.allCases.count

  private(set) var count = 0
  private var least = [Int64](repeating: 0, count: Column.allCases.count)
  private var differences = [[UInt32]](repeating: [], count: Column.allCases.count)

  init() {}

  func least(_ column: Column) -> Int64 { least[column.rawValue] }

  /// What the postbacks have more than the least; none for a column that was not asked for.
  func differences(_ column: Column) -> [UInt32] { differences[column.rawValue] }

  func values(_ column: Column) -> [Int64] {
    differences[column.rawValue].map { least[column.rawValue] &+ Int64($0) }
  }

  /// Makes blocks of postbacks; more than one where differences are too large for one.
  static func blocks(of postbacks: [[Int64]]) -> [FactBlock] {
    var blocks: [FactBlock] = []
    var start = 0
    var (low, high) = (postbacks.first ?? [], postbacks.first ?? [])
    for (place, postback) in postbacks.enumerated() {
      let (lower, upper) = (zip(low, postback).map { min($0, $1) }, zip(high, postback).map { max($0, $1) })
      let fits = zip(lower, upper).allSatisfy { low, high in
        let (span, overflow) = high.subtractingReportingOverflow(low)
        return !overflow && span <= Int64(UInt32.max)
      }
      if fits {
        (low, high) = (lower, upper)
      } else {
        blocks.append(FactBlock(postbacks[start..<place], least: low))
        (start, low, high) = (place, postback, postback)
      }
    }
    if start < postbacks.count { blocks.append(FactBlock(postbacks[start...], least: low)) }
    return blocks
  }

  private init(_ postbacks: ArraySlice<[Int64]>, least: [Int64]) {
    self.least = least
    count = postbacks.count
    for column in least.indices {
      differences[column] = postbacks.map { UInt32(truncatingIfNeeded: $0[column] &- least[column]) }
    }
  }

  var bytes: [UInt8] {
    var head: [UInt8] = []
    var data: [UInt8] = []
    Self.append(UInt64(count), bytes: 4, to: &head)
    for (least, differences) in zip(least, differences) {
      let most = differences.max() ?? 0
      let width = most == 0 ? 0 : most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : 4
      Self.append(UInt64(bitPattern: least), bytes: 8, to: &head)
      head.append(UInt8(width))
      for difference in differences where width > 0 {
        Self.append(UInt64(difference), bytes: width, to: &data)
      }
    }
    let checked = head + data
    var bytes = [Self.format]
    Self.append(UInt64(checksum(checked[...])), bytes: 4, to: &bytes)
    return bytes + checked
  }

  private static func append(_ number: UInt64, bytes count: Int, to bytes: inout [UInt8]) {
    for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }

  /// Reads some columns of a block in place of what was there.
  mutating func read(_ bytes: [UInt8], _ columns: [Column] = Column.allCases) throws(Malformed) {
    guard bytes.count >= Self.head, bytes[0] == Self.format,
      checksum(bytes[Self.checked...]) == Self.number(bytes, 1, 4)
    else { throw Malformed() }
    count = Int(Self.number(bytes, Self.checked, 4))
    var end = Self.head
    for column in Column.allCases {
      let place = Self.checked + 4 + 9 * column.rawValue
      least[column.rawValue] = Int64(bitPattern: Self.number(bytes, place, 8))
      let width = Int(bytes[place + 8])
      let start = end
      end += width * count
      guard [0, 1, 2, 4].contains(width), end <= bytes.count else { throw Malformed() }
      differences[column.rawValue].removeAll(keepingCapacity: true)
      if columns.contains(column) {
        if width == 0 {
          differences[column.rawValue].append(contentsOf: repeatElement(0, count: count))
        } else {
          appendIntegers(bytes[start..<end], width: width, to: &differences[column.rawValue])
        }
      }
    }
    guard end == bytes.count else { throw Malformed() }
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
  }
}
