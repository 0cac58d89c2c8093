import Ledger

/// A mistake in a file of spend, names, rates or networks' totals.
public struct ReferenceFileError: Error, Hashable, Sendable {
  public let code: String
  /// The line, from 1; for a JSON array the number of the element.
  public let line: Int
  /// What is wrong and what is allowed, in a sentence without a full stop.
  public let sentence: String
}

/// The mistakes of a file: the first one ends the reading, or several are collected.
public struct ReferenceMistakes: Sendable {
  /// The mistakes so far, in the order of lines.
  public private(set) var found: [ReferenceFileError] = []
  /// How many mistakes end the reading.
  let most: Int

  /// Collects up to a number of mistakes, at least 1.
  public init(most: Int) { self.most = max(1, most) }

  /// Takes note of a mistake.
  ///
  /// - Throws: The mistake where it is one too many.
  mutating func take(_ error: ReferenceFileError) throws(ReferenceFileError) {
    found.append(error)
    if found.count >= most { throw error }
  }
}

/// Reads files that advertisers export: CSV with a header, or JSON objects, one a line or in an array.
///
/// Text is UTF-8 or UTF-16. Cells are separated by commas, semicolons or tabs. Columns are found by name, in any order and whatever their letter case; others are passed over.
public enum ReferenceFile {
  /// Reads the rows of a kind.
  ///
  /// - Throws: The first mistake.
  package static func read<Kind: FileRow>(_ kind: Kind.Type, _ bytes: [UInt8]) throws(ReferenceFileError)
    -> [Kind]
  {
    var mistakes = ReferenceMistakes(most: 1)
    return try read(kind, bytes, &mistakes)
  }

  /// Reads the rows of a kind and goes on after a mistake; rows count only where there is none.
  ///
  /// - Throws: A mistake of the whole file, or one too many.
  package static func read<Kind: FileRow>(
    _ kind: Kind.Type, _ bytes: [UInt8], _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> [Kind] {
    var found: [(line: Int, row: Kind)] = []
    var places: [[ReferenceTable<Kind>.Field]: Int] = [:]
    for row in try rows(
      bytes, required: kind.requiredColumns, optional: kind.optionalColumns, mistakes: &mistakes)
    {
      do throws(ReferenceFileError) {
        let read = try Kind(row)
        let key = kind.table.key(of: read)
        guard let place = places[key] else {
          places[key] = found.count
          found.append((row.line, read))
          continue
        }
        found[place].row = try found[place].row.adding(read, in: row, to: found[place].line)
      } catch {
        try mistakes.take(error)
      }
    }
    return found.map(\.row)
  }
}
