import Ledger
import MappingFormats
import MappingLibrary
import Mappings
import Postbacks
import Service
import System

/// Keeps a ledger's mappings in step with a folder of mapping files while the daemon runs.
///
/// The folder is looked at every second, because not every file system tells of changes. A file counts once it
/// has been the same at two looks, so that half a file, as an editor leaves it for a moment, is not taken.
final class MappingWatch: Sendable {
  private struct State: Sendable {
    /// The folder as it was last loaded.
    var loaded: [FileMark]?
    /// The folder at the last look.
    var seen: [FileMark]?
    /// The last obstacle, so that it is told once and not every second.
    var obstacle: String?
    var isForced = false
  }

  private static let pause: UInt32 = 1_000_000

  private let folder: Folder
  private let database: String
  private let log: ServiceLog
  private let clock: WallClock
  private let figures: OperatorFigures
  private let state = Guarded(State())

  /// Watches a folder for a database.
  init(
    _ folder: Folder, database: String, log: ServiceLog, clock: @escaping WallClock, figures: OperatorFigures
  ) {
    self.folder = folder
    self.database = database
    self.log = log
    self.clock = clock
    self.figures = figures
  }

  /// Loads the folder, and goes on looking on a thread that lasts as long as the process.
  ///
  /// - Throws: `ThreadError`.
  func start() throws(ThreadError) {
    reload()
    _ = try Worker { [self] in
      while true {
        rest(microseconds: Self.pause)
        look(
          isForced: state.withLock { state in
            defer { state.isForced = false }
            return state.isForced
          })
      }
    }
  }

  /// Loads the folder at the next look, even where nothing seems to have changed.
  func demand() { state.withLock { $0.isForced = true } }

  /// Loads the folder now.
  func reload() { look(isForced: true) }

  private func look(isForced: Bool) {
    do {
      let marks = try folder.files(endingWith: ".json")
      let isDue = state.withLock { state in
        defer { state.seen = marks }
        return isForced || (marks != state.loaded && marks == state.seen)
      }
      guard isDue else { return }
      let files = marks.map { MappingLoad.File(path: "\(folder.path)/\($0.name)", source: $0.name) }
      let entries = try MappingLoad.load(
        files, into: MappingStore(path: database), isWhole: true, now: clock())
      state.withLock { state in
        state.loaded = marks
        state.obstacle = nil
      }
      figures.look(into: database)
      tell(entries)
    } catch {
      let obstacle = CommandError(error).message
      let isNew = state.withLock { state in
        defer { state.obstacle = obstacle }
        return state.obstacle != obstacle
      }
      // What is in force stays in force; the next look tries again.
      if isNew { log.write(.error, "mappings-not-loaded", [("reason", .string(obstacle))]) }
    }
  }

  private func tell(_ entries: [MappingLoad.LoadedFile]) {
    for entry in entries {
      var fields: [(String, ServiceLog.Value)] = [("file", .string(entry.source))]
      if let mapping = entry.mapping {
        fields += [
          ("app", .integer(mapping.app.number)), ("effective-from", .string("\(mapping.effectiveFrom)")),
        ]
      }
      guard entry.outcome.isFailure else {
        let level: ServiceLog.Level =
          if case .removed = entry.outcome { .warning } else { .info }
        if case .unchanged = entry.outcome { continue }
        if case .duplicate(let other) = entry.outcome { fields.append(("same-as", .string(other))) }
        log.write(level, "mapping-\(entry.outcome.word)", fields)
        continue
      }
      fields.append(("reason", .string(entry.reason)))
      fields.append(
        ("in-force", .string(entry.keepsOld ? "the file's last good state" : "nothing of this file")))
      if let remedy = entry.remedy { fields.append(("remedy", .string(remedy))) }
      log.write(.error, "mapping-\(entry.outcome.word)", fields)
    }
  }
}
