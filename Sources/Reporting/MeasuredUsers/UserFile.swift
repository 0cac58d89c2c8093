package import EventFiles
package import Ledger
import MappingLibrary
import Mappings
package import Postbacks
package import Values

/// A file of events of the advertiser's own users, read whole and measured by the mappings of a database.
package enum UserFile {
  /// A mistake in the file: its line, code, and sentence with the cure.
  package struct Mistake: Error, Equatable, Sendable {
    package let line: Int
    package let code: String
    package let sentence: Sentence
  }

  /// Measures the users of a file that is in memory.
  ///
  /// - Throws: ``Mistake`` for one in the file, or where the app has no mapping or the file no event; ``LedgerError``.
  package static func measure(
    _ bytes: [UInt8], _ columns: EventColumns = .standard, of app: AppID, horizons: [Int],
    _ reader: LedgerReader
  ) throws -> UserMeasure {
    guard let history = try MappingCatalog(from: reader).histories[app] else {
      throw Mistake(
        line: 1, code: "no-mapping",
        sentence: Sentence("found no mapping of app \(code: app.number)"))
    }
    let events = PopulationReader(columns: columns, currency: history.versions[0].currency)
    var isRead = false
    let population: Population
    do {
      population = try events.read {
        defer { isRead = true }
        return isRead || bytes.isEmpty ? nil : bytes
      }
    } catch let error as EventFileError {
      throw Mistake(
        line: error.line, code: error.code,
        // What to do about a mistake of the whole file is an option of the command.
        sentence: .joined(
          [error.sentence.forPages, error.isOfFile ? nil : error.cure].compactMap(\.self), by: "; "))
    }
    guard population.users > 0 else {
      throw Mistake(line: 1, code: "no-event", sentence: Sentence("found no event"))
    }
    return try UserMeasure(
      population, of: app, history, horizons: Set(horizons).sorted().map { .days($0) })
  }
}
