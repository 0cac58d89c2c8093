import Simulation
import System

/// What all parts of a population come to.
struct PartSums: Sendable {
  /// The parts in their order, where they are in memory.
  private(set) var cohorts: [Cohort] = []
  /// Where the words of the parts lie in the file, where they are there.
  private(set) var places: [[Range<Int>]] = []
  private(set) var rows = 0
  private(set) var users = 0
  private(set) var duplicates = 0
  /// The first line that repeats another one.
  private(set) var firstDuplicate: Int?
  private(set) var skipped = SkippedRows()

  /// Rows that one thread alone gathers as fast.
  private static let fewRows = 1 << 14

  /// Gathers every part; what was in the file is written over by its cohorts, which take less room than their rows.
  ///
  /// - Parameters:
  ///   - store: The rows; what is in memory is given back part by part.
  ///   - assembly: How rows become users.
  ///   - threads: Threads, at least 1.
  /// - Throws: `FileError` where the file cannot be read, or `ThreadError`.
  static func gather(
    _ store: inout RowStore, _ assembly: CohortAssembly, threads: Int
  ) throws -> PartSums {
    guard threads > 1, !store.isSmall(rows: fewRows) else {
      var sums = PartSums()
      for place in 0..<store.count {
        try sums.add(store.take(place), assembly)
      }
      return sums
    }
    let state = Guarded<(sums: PartSums, obstacle: FileError?)>((PartSums(), nil))
    // One more than there are threads, because each part that waits takes memory.
    let queue = try OrderedWorkQueue<RowPart, Result<PartSums, FileError>>(
      threads: threads, capacity: threads + 1
    ) { part in
      do throws(FileError) {
        var sums = PartSums()
        try sums.add(part, assembly)
        return .success(sums)
      } catch {
        return .failure(error)
      }
    } collect: { next in
      while let (product, _) = next() {
        switch product {
        case .success(let part): state.withLock { $0.sums.merge(part) }
        case .failure(let error): return state.withLock { $0.obstacle = error }
        }
      }
    }
    for place in 0..<store.count { queue.add(store.take(place)) }
    queue.finish()
    let (sums, obstacle) = state.withLock { $0 }
    if let obstacle { throw obstacle }
    return sums
  }

  private mutating func add(_ part: consuming RowPart, _ assembly: CohortAssembly) throws(FileError) {
    let result: CohortAssembly.Result
    switch part {
    case .memory(let words):
      result = assembly.assemble(words)
      cohorts.append(result.cohort)
    case .file(let file, let ranges):
      result = assembly.assemble(try file.read(ranges))
      places.append(try file.overwrite(ranges, with: result.cohort.words))
    }
    rows += result.cohort.events.count
    users += result.cohort.users.count
    duplicates += result.duplicates
    firstDuplicate = [firstDuplicate, result.firstDuplicate].compactMap(\.self).min()
    skipped.merge(result.skipped)
  }

  private mutating func merge(_ next: PartSums) {
    cohorts += next.cohorts
    places += next.places
    rows += next.rows
    users += next.users
    duplicates += next.duplicates
    firstDuplicate = [firstDuplicate, next.firstDuplicate].compactMap(\.self).min()
    skipped.merge(next.skipped)
  }
}
