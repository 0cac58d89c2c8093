package import Arguments
import Configuration
import Ledger
import System
import Tables
import Values
package import Verification

// Options that several commands share, and how their values become what the commands work with.

extension RequiredOption<String> {
  fileprivate static let database = value(
    "--database", "DB", .path, "Database file.", short: "d", isSetting: true)
}

extension TypedOption<String?> {
  fileprivate static let database = value(
    "--database", "DB", .path, "Database file.", isSetting: true, short: "d")
}

extension TypedOption<Format> {
  fileprivate static let format = choice("--format", "FORMAT", "Output format.", default: .table)
}

extension Option {
  package static func database(isRequired: Bool = true) -> Option {
    isRequired ? RequiredOption.database.option : TypedOption.database.option
  }

  static let trustTestKeys = ServiceConfiguration.options("trust-test-keys")[0]

  /// The form of rows.
  static func format(_ words: [String] = Format.allCases.map(\.rawValue)) -> Option {
    .value("--format", "FORMAT", .choice(words), "Output format.", default: words[0])
  }
}

extension Invocation {
  /// Apple's keys and those that the user trusts.
  func keyring() throws -> Keyring {
    let keyring = try Keyring(trusting: trustedKeys())
    if keyring.addedProductionKeys > 0 {
      console.note(
        "\(counted(keyring.addedProductionKeys, "key")) of --trust-test-keys count as Apple's production keys; what they "
          + "sign is in every production figure")
    }
    return keyring
  }

  /// The keys that the user trusts besides Apple's.
  package func trustedKeys() throws -> [TrustedKey] {
    guard let path = try serviceConfiguration().trustedKeys else { return [] }
    return try Self.keys(in: path.text)
  }

  static func keys(in path: String) throws -> [TrustedKey] {
    let bytes = try FileReader.contents(of: path, limit: 1 << 20)
    return try naming("cannot read keys from '\(path)'") { try KeyFile.read(bytes) }
  }

  /// The form of rows that was asked for.
  var format: Format { self[.format] }

  /// Prints rows in the form that was asked for.
  func print<Row>(_ columns: [Column<Row>], _ rows: [Row], noteIfEmpty: String? = nil) {
    let notes = rows.isEmpty ? [noteIfEmpty].compactMap { $0 } : []
    console.write(Table(columns, rows: rows).text(format, notes: notes))
  }

  /// The path of the database; it may not exist yet.
  package var database: String { get throws(UsageError) { try self[RequiredOption.database] } }

  /// The path of the database of a command that can do without one.
  var databaseIfAny: String? { self[TypedOption.database] }

  /// The path of a database that has to exist already.
  func existingDatabase() throws -> String {
    let path = try database
    try naming("cannot open the database '\(path)'") { try requirePlainPath(path) }
    do {
      try FileReader.requireReadable(path)
    } catch {
      let remedy =
        error.code == .notFound ? "check the path; `skan serve` and `skan ingest` create a database" : nil
      throw CommandError(
        .inputOutput, "cannot open the database '\(path)': \(error.reason)", remedy: remedy ?? error.remedy)
    }
    return path
  }

  /// A reader of the database, which has to exist already.
  func reader() throws -> LedgerReader {
    let path = try existingDatabase()
    let reader = try naming("cannot read the database '\(path)'") { try LedgerReader(path: path) }
    // A second processor is worth a thread from some hundred thousand postbacks on.
    if processorCount > 1 { reader.blocksBeforeHelp = 50 }
    return reader
  }
}
