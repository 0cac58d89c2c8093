package import Ledger
package import Values

/// A mistake in a file of spend, names, rates or networks' totals.
public struct ReferenceFileError: Error, Equatable, Sendable {
  public let code: String
  /// The line, from 1; for a JSON array the number of the element.
  public let line: Int
  /// What is wrong and what is allowed, in a sentence without a full stop.
  package let sentence: Sentence
  /// What to do about it on the command line, without a full stop.
  public let cure: String?

  init(code: String, line: Int, sentence: Sentence, cure: String? = nil) {
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
package struct ReferenceRows<Kind: FileRow> {
  package let rows: GatheredRows<Kind>
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
  /// Gives the next bytes of a file; `nil` at its end.
  package typealias Source = () throws(ReferenceFileError) -> [UInt8]?

  /// A file that is in memory.
  package static func source(_ bytes: [UInt8]) -> Source {
    var place = 0
    return {
      guard place < bytes.count else { return nil }
      let end = min(place + 65_536, bytes.count)
      defer { place = end }
      return Array(bytes[place..<end])
    }
  }

  /// Reads the rows of a kind from a small file with the columns' own names.
  ///
  /// - Throws: The first mistake.
  package static func read<Kind: FileRow>(
    _ kind: Kind.Type, _ bytes: [UInt8]
  ) throws(ReferenceFileError) -> [Kind] {
    var mistakes = ReferenceMistakes(most: 1)
    let rows = try read(source(bytes), ImportLayout<Kind>.standard, &mistakes).rows
    do throws(LedgerError) { return try rows.all() } catch { throw .temporary(error, line: 1) }
  }

  /// Reads the rows of a kind and goes on after a mistake; rows count only where there is none.
  ///
  /// - Parameter adapt: What is done to each row.
  /// - Throws: A mistake of the whole file, or one too many.
  package static func read<Kind: FileRow>(
    _ source: @escaping Source, _ layout: ImportLayout<Kind>, _ mistakes: inout ReferenceMistakes,
    as adapt: @escaping (Kind) -> Kind = { $0 }
  ) throws(ReferenceFileError) -> ReferenceRows<Kind> {
    let gathering = try FileGathering(layout, most: mistakes.most, adapt)
    var collection = RowCollection(
      form: layout.form, required: Kind.requiredColumns, optional: Kind.optionalColumns
    ) { row in
      gathering.take(row)
    }
    let state = try rows(source, into: &collection, &mistakes)
    try collection.finish()
    try collection.requireNamedColumns()
    for error in gathering.mistakes { try mistakes.take(collection.curing(error)) }
    return ReferenceRows(rows: gathering.rows, passedOver: collection.passedOver, state: state)
  }

  /// The rows of the beginning of a file, each by itself, by their lines; those that are wrong are left out.
  package static func rows<Kind: FileRow>(
    of beginning: [UInt8], _ layout: ImportLayout<Kind>
  ) -> [Int: Kind] {
    var found: [Int: Kind] = [:]
    var collection = RowCollection(
      form: layout.form, required: Kind.requiredColumns, optional: Kind.optionalColumns
    ) { row in
      found[row.line] = try? Kind(row)
    }
    var mistakes = ReferenceMistakes(most: .max)
    // What is wrong shows where the whole file is read.
    do throws(ReferenceFileError) {
      _ = try rows(source(beginning), into: &collection, &mistakes)
      try collection.finish()
    } catch {}
    return found
  }
}

/// Gathers the rows of a file by their keys, and their mistakes, which count less than those of the whole file.
private final class FileGathering<Kind: FileRow> {
  let rows: GatheredRows<Kind>
  private(set) var mistakes: [ReferenceFileError] = []
  private let asked: Range<Day>?
  private let most: Int
  private let adapt: (Kind) -> Kind

  init(
    _ layout: ImportLayout<Kind>, most: Int, _ adapt: @escaping (Kind) -> Kind
  ) throws(ReferenceFileError) {
    do throws(LedgerError) { rows = try GatheredRows() } catch { throw .temporary(error, line: 1) }
    asked = layout.form.asked
    self.most = most
    self.adapt = adapt
  }

  func take(_ row: ReferenceFile.Row) {
    guard mistakes.count < most else { return }
    do throws(ReferenceFileError) { try add(row) } catch { mistakes.append(error) }
  }

  private func add(_ row: ReferenceFile.Row) throws(ReferenceFileError) {
    let read = adapt(try Kind(row))
    if let asked, let days = read.days(outside: asked) {
      throw row.error(
        "day-not-asked", Sentence("the row is of \(days), and \(asked.words) was asked for"),
        cure: "have the request ask for {from} to {to} alone, or read more days with \"again\" or --from")
    }
    let earlier: (row: Kind, line: Int)?
    do throws(LedgerError) { earlier = try rows.row(like: read) } catch {
      throw .temporary(error, line: row.line)
    }
    let joined = try earlier.map { (earlier) throws(ReferenceFileError) in
      try earlier.row.adding(read, in: row, to: earlier.line)
    }
    do throws(LedgerError) { try rows.put(joined ?? read, line: row.line, isNew: earlier == nil) } catch {
      throw .temporary(error, line: row.line)
    }
  }
}

extension ReferenceFileError {
  static func temporary(_ error: LedgerError, line: Int) -> Self {
    Self(
      code: "temporary-file", line: line,
      sentence: Sentence("the temporary file cannot be used: \(name: "\(error)")"),
      cure: "free space in /var/tmp")
  }
}
