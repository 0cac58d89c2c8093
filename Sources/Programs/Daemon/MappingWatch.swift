import Ledger
import MappingLibrary
import System
import Values

/// Keeps a ledger's mappings in step with a folder of mapping files while the daemon runs.
///
/// The folder is looked at every second, because not every file system reports changes. A file counts once it
/// has been the same at two looks, so that half a file, as an editor leaves it for a moment, is not taken.
final class MappingWatch: Watch {
  private struct State: Sendable {
    /// The folder as it was last loaded.
    var loaded: [FileMark]?
    /// The folder at the last look.
    var seen: [FileMark]?
    /// The last error, so that it is logged once and not every second.
    var problem: String?
    var isForced = false
  }

  private let folder: Folder
  private let context: DaemonContext
  private let state = Guarded(State())
  private let periodic = Periodic(everyMicroseconds: 1_000_000)

  init(_ folder: Folder, _ context: DaemonContext) {
    self.folder = folder
    self.context = context
  }

  /// Loads the folder before it returns.
  func start() throws(ThreadError) {
    look(isForced: true)
    try periodic.start { [self] in
      look(
        isForced: state.withLock { state in
          defer { state.isForced = false }
          return state.isForced
        })
    }
  }

  func stop() { periodic.stop() }

  /// Loads the folder on the watch's thread, even where nothing seems to have changed.
  func reload() {
    state.withLock { $0.isForced = true }
    periodic.tick()
  }

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
        files, into: MappingStore(context.changes), isWhole: true, now: context.clock())
      state.withLock { state in
        state.loaded = marks
        state.problem = nil
      }
      context.figures.look(into: context.database)
      logChanges(entries)
    } catch {
      let problem = CommandError(error).message
      let isNew = state.withLock { state in
        defer { state.problem = problem }
        return state.problem != problem
      }
      // What is in force stays in force; the next look tries again.
      if isNew { context.log.write(.error, "mappings-not-loaded", [("reason", .string(problem))]) }
    }
  }

  private func logChanges(_ entries: [MappingLoad.LoadedFile]) {
    for entry in entries {
      var fields: [(String, ServiceLog.Value)] = [("file", .string(entry.source))]
      if let app = entry.appNumber, let moment = entry.effectiveFrom {
        fields += [("app", .integer(app)), ("effective-from", .string("\(moment)"))]
      }
      guard entry.outcome.isFailure else {
        let level: ServiceLog.Level =
          if case .removed = entry.outcome { .warning } else { .info }
        if case .unchanged = entry.outcome { continue }
        if case .duplicate(let other) = entry.outcome { fields.append(("same-as", .string(other))) }
        context.log.write(level, "mapping-\(entry.outcome.word)", fields)
        continue
      }
      fields.append(("reason", .string(entry.reason.english)))
      fields.append(
        ("in-force", .string(entry.keepsOld ? "the file's last valid version" : "no version of this file")))
      if let remedy = entry.remedy { fields.append(("remedy", .string(remedy.english))) }
      context.log.write(.error, "mapping-\(entry.outcome.word)", fields)
    }
  }
}
