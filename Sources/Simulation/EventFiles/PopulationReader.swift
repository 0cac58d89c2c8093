import Gzip
import Simulation
import System
package import Values

/// Reads an events file of any size and order into a ``Population``, in bounded memory.
///
/// The file is CSV with a header or one JSON object a line, with the columns of ``EventFile`` and its rules: the column
/// `installed` marks the install, else the first event is it; the first row of a user that names a campaign decides,
/// and a user without one is organic. Where no row names a campaign, all users are of one.
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
    case stop
  }

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
  /// Bytes that a thread reads at a time; what comes out does not depend on it.
  package var blockSize = 262_144
  /// The folder for that file; `/tmp` may itself be memory.
  package var scratchFolder = "/var/tmp"

  /// Starts with the usual settings.
  ///
  /// - Parameters:
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
  /// - Throws: ``EventFileError`` for a mistake that stops, `FileError` when rows cannot be written to a file, or
  ///   what `next` throws; nothing of what was read is left then.
  package func read(_ next: () throws -> [UInt8]?) throws -> Population {
    try read(next, keepsUsers: false).population
  }

  /// Reads a whole stream, and then gives each user by name, in the order of their first rows.
  ///
  /// All users are in memory at once, whatever ``budget`` and ``partitions`` are.
  ///
  /// - Throws: What ``read(_:)`` and `visit` throw.
  package func read(_ next: () throws -> [UInt8]?, each visit: (UserHistory) throws -> Void) throws
    -> Population
  {
    let (population, users) = try read(next, keepsUsers: true)
    var names = users.makeIterator()
    try population.forEachCohort { cohort in
      for user in cohort.users {
        // Users all of whose rows are wrong have a name, and are not in the cohort.
        while let name = names.next() {
          guard Cohort.key(of: name) == user.key else { continue }
          try visit(UserHistory(name: name, events: cohort.history(of: user)))
          break
        }
      }
    }
    return population
  }

  private func read(
    _ next: () throws -> [UInt8]?, keepsUsers: Bool
  ) throws -> (population: Population, users: [String]) {
    var scanner = EventScanner(columns: columns)
    var hasBegun = try scanner.begin()
    while !hasBegun, !scanner.isLast {
      try scanner.feed(next)
      hasBegun = try scanner.begin()
    }
    let reader = BlockReader(
      scanner, currency: currency, stops: mistakes == .stop, keepsUsers: keepsUsers)
    // Users of one part are in the order of their names.
    let parts = RowPartitions(
      count: keepsUsers ? 1 : max(1, partitions), budget: budget, folder: scratchFolder)
    var rows = RowGathering(reader, parts, currency: currency, line: scanner.line - 1)
    if hasBegun {
      var blocks = RowBlocks(scanner.pending, isTable: scanner.isTable, size: blockSize)
      rows = try gather(&blocks, reader, rows, scanner.isLast ? { nil } : next)
      // What stops at a row would have stopped there before the next bytes were asked for.
      if let obstacle = blocks.obstacle, !rows.hasStopped { throw obstacle }
    }
    let population = try self.population(rows.finish(), rows.names.names, rows.skipped, scanner.passedOver)
    return (population, rows.names.users.texts)
  }

  /// Reads a whole file, gzip-compressed or not; a pipe is an error.
  ///
  /// - Throws: What ``read(_:)`` throws, `FileError` or `GzipError`.
  package func read(path: String) throws -> Population {
    let file = try FileReader(path, mayWait: false)
    var packed = GzipReader { try file.read() }
    return try read { try packed.next() }
  }

  /// Reads all blocks, on this thread while there is but one of them.
  private func gather(
    _ blocks: inout RowBlocks, _ reader: BlockReader, _ rows: consuming RowGathering,
    _ next: () throws -> [UInt8]?
  ) throws -> RowGathering {
    var block = blocks.next(next)
    if threads < 2 || blocks.hasEnded {
      while let known = block, try rows.take(reader.rows(of: known)) { block = blocks.next(next) }
      return rows
    }
    let state = Guarded<(rows: RowGathering?, obstacle: FileError?)>((rows, nil))
    let queue = try OrderedWorkQueue<RowBlock, BlockReader.Rows>(
      threads: threads, capacity: 2 * threads
    ) { block in
      reader.rows(of: block)
    } collect: { next in
      while let (found, _) = next() {
        let isWanted = state.withLock { state in
          do throws(FileError) { return try state.rows?.take(found) ?? false } catch {
            state.obstacle = error
            return false
          }
        }
        guard isWanted else { return }
      }
    }
    while let known = block, queue.add(known) { block = blocks.next(next) }
    queue.finish()
    let (gathered, obstacle) = state.withLock { ($0.rows.take(), $0.obstacle) }
    if let obstacle { throw obstacle }
    guard let gathered else { preconditionFailure("The rows are taken once.") }
    return gathered
  }

  /// Gathers every part once, for what only shows when a user's rows are side by side.
  private func population(
    _ store: consuming RowStore, _ names: CohortNames, _ skipped: SkippedRows, _ passedOver: [String]
  ) throws -> Population {
    var names = names
    let isOneCampaign = names.campaigns.isEmpty
    if isOneCampaign { names.campaigns = [Population.onlyCampaign] }
    let assembly = CohortAssembly(
      names: names, dropsDuplicates: duplicates == .drop, usualCampaign: isOneCampaign ? 0 : -1)
    let file: ScratchFile? = if case .file(let file, _) = store { file } else { nil }
    let sums = try PartSums.gather(&store, assembly, threads: threads)
    var skipped = skipped
    skipped.merge(sums.skipped)
    var mistakes = mistakes == .stop ? skipped.entries.map(\.first) : []
    if let firstDuplicate = sums.firstDuplicate, duplicates == .stop {
      mistakes.append(
        EventFileError(
          code: "duplicate-row", line: firstDuplicate,
          sentence: Sentence("an earlier row has the same user, time, event, revenue and currency"),
          cure: Sentence("--duplicates drop counts the first of such rows only"), isOfFile: true))
    }
    if let first = mistakes.min(by: { $0.line < $1.line }) { throw first }
    return Population(
      source: file.map { .stored($0, sums.places) } ?? .memory(sums.cohorts), names: names, rows: sums.rows,
      users: sums.users, isOneCampaign: isOneCampaign, duplicates: sums.duplicates, skipped: skipped,
      passedOver: passedOver)
  }
}
