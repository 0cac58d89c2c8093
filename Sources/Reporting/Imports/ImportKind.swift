package import Arguments
package import Campaigns
package import Intake
package import Ledger
package import Tables
package import Values

/// A kind of data that advertisers import: how its files are read, and what an import of one changes.
///
/// Commands and pages use the same functions, so that both import the same rows, and reject the same files.
package protocol ImportKind: SendableMetatype {
  associatedtype Listed: ImportedRows
  associatedtype Choice: Query
  /// The columns of a file, in words.
  static var columns: String { get }
  /// The columns that files can have, those that no row can do without first.
  static var fileColumns: [FileColumn] { get }
  /// Profiles of files of other systems.
  static var profiles: [BuiltInProfile] { get }
  /// The first rows of a file as they would be read, by line and column; those that are wrong are left out.
  static func firstRows(
    _ count: Int, of file: FileDraft, _ form: ImportForm
  ) -> [Int: [String: (cell: Cell, kind: ColumnKind)]]
  /// What an import of the file would change; nothing changes.
  static func preview(
    _ bytes: [UInt8], _ form: ImportForm, _ choice: Choice, _ reader: LedgerReader
  ) throws -> ImportPreview
  /// Stores the rows of a file.
  ///
  /// - Parameter now: When that is, which charts show.
  static func store(
    _ bytes: [UInt8], _ form: ImportForm, _ choice: Choice, in changes: any ChangeWriter, now: Instant
  ) throws -> ImportOutcome
}

extension ImportKind {
  /// Stores the rows of a file that has the columns' own names.
  package static func store(
    _ bytes: [UInt8], _ choice: Choice, in changes: any ChangeWriter, now: Instant
  ) throws -> ImportOutcome {
    try store(bytes, ImportForm(), choice, in: changes, now: now)
  }
}

/// A mistake in a file: where it is, what was found, and what is allowed.
package struct ImportMistake: Error, Equatable, Sendable {
  /// The line, from 1; for a JSON array the number of the element.
  package let line: Int
  package let code: String
  /// What is wrong and what is allowed, in a sentence without a full stop.
  package let sentence: Sentence

  package init(line: Int, code: String, sentence: Sentence) {
    self.line = line
    self.code = code
    self.sentence = sentence
  }
}

package struct ImportOutcome: Sendable {
  /// Rows of the file that are new, that replace a different one, and that were there already.
  package var added = 0
  package var changed = 0
  package var same = 0
  /// Stored rows that are replaced by rows of another key.
  package var removed = 0
  /// What a person should know, such as names in doubt.
  package var warnings: [Sentence] = []
  /// Rows of the file without postbacks, with what was probably meant.
  package var unmatched: [Unmatched] = []
  /// What happened besides, such as names that a later one ends.
  package var notes: [Sentence] = []
  /// How many rows of which kind, in a sentence without a full stop.
  package var summary = Sentence("")

  package init() {}
}

/// What is to be seen before an import: mistakes, or what the rows would change.
package struct ImportPreview: Sendable {
  /// Mistakes, by line; with one nothing can be imported.
  package var mistakes: [ImportMistake] = []
  /// Mistakes that are looked for at most.
  package static let mostMistakes = 1000
  /// What the import would change; without meaning where there are mistakes.
  package var outcome = ImportOutcome()
  /// The first figures that would be stored, where these are not the rows themselves.
  package var sample: Table?
  /// The first of the stored rows that would be replaced.
  package var replaced: Table?
  /// Rows of ``sample`` at most.
  package static let mostShown = 20

  package init() {}
}
