import Arguments
import JSONText
import Ledger
import System
import Tables
import Values

/// `skan backup` and `skan prune`: copies a database while it is in use, and deletes what no figure needs.
enum UpkeepCommand {
  enum Options {
    static let olderThan = RequiredOption<TimeSpan>.value(
      "--older-than", "TIME", .duration, "Minimum age of the bodies to delete, such as 90d.")
    static let dryRun = TypedOption<Bool>.flag("--dry-run", "Count the bodies without deleting them.")
  }

  static let backup = Entry(
    command: Command(
      "backup", "Copy a database to a new file while it is in use.",
      discussion: [
        "The copy is a consistent snapshot without empty pages; skan keeps storing postbacks meanwhile. "
          + "To restore it, stop the daemon, delete the -wal and -shm files, and put the copy in the place "
          + "of the database.",
        "The copy gets its name when it is complete, checked and on disk. Ctrl-C or SIGTERM stops the "
          + "copy and deletes its temporary file. Only the current user can read the copy, because it "
          + "contains the secrets of networks. skan records the time in the database: /metrics shows the age "
          + "of the last copy, and the alert backup-age has a limit for it.",
      ],
      examples: [.init("Every night", "skan backup -d skan.db /backup/skan-$(date +%F).db")],
      positionals: [Positional("FILE", .path, "The file to create.")], options: [.database(), .journal]),
    signals: .heed
  ) { call in
    let target = call.settings.positionals.first ?? ""
    try naming("cannot copy to '\(target)'") { try requirePlainPath(target) }
    let path = try call.existingDatabase()
    let interruption = call.interruption
    var unnoted: String?
    do {
      _ = try Folder(holding: target)
      let upkeep = try LedgerUpkeep(path: path, isInterrupted: { interruption.isRequested })
      try upkeep.copy(to: target)
      // In the database that goes on, for the alert on old copies. The copy of a node is as good without, and is made while
      // the journal is away too.
      let changes = try call.changes(by: upkeep)
      do throws(LedgerError) { try changes.note(.backup, at: call.world.clock()) } catch {
        guard error.isOfJournal || call.settings.isGiven(.journal) else { throw error }
        unnoted = "the time of this copy was not recorded: \(error)"
      }
    } catch LedgerError.tookTooLong where interruption.isRequested {
      call.console.problem(
        "interrupted: no copy was created", remedy: "run the same command again; it starts from the beginning"
      )
      return .interrupted
    } catch let error as FileError where error.code == .exists {
      throw CommandError(
        .inputOutput, "cannot write '\(target)': the file exists", remedy: error.remedy)
    } catch {
      throw CommandError(error).about("cannot copy '\(path)' to '\(target)'")
    }
    call.console.note("copied '\(path)' to '\(target)'")
    if let unnoted {
      call.console.problem(unnoted, remedy: "give the address of a journal that answers with --journal")
    }
    return .done
  }

  static let prune = Entry(
    command: Command(
      "prune", "Delete stored bodies that no report needs.",
      discussion: [
        "skan deletes the bodies of rejected postbacks, of further copies that agree with the first "
          + "copy, and single purchases with the digests of their accounts. It keeps the first copy of every conversion byte for byte, every conflicting copy, and "
          + "all counts and totals. A purchase that was pruned cannot be known again, so skan rejects purchases of "
          + "that time from then on; the App Store repeats a notification for a week. The file keeps its size; SQLite reuses the empty pages, and `skan backup` writes a "
          + "copy without them.",
        "Ctrl-C or SIGTERM stops the command; the same command then continues.",
      ],
      examples: [.init("Delete bodies older than 90 days", "skan prune -d skan.db --older-than 90d")],
      options: [
        .database(), .journal,
        Options.olderThan.option,
        Options.dryRun.option, .format(["table", "json"]),
      ]),
    signals: .heed
  ) { call in
    let path = try call.existingDatabase()
    let age = try call[Options.olderThan].milliseconds
    let dry = call[Options.dryRun]
    let interruption = call.interruption
    let pruned: PrunedBodies
    let upkeep = try naming("cannot prune '\(path)'") {
      try LedgerUpkeep(path: path, isInterrupted: { interruption.isRequested })
    }
    let changes = try call.changes(by: upkeep)
    do throws(LedgerError) {
      let end = call.world.clock() + -age
      pruned = dry ? try upkeep.countOldBodies(before: end) : try changes.prune(before: end)
    } catch {
      guard error == .tookTooLong, interruption.isRequested else {
        throw CommandError(error).about("cannot prune '\(path)'")
      }
      call.console.problem(
        "interrupted: some old bodies remain", remedy: "run the same command again; it continues")
      return .interrupted
    }
    if call.format == .json {
      let json: JSONOutput = [
        "rejected-bodies": .integer(pruned.rejected), "copy-bodies": .integer(pruned.copies),
        "inbox-arrivals": .integer(pruned.inboxArrivals), "purchases": .integer(pruned.purchases),
        "dry-run": .bool(dry),
      ]
      call.console.line(json.text())
    } else {
      let verb = dry ? "would be deleted" : "deleted"
      let inbox =
        pruned.inboxArrivals > 0 ? ", \(counted(pruned.inboxArrivals, "arrival")) at test inboxes" : ""
      let purchases = pruned.purchases > 0 ? ", \(counted(pruned.purchases, "purchase"))" : ""
      call.console.line(
        "\(pruned.rejected) rejected bodies and \(pruned.copies) copies\(inbox)\(purchases) \(verb)")
    }
    return .done
  }
}
