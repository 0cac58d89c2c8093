import Ledger

/// A mistake in a file of spend, names, rates or networks' totals.
public struct ReferenceFileError: Error, Equatable, Sendable {
  public let code: String
  /// The line, from 1; for a JSON array the number of the element.
  public let line: Int
  /// What is wrong and what is allowed, in a sentence without a full stop.
  public let sentence: String
  /// What to do about it on the command line, without a full stop.
  public let cure: String?

  init(code: String, line: Int, sentence: String, cure: String? = nil) {
    self.code = code
    self.line = line
    self.sentence = sentence
    self.cure = cure
  }

  /// Whether the row can be read, and is of something that was not asked for.
  package var isNotAsked: Bool { code == "day-not-asked" || code.hasPrefix("other-") }
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

/// The rows of a file.
package struct ReferenceRows<Kind: FileRow>: Sendable {
  package var rows: [Kind]
  /// Records that the layout passes over, as those of another platform.
  package let passedOver: Int
  /// The last state of a stream, from which its program goes on: JSON; `nil` for a file, or where there was none.
  package let state: [UInt8]?
}

/// Reads files that advertisers export: CSV with a header, or JSON objects, one a line or in an array; and records that
/// extractors hand on in messages.
///
/// Text is UTF-8 or UTF-16. Cells are separated by commas, semicolons or tabs. Columns are found by name, in any order and whatever their letter case; others are passed over.
public enum ReferenceFile {
  /// Reads the rows of a kind from a file with the columns' own names.
  ///
  /// - Throws: The first mistake.
  package static func read<Kind: FileRow>(_ kind: Kind.Type, _ bytes: [UInt8]) throws(ReferenceFileError)
    -> [Kind]
  {
    var mistakes = ReferenceMistakes(most: 1)
    return try read(bytes, ImportLayout<Kind>.standard, &mistakes).rows
  }

  /// Reads the rows of a kind and goes on after a mistake; rows count only where there is none.
  ///
  /// - Throws: A mistake of the whole file, or one too many.
  package static func read<Kind: FileRow>(
    _ bytes: [UInt8], _ layout: ImportLayout<Kind>, _ mistakes: inout ReferenceMistakes
  ) throws(ReferenceFileError) -> ReferenceRows<Kind> {
    var found: [(line: Int, row: Kind)] = []
    var places: [[ReferenceTable<Kind>.Field]: Int] = [:]
    var collection = RowCollection(
      form: layout.form, required: Kind.requiredColumns, optional: Kind.optionalColumns)
    let state = try rows(bytes, into: &collection, &mistakes)
    try collection.requireNamedColumns()
    for row in collection.rows {
      do throws(ReferenceFileError) {
        let read = try Kind(row)
        if let asked = layout.form.asked, let days = read.days(outside: asked) {
          throw row.error(
            "day-not-asked", "the row is of \(days), and \(asked.words) was asked for",
            cure: "have the request ask for {from} to {to} alone, or read more days with \"again\" or --from")
        }
        let key = Kind.table.key(of: read)
        guard let place = places[key] else {
          places[key] = found.count
          found.append((row.line, read))
          continue
        }
        found[place].row = try found[place].row.adding(read, in: row, to: found[place].line)
      } catch {
        try mistakes.take(collection.curing(error))
      }
    }
    return ReferenceRows(rows: found.map(\.row), passedOver: collection.passedOver, state: state)
  }
}
