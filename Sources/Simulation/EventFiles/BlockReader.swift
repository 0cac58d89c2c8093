import Simulation
import Values

/// Reads the rows of a block of an events file; several threads may do so at a time.
struct BlockReader: Sendable {
  struct Rows: Sendable {
    /// Packed rows; lines are those of the block, from 1.
    var rows: [PackedRow] = []
    /// What the numbers in the rows stand for.
    var names: RowNames
    var skipped = SkippedRows()
    /// Whether reading stopped at a wrong row.
    var hasStopped = false
    /// How many lines end in the block.
    var lines = 0
    /// What waits for the next block; `nil` where the block ends with a row.
    var leftover: EventScanner?
    let block: RowBlock
  }

  private let scanner: EventScanner
  private let currency: CurrencyCode?
  private let stops: Bool
  private let keepsUsers: Bool

  /// - Parameters:
  ///   - scanner: A scanner behind the header; its bytes are not looked at.
  ///   - currency: The currency of amounts that name none; `nil` where each has to.
  ///   - stops: Whether reading stops at the first wrong row.
  ///   - keepsUsers: Whether the names of users are kept.
  init(_ scanner: EventScanner, currency: CurrencyCode?, stops: Bool, keepsUsers: Bool) {
    self.scanner = scanner
    self.currency = currency
    self.stops = stops
    self.keepsUsers = keepsUsers
  }

  /// Reads a block as if a row began with it, or behind what is left over of the block before.
  func rows(of block: RowBlock, after leftover: consuming EventScanner? = nil) -> Rows {
    var scanner = leftover ?? scanner.restarted()
    scanner.append(block.bytes)
    if block.isLast { scanner.end() }
    var packer = RowPacker(
      home: currency, keepsUsers: keepsUsers, hasDecimalCommas: self.scanner.hasDecimalCommas)
    var rows: [PackedRow] = []
    rows.reserveCapacity(block.bytes.count / 40)
    var skipped = SkippedRows()
    var hasStopped = false
    reading: while !hasStopped {
      switch scanner.nextRow() {
      case .end, .hungry: break reading
      case .mistake(let error):
        skipped.add(error)
        hasStopped = stops
      case .row:
        do throws(EventFileError) { rows.append(try Self.pack(scanner, &packer)) } catch {
          skipped.add(error)
          hasStopped = stops
        }
      }
    }
    return Rows(
      rows: rows, names: packer.names, skipped: skipped, hasStopped: hasStopped, lines: scanner.line - 1,
      leftover: scanner.isBetweenRows || block.isLast ? nil : scanner.restartedLines(), block: block)
  }

  private static func pack(_ scanner: borrowing EventScanner, _ packer: inout RowPacker)
    throws(EventFileError)
    -> PackedRow
  {
    if scanner.cells.isRewritten {
      try packer.pack(scanner.cells.rewritten.span, scanner.cells.places, line: scanner.rowLine)
    } else {
      try packer.pack(scanner.buffer.span, scanner.cells.places, line: scanner.rowLine)
    }
  }
}
