import Simulation
import System

/// What all parts of a population come to.
struct PartSums: Sendable {
  /// The parts in their order, where they are kept.
  private(set) var cohorts: [Cohort] = []
  private(set) var rows = 0
  private(set) var users = 0
  private(set) var duplicates = 0
  /// The first line that repeats another one.
  private(set) var firstDuplicate: Int?
  private(set) var skipped = SkippedRows()

  /// Rows that one thread alone gathers as fast.
  private static let fewRows = 1 << 14

  /// Gathers every part.
  ///
  /// - Parameters:
  ///   - store: The rows; what is in memory is given back part by part.
  ///   - assembly: How rows become users.
  ///   - keepsCohorts: Whether the parts themselves are wanted.
  ///   - threads: Threads, at least 1.
  /// - Returns: The sums.
  /// - Throws: `FileError` where the file cannot be read, or `ThreadError`.
  static func gather(
    _ store: inout RowStore, _ assembly: CohortAssembly, keepsCohorts: Bool, threads: Int
  ) throws -> PartSums {
    guard threads > 1, !store.isSmall(rows: fewRows) else {
      var sums = PartSums()
      for place in 0..<store.count {
        sums.add(assembly.assemble(try store.take(place).words()), keepsCohorts: keepsCohorts)
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
        sums.add(assembly.assemble(try part.words()), keepsCohorts: keepsCohorts)
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

  private mutating func add(_ result: CohortAssembly.Result, keepsCohorts: Bool) {
    if keepsCohorts { cohorts.append(result.cohort) }
    rows += result.cohort.events.count
    users += result.cohort.users.count
    duplicates += result.duplicates
    firstDuplicate = [firstDuplicate, result.firstDuplicate].compactMap(\.self).min()
    skipped.merge(result.skipped)
  }

  private mutating func merge(_ next: PartSums) {
    cohorts += next.cohorts
    rows += next.rows
    users += next.users
    duplicates += next.duplicates
    firstDuplicate = [firstDuplicate, next.firstDuplicate].compactMap(\.self).min()
    skipped.merge(next.skipped)
  }
}
