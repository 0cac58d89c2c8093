import System
import Values

/// Puts the rows of blocks, in the order of the file, under common numbers and into partitions.
struct RowGathering: Sendable {
  private(set) var names: RowNames
  private(set) var skipped = SkippedRows()
  /// Whether reading stopped at a wrong row.
  private(set) var hasStopped = false
  private var partitions: RowPartitions
  private let reader: BlockReader
  /// Lines before the next block.
  private var line: Int
  /// What is left over of the last block.
  private var leftover: EventScanner?

  /// Starts without rows.
  ///
  /// - Parameters:
  ///   - reader: Reads a block once more that does not begin with a row.
  ///   - partitions: Where the rows go.
  ///   - currency: The currency of amounts that name none.
  ///   - line: Lines before the first block.
  init(_ reader: BlockReader, _ partitions: RowPartitions, currency: CurrencyCode?, line: Int) {
    self.reader = reader
    self.partitions = partitions
    names = RowNames(home: currency)
    self.line = line
  }

  /// Takes what the next block has.
  ///
  /// - Returns: Whether more are wanted.
  /// - Throws: `FileError` where the rows do not fit into memory and cannot be written.
  mutating func take(_ found: consuming BlockReader.Rows) throws(FileError) -> Bool {
    // The rows of a block that was read from the middle of a row mean nothing.
    if let before = leftover.take() { found = reader.rows(of: found.block, after: before) }
    let numbers = names.numbers(of: found.names)
    for row in found.rows { try partitions.add(row.renumbered(numbers, line: line)) }
    skipped.merge(found.skipped, below: line)
    line += found.lines
    leftover = found.leftover
    hasStopped = found.hasStopped
    return !hasStopped
  }

  /// Ends the rows.
  ///
  /// - Returns: All rows; none are left here.
  /// - Throws: `FileError` where they do not fit into memory and cannot be written.
  mutating func finish() throws(FileError) -> RowStore { try partitions.finish() }
}
