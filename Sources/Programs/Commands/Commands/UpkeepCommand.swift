import Arguments
import JSONText
import Ledger
import Reporting
import System
import Values

/// `skan backup` and `skan prune`: copies a database while it is in use, and lets go of what no figure needs.
enum UpkeepCommand {
  static let backup = Entry(
    command: Command(
      "backup", "Copy a database to a new file while it is in use.",
      discussion: [
        "The copy is one state of the database, whole and without empty pages; postbacks are stored meanwhile. To restore "
          + "it, stop the daemon and put the copy in the database's place, without any -wal and -shm file beside it.",
        "The copy has its name only once it is whole, checked and on the disk. Ctrl-C or SIGTERM ends the work and leaves "
          + "nothing of it. Only this user can read the copy, because it holds the secrets that networks sign with. The "
          + "moment is noted in the database: /metrics shows the age of the last copy, and the alert backup-age has a "
          + "bound for it.",
      ],
      examples: [.init("Every night", "skan backup -d skan.db /backup/skan-$(date +%F).db")],
      positionals: [Positional("FILE", .path, "The new file.")], options: [.database()]),
    signals: .heed
  ) { call in
    let target = call.settings.positionals.first ?? ""
    try naming("cannot copy to '\(target)'") { try requirePlainPath(target) }
    let path = try call.existingDatabase()
    let interruption = call.interruption
    do {
      _ = try Folder(holding: target)
      let upkeep = try LedgerUpkeep(path: path, isWished: { interruption.isWished })
      try upkeep.copy(to: target)
      // In the database that goes on, for the alert on old copies.
      try upkeep.note(.backup, at: call.world.clock())
    } catch LedgerError.tookTooLong where interruption.isWished {
      call.console.problem("interrupted: no copy was made", remedy: "the same command again; it starts anew")
      return .interrupted
    } catch let error as FileError where error.code == .exists {
      throw CommandError(
        .inputOutput, "cannot write '\(target)': the file is there already", remedy: error.remedy)
    } catch {
      throw CommandError(error).about("cannot copy '\(path)' to '\(target)'")
    }
    call.console.note("'\(target)' is a copy of '\(path)'")
    return .done
  }

  static let prune = Entry(
    command: Command(
      "prune", "Let go of old bodies that no figure needs.",
      discussion: [
        "Bodies that nobody vouched for go, and those of further copies that say the same as the first one. The first copy "
          + "of every conversion stays byte for byte, contradictions stay, and so do all counts. The file keeps its size; "
          + "its empty pages are used again, and `skan backup` makes a copy without them.",
        "Ctrl-C or SIGTERM ends it after what it has done so far; the same command goes on from there.",
      ],
      examples: [.init("Older than 90 days", "skan prune -d skan.db --older-than 90d")],
      options: [
        .database(), .value("--older-than", "TIME", .duration, "How old, such as 90d.", isRequired: true),
        .flag("--dry-run", "Only count."), .format(["table", "json"]),
      ]),
    signals: .heed
  ) { call in
    let path = try call.existingDatabase()
    let age = call.settings.milliseconds("--older-than") ?? 0
    let dry = call.settings.isOn("--dry-run")
    let interruption = call.interruption
    let pruned: LedgerUpkeep.Pruned
    do throws(LedgerError) {
      pruned = try LedgerUpkeep(path: path, isWished: { interruption.isWished }).prune(
        before: call.world.clock() + -age, onlyCounts: dry)
    } catch {
      guard error == .tookTooLong, interruption.isWished else {
        throw CommandError(error).about("cannot prune '\(path)'")
      }
      call.console.problem(
        "interrupted: not all old bodies are gone", remedy: "the same command again; it goes on from there")
      return .interrupted
    }
    if call.format == .json {
      let json: JSONOutput = [
        "rejected-bodies": .integer(pruned.rejectedBodies), "copy-bodies": .integer(pruned.copyBodies),
        "dry-run": .bool(dry),
      ]
      call.console.line(json.text())
    } else {
      let verb = dry ? "would go" : "are gone"
      call.console.line("\(pruned.rejectedBodies) rejected bodies and \(pruned.copyBodies) copies \(verb)")
    }
    return .done
  }
}
