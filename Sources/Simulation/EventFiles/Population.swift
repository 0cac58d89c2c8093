import JSONText
package import Simulation
package import System

/// The users of an events file, in parts that fit into memory; all of one user's events are in one part.
///
/// Parts and their order are the same for the same rows, whatever the memory that was allowed. Where the rows did not
/// fit into it, they lie in a file without a name that goes with this value.
package struct Population: Sendable {
  enum Source: Sendable {
    case memory([Cohort])
    case stored(ScratchFile, [[Range<Int>]])
  }

  /// What the campaign of a file without campaigns is called.
  static let onlyCampaign = "all-users"

  let source: Source

  /// What the numbers in all parts stand for.
  package let names: CohortNames
  /// The first country that is neither a code nor an English name, quoted; users there are from an unknown country.
  package var unreadCountry: String? {
    names.origins.lazy.compactMap(\.unreadCountry).first.map { quoted($0) }
  }
  /// Rows of the file that count.
  package let rows: Int
  /// Users with at least one of these rows.
  package let users: Int
  /// Whether no row names a campaign, so that all users are taken as those of ``onlyCampaign``.
  package let isOneCampaign: Bool
  /// Rows that repeat another row; whether they count is up to ``PopulationReader/duplicates``.
  package let duplicates: Int
  /// Rows that were passed over because they are wrong.
  package let skipped: SkippedRows
  /// Columns of a table that are not read.
  package let passedOver: [String]
  /// Whether the rows went through a file.
  package var isOnDisk: Bool {
    if case .stored = source { true } else { false }
  }

  /// The number of parts; some may be without users.
  package var cohortCount: Int {
    switch source {
    case .memory(let cohorts): cohorts.count
    case .stored(_, let places): places.count
    }
  }

  /// Returns a part; several threads may ask at a time, and each part is made anew where it comes from a file.
  ///
  /// - Parameter index: From 0, below ``cohortCount``.
  /// - Throws: `FileError` where the file cannot be read.
  package func cohort(at index: Int) throws(FileError) -> Cohort {
    switch source {
    case .memory(let cohorts): return cohorts[index]
    case .stored(let file, let places): return Cohort(words: try file.read(places[index]), names: names)
    }
  }

  /// Gives one part after the other.
  ///
  /// - Throws: `FileError` where the file cannot be read, or what `body` throws.
  package func forEachCohort(_ body: (Cohort) throws -> Void) throws {
    for index in 0..<cohortCount { try body(try cohort(at: index)) }
  }
}
