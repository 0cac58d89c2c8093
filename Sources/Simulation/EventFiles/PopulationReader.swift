import Gzip
import Simulation
import System
package import Values

/// Reads an events file of any size and order into a ``Population``, in bounded memory.
///
/// The file is CSV with a header or one JSON object a line, with the columns of ``EventFile`` and its rules: the column
/// `installed` marks the install, else the first event is it; the first row of a user that names a campaign decides,
/// and a user without one is organic.
package struct PopulationReader: Sendable {
  /// What to do with a row that is wrong.
  package enum Mistakes: String, Hashable, Sendable, CaseIterable {
    /// Nothing is read; the first one is the error.
    case stop
    /// The row is passed over and counted.
    case skip
  }

  /// What to do with a row that has the user, time, event, revenue and currency of another one.
  package enum Duplicates: String, Hashable, Sendable, CaseIterable {
    /// It counts like any other; games do send two equal events in a second.
    case keep
    /// Only the first one counts.
    case drop
    /// It is an error.
    case stop
  }

  /// What the columns are called.
  package var columns: EventColumns
  /// The currency of amounts that name none; `nil` where each has to.
  package var currency: CurrencyCode?
  /// What to do with rows that are wrong.
  package var mistakes = Mistakes.stop
  /// What to do with rows that repeat others.
  package var duplicates = Duplicates.keep
  /// Bytes of memory for rows while the file is read; the rest goes to a file.
  package var budget = 256 << 20
  /// The number of parts, at least 1; where rows go to a file, one part at a time is in the memory of each thread.
  package var partitions = 64
  /// Threads that work on a large file, at least 1; what comes out does not depend on it.
  package var threads = processorCount
  /// The folder for that file; `/tmp` may itself be memory.
  package var scratchFolder = "/var/tmp"

  /// Starts with the usual settings.
  ///
  /// - Parameters:
  ///   - columns: What the columns are called.
  ///   - currency: The currency of amounts that name none; `nil` where each has to.
  package init(columns: EventColumns = .standard, currency: CurrencyCode? = nil) {
    self.columns = columns
    self.currency = currency
  }

  /// Reads a whole stream.
  ///
  /// The first mistake is that of the lowest line, whatever its kind.
  ///
  /// - Parameter next: Gives the next bytes of the file, unpacked, and `nil` at the end.
  /// - Returns: The users.
  /// - Throws: ``EventFileError`` for a mistake that stops, `FileError` when rows cannot be written to a file, or
  ///   what `next` throws; nothing of what was read is left then.
  package func read(_ next: () throws -> [UInt8]?) throws -> Population {
    var scanner = EventScanner(columns: columns)
    var packer = RowPacker(home: currency)
    var partitions = RowPartitions(count: max(1, self.partitions), budget: budget, folder: scratchFolder)
    var skipped = SkippedRows()
    reading: while true {
      switch try scanner.next() {
      case .end: break reading
      case .hungry: try scanner.feed(next)
      case .mistake(let error):
        skipped.add(error)
        if mistakes == .stop { break reading }
      case .row:
        let row: PackedRow
        do throws(EventFileError) { row = try Self.pack(scanner, &packer) } catch {
          skipped.add(error)
          if mistakes == .stop { break reading }
          continue
        }
        try partitions.add(row)
      }
    }
    return try population(partitions.finish(), packer.names, skipped, scanner.passedOver)
  }

  /// Reads a whole file, gzip-compressed or not; a pipe is an error.
  ///
  /// - Throws: What ``read(_:)`` throws, `FileError` or `GzipError`.
  package func read(path: String) throws -> Population {
    let file = try FileReader(path, mayWait: false)
    var packed = GzipReader { try file.read() }
    return try read { try packed.next() }
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

  /// Gathers every part once, for what only shows when a user's rows are side by side.
  private func population(
    _ store: consuming RowStore, _ names: CohortNames, _ skipped: SkippedRows, _ passedOver: [String]
  ) throws -> Population {
    let assembly = CohortAssembly(names: names, dropsDuplicates: duplicates == .drop)
    let isInMemory = if case .memory = store { true } else { false }
    let sums = try PartSums.gather(&store, assembly, keepsCohorts: isInMemory, threads: threads)
    var skipped = skipped
    skipped.merge(sums.skipped)
    var mistakes = mistakes == .stop ? skipped.entries.map(\.first) : []
    if let firstDuplicate = sums.firstDuplicate, duplicates == .stop {
      mistakes.append(
        EventFileError(
          code: "duplicate-row", line: firstDuplicate,
          sentence: "an earlier row has the same user, time, event, revenue and currency",
          cure: "--duplicates drop counts the first of such rows only", isOfFile: true))
    }
    if let first = mistakes.min(by: { $0.line < $1.line }) { throw first }
    return Population(
      source: isInMemory ? .memory(sums.cohorts) : .stored(store, assembly), names: names, rows: sums.rows,
      users: sums.users, duplicates: sums.duplicates, skipped: skipped, passedOver: passedOver)
  }
}
