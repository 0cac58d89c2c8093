public import Simulation
public import System

/// The users of an events file, in parts that fit into memory; all of one user's events are in one part.
///
/// Parts and their order are the same for the same rows, whatever the memory that was allowed. Where the rows did not
/// fit into it, they lie in a file without a name that goes with this value.
public struct Population: Sendable {
  enum Source: Sendable {
    case memory([Cohort])
    case stored(RowStore, CohortAssembly)
  }

  let source: Source

  /// Rows of the file that count.
  public let rows: Int
  /// Users with at least one of these rows.
  public let users: Int
  /// Rows that say what another row said; whether they count is up to ``PopulationReader/duplicates``.
  public let duplicates: Int
  /// Rows that were passed over because they are wrong.
  public let skipped: SkippedRows
  /// Columns of a table that are not read.
  public let passedOver: [String]
  /// Whether the rows went through a file.
  public var isOnDisk: Bool {
    if case .stored = source { true } else { false }
  }

  /// The number of parts; some may be without users.
  public var cohortCount: Int {
    switch source {
    case .memory(let cohorts): cohorts.count
    case .stored(let store, _): store.count
    }
  }

  /// Returns a part; several threads may ask at a time, and each part is made anew where it comes from a file.
  ///
  /// - Parameter index: From 0, below ``cohortCount``.
  /// - Returns: The part.
  /// - Throws: `FileError` where the file cannot be read.
  public func cohort(at index: Int) throws(FileError) -> Cohort {
    switch source {
    case .memory(let cohorts): return cohorts[index]
    case .stored(let store, let assembly): return assembly.assemble(try store.words(at: index)).cohort
    }
  }

  /// Gives one part after the other.
  ///
  /// - Throws: `FileError` where the file cannot be read, or what `body` throws.
  public func forEachCohort(_ body: (Cohort) throws -> Void) throws {
    for index in 0..<cohortCount { try body(try cohort(at: index)) }
  }
}
