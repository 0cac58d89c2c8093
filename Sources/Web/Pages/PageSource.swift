package import Ledger
import MappingEditing
import System
import Values

/// Where the figures of pages come from: a database, its mapping files and its samples of users.
package struct PageSource: Sendable {
  /// Where changes of the database go.
  package let changes: any ChangeWriter & Sendable
  /// The folder of mapping files; `nil` where the database alone has them.
  package let mappings: String?
  let trials: MappingTrials

  /// - Parameter samples: The folder of the operator's events files; `nil` for none.
  init(_ changes: any ChangeWriter & Sendable, mappings: String?, samples: String?) {
    (self.changes, self.mappings) = (changes, mappings)
    trials = MappingTrials(samples: samples, ImportedUsers(beside: changes.path).path)
  }

  /// The path of the database.
  package var database: String { changes.path }

  /// The same without samples of users.
  func withoutUsers() -> PageSource { PageSource(self, trials: MappingTrials()) }

  private init(_ other: PageSource, trials: MappingTrials) {
    (changes, mappings) = (other.changes, other.mappings)
    self.trials = trials
  }
}

/// The service's own data, and sample data beside them once an editor has had them made.
final class PageSources: Sendable {
  let own: PageSource
  /// The folder of the sample data: a database and the users' events files.
  let sampleFolder: String
  private let sample = Guarded<PageSource?>(nil)

  init(_ options: PagesOptions) {
    own = PageSource(
      options.changes, mappings: options.mappings, samples: options.samples)
    sampleFolder = options.changes.path + "-sample"
  }

  /// Whether sample data have been made.
  static func hasSample(in folder: String) -> Bool {
    (try? FileReader.requireReadable(database(inSample: folder))) != nil
  }

  static func database(inSample folder: String) -> String { folder + "/skan.db" }

  /// What a viewer looks at; the service's own data where there are no others.
  func source(ofSample isOfSample: Bool) -> PageSource {
    guard isOfSample else { return own }
    let path = Self.database(inSample: sampleFolder)
    return sample.withLock { sample in
      guard Self.hasSample(in: sampleFolder) else { return own }
      if let sample { return sample }
      let made = PageSource(LedgerFile.existing(path), mappings: nil, samples: sampleFolder)
      sample = made
      return made
    }
  }
}
