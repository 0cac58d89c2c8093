package import Ledger
package import Postbacks
import System
import Values

/// Writes the rows of the report on postbacks into files by the day of arrival, each row once over all runs.
///
/// A run writes the parts of its rows, and then the manifest that has them. What a run without a manifest of its own has
/// left, the next one deletes.
package struct PostbackExport: Sendable {
  package struct Limits: Sendable {
    /// Rows after which the parts and the manifest are written; no part has more.
    package var rows = 1_000_000
    /// Bytes that wait to be packed, of all days.
    package var waitingBytes = 32 << 20

    package init() {}
  }

  package struct Outcome: Hashable, Sendable {
    package fileprivate(set) var rows = 0
    /// Rows that were exported again, because a mapping changed since.
    package fileprivate(set) var corrections = 0
    /// Files that this run wrote.
    package fileprivate(set) var files = 0
    /// Files of an interrupted run that were deleted.
    package fileprivate(set) var leftovers = 0
    package fileprivate(set) var allRows: Int64 = 0
    /// Whether the caller wished an end before the last row.
    package fileprivate(set) var isInterrupted = false
  }

  private let path: String
  private let environment: Environment
  private let program: String
  private let limits: Limits

  /// Names the folder.
  ///
  /// - Parameters:
  ///   - path: The folder, made where it is missing.
  ///   - environment: Whose keys signed the postbacks; a folder has those of one.
  ///   - program: The program with its version, for the manifest.
  ///   - limits: When files are written.
  package init(to path: String, of environment: Environment, program: String, limits: Limits = Limits()) {
    (self.path, self.environment, self.program, self.limits) = (path, environment, program, limits)
  }

  /// Exports what came since the last run.
  ///
  /// - Parameters:
  ///   - reader: The database, which may go on to be written.
  ///   - restarts: Whether an earlier export is deleted first.
  ///   - goesOn: Takes the rows of this run so far, and returns whether to go on; what was exported until then stays.
  /// - Throws: ``ExportError``, `LedgerError`, `FileError`, or `JSONFileError` for a broken manifest.
  package func run(
    from reader: LedgerReader, restarts: Bool = false, goesOn: (Int) -> Bool = { _ in true }
  ) throws -> Outcome {
    let folder = try ExportFolder(path)
    var manifest = folder.manifest ?? ExportManifest(environment: environment.rawValue)
    if restarts {
      // Its files are leftovers from here on.
      let old = manifest.files
      manifest = ExportManifest(environment: environment.rawValue)
      try write(manifest, to: folder)
      try folder.remove(old)
    } else if folder.manifest == nil {
      // So that what an interrupted first run leaves is known as such.
      try write(manifest, to: folder)
    }
    guard manifest.environment == environment.rawValue else {
      throw ExportError.otherEnvironment(
        folder: path, found: manifest.environment, asked: environment.rawValue)
    }
    try check(manifest.last, in: reader)
    var run = Run(manifest: manifest)
    run.outcome.leftovers = folder.leftovers
    var failure: (any Error)?
    // In one look at the database, so that rows are decoded by the mappings that the manifest has.
    try reader.consistently { () throws(LedgerError) in
      do {
        try exportAll(from: reader, in: &run, folder, goesOn)
      } catch let error as LedgerError {
        throw error
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try commit(&run, to: folder)
    try folder.writeSchemas(
      hasCorrections: run.manifest.files.contains { $0.path.stream == .corrections })
    run.outcome.allRows = run.manifest.rows
    return run.outcome
  }

  private func exportAll(
    from reader: LedgerReader, in run: inout Run, _ folder: ExportFolder, _ goesOn: (Int) -> Bool
  ) throws {
    let mappings = try reader.mappings().map {
      ExportManifest.Mapping(app: $0.app, effectiveFrom: $0.effectiveFrom, digest: $0.digest)
    }
    let last = run.manifest.last?.row ?? 0
    try correct(mappings, from: reader, in: &run, folder, goesOn)
    // An interrupted run corrects all again.
    if !run.outcome.isInterrupted { run.manifest.mappings = mappings }
    try export(
      .rows, PostbackQuery(environment: environment), after: last, from: reader, in: &run, folder, goesOn)
  }

  /// Exports rows again whose installs other versions of mappings can decode than those of the last run.
  private func correct(
    _ mappings: [ExportManifest.Mapping], from reader: LedgerReader, in run: inout Run,
    _ folder: ExportFolder,
    _ goesOn: (Int) -> Bool
  ) throws {
    guard let last = run.manifest.last else { return }
    for (app, since) in run.manifest.changes(to: mappings).sorted(by: { $0.key < $1.key }) {
      try export(
        .corrections, PostbackQuery(environment: environment, from: since, apps: [app]), after: 0,
        through: last.row,
        from: reader, in: &run, folder, goesOn)
    }
  }

  private func export(
    _ stream: PartPath.Stream, _ query: PostbackQuery, after first: Int64, through last: Int64 = .max,
    from reader: LedgerReader, in run: inout Run, _ folder: ExportFolder, _ goesOn: (Int) -> Bool
  ) throws {
    guard !run.outcome.isInterrupted else { return }
    var failure: (any Error)?
    try reader.forEachPostbackLine(of: query, after: first) { line in
      guard line.row <= last else { return false }
      do {
        guard goesOn(run.outcome.rows + run.outcome.corrections) else {
          run.outcome.isInterrupted = true
          return false
        }
        try add(line, to: stream, of: &run, in: folder)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  private struct Run {
    var manifest: ExportManifest
    var outcome = Outcome()
    var parts: [Place: DayPart] = [:]
    /// The last part of each day, written or begun.
    var numbers: [Place: Int]
    var rows = 0
    var waitingBytes = 0

    struct Place: Hashable {
      let stream: PartPath.Stream
      let day: Day
    }

    init(manifest: ExportManifest) {
      self.manifest = manifest
      numbers = Dictionary(
        manifest.files.map { (Place(stream: $0.path.stream, day: $0.path.day), $0.path.number) },
        uniquingKeysWith: max)
    }
  }

  /// Checks that the database has the postback after which the run goes on.
  private func check(_ last: ExportManifest.Cursor?, in reader: LedgerReader) throws {
    guard let last else { return }
    var isThere = false
    try reader.forEachPostback(PostbackQuery(environment: environment), after: last.row - 1) { postback in
      isThere =
        postback.row == last.row && postback.receivedAt == last.receivedAt
        && postback.identifier == last.identifier
      return false
    }
    guard isThere else { throw ExportError.otherDatabase(folder: path, row: last.row) }
  }

  private func add(
    _ line: PostbackLine, to stream: PartPath.Stream, of run: inout Run, in folder: ExportFolder
  ) throws {
    let place = Run.Place(stream: stream, day: line.receivedAt.day)
    let part: DayPart
    if let begun = run.parts[place] {
      part = begun
    } else {
      let path = PartPath(stream, day: place.day, number: (run.numbers[place] ?? 0) + 1)
      part = try DayPart(path, in: folder.makeFolder(of: path))
      run.parts[place] = part
      run.numbers[place] = path.number
    }
    part.add(line.text)
    switch stream {
    case .rows:
      run.manifest.last = .init(row: line.row, receivedAt: line.receivedAt, identifier: line.identifier)
      run.outcome.rows += 1
    case .corrections: run.outcome.corrections += 1
    }
    run.rows += 1
    run.waitingBytes += line.text.utf8.count
    if run.waitingBytes >= limits.waitingBytes {
      for part in run.parts.values { try part.flush() }
      run.waitingBytes = 0
    }
    if run.rows >= limits.rows { try commit(&run, to: folder) }
  }

  private func commit(_ run: inout Run, to folder: ExportFolder) throws {
    guard run.rows > 0 || folder.manifest?.mappings != run.manifest.mappings else { return }
    for part in run.parts.values.sorted(by: { $0.path.text < $1.path.text }) {
      guard let file = try part.commit() else { continue }
      run.manifest.files.append(file)
      run.outcome.files += 1
    }
    try write(run.manifest, to: folder)
    (run.parts, run.rows, run.waitingBytes) = ([:], 0, 0)
  }

  private func write(_ manifest: ExportManifest, to folder: ExportFolder) throws {
    try folder.write(manifest, program: program, schema: LedgerReader.layout)
  }
}
