import Arguments
import Configuration
import Journal
import JSONText
import Ledger
import System
import Tables
import Values

/// `skan journal`: sets up the ordered record that several machines follow, shows and verifies it, passes over what cannot be
/// read, deletes its old part, and takes a database out of it.
enum JournalCommand {
  enum Options {
    static let backup = RequiredOption<String>.value(
      "--backup", "FILE", .path, "Oldest backup of a node's database that is kept; batches behind it stay.")
    static let position = RequiredOption<Int>.value(
      "--position", "N", .integer(1...(.max)), "Position of the batch, as the message of the node names it.")
  }

  static let entries = [start, status, verify, skip, trim, copy]

  private static let start = Entry(
    command: Command(
      "journal init", "Set up a journal in a PostgreSQL database.",
      discussion: [
        "A journal is the ordered record of what changes a database of skan. Every machine (node) runs `skan serve "
          + "--journal ADDRESS` with a database file of its own, appends what it receives, and applies what all append, in "
          + "the same order. A node answers a postback with 200 once the journal and its own file have it.",
        "With --database, the journal begins with what that database has. It becomes the first node's; other nodes begin with "
          + "a copy of it (`skan backup`). Without, it begins empty, and so does every node.",
        "The command makes the schema skan_journal, once; later commands and services change no layout. The user needs the "
          + "right to create a schema only here. Set synchronous_standby_names and leave synchronous_commit on, or an "
          + "acknowledged postback is lost with the server's disk.",
      ],
      examples: [
        .init(
          "Begin with the database of a service, which is stopped",
          "skan journal init --journal postgres://skan@db.example/skan -d skan.db")
      ],
      options: [.database(isRequired: false), .journal])
  ) { call in
    let address = try address(call)
    let identity = try naming("cannot set up the journal") { try JournalSetup.run(address) }
    let journal = PostgreSQLJournal(address, identity: identity)
    guard call.databaseIfAny != nil else {
      let last = try naming("cannot read the journal") { try journal.ends() }.last
      call.console.note(
        last == .start
          ? "journal \(identity) is set up; its nodes begin with empty databases"
          : "journal \(identity) was set up before, and has batches up to \(last)")
      return .done
    }
    let path = try call.existingDatabase()
    let postbacks = try naming("cannot begin the journal with '\(path)'") {
      try JournalMembership.begin(journal, with: path)
    }
    guard let postbacks else {
      throw CommandError(
        .failedCheck, "'\(path)' follows a journal already",
        remedy: "start `skan serve` with it, or take it out with `skan journal copy`")
    }
    call.console.note("journal \(identity) begins with '\(path)' and its \(counted(postbacks, "postback"))")
    return .done
  }

  private struct Status {
    let identity: JournalIdentity
    let ends: JournalEnds
    var place: JournalPlace?
    var unapplied: Int64?
    var differences: [CheckpointDifference]?
  }

  private static let status = Entry(
    command: Command(
      "journal status", "Print what a journal has, and how far a node's database is behind.",
      discussion: [
        "skan reads all batches that the database does not have yet, and applies none. The exit code is 1 where a node with this "
          + "database would not start, or would stop at one of them, and where the database had other figures than another node at the same "
          + "place; the reason is printed. Batches that the database has are not read: see `skan journal verify`."
      ],
      examples: [
        .init("Look at a node", "skan journal status --journal postgres://skan@db.example/skan -d skan.db")
      ],
      options: [.database(isRequired: false), .journal, .format()])
  ) { call in
    let journal = PostgreSQLJournal(try address(call))
    let ends = try naming("cannot read the journal") { try journal.ends() }
    var status = Status(identity: ends.identity, ends: ends)
    let reader = call.databaseIfAny == nil ? nil : try call.reader()
    if let reader {
      status.place = try reader.journalPlace()
      status.unapplied = try reader.unappliedChanges()
      status.differences = try reader.checkpointDifferences()
    }
    call.print(columns, [status])
    guard let reader else { return .done }
    var progress = Progress("journal", unit: "batches", total: nil, on: call.console)
    do throws(LedgerError) {
      try FollowingProspect.require(reader, of: journal) { progress.advance(to: Int($0)) }
    } catch {
      throw CommandError(.failedCheck, error.description, remedy: error.remedy)
    }
    if let difference = status.differences?.first {
      throw CommandError(.failedCheck, difference.sentence, remedy: CheckpointDifference.remedy)
    }
    return .done
  }

  private static let columns: [Column<Status>] = [
    Column("journal", "journal", "Identity of the journal.") { Identifier($0.identity.description) },
    Column("first", "first", "Position of the oldest batch that is kept.", \.ends.first.number),
    Column("last", "last", "Position of the newest batch; 0 for none.", \.ends.last.number),
    Column(
      "position", "applied", "Position of the last batch in the database; none if it follows no journal."
    ) {
      $0.place?.position.number
    },
    Column("behind", "behind", "Batches that are not in the database yet.") { status in
      status.place.map { max(0, status.ends.last.number - $0.position.number) }
    },
    Column(
      "unapplied", "not applied", "Changes that no node can apply, such as a second token of one text.",
      \.unapplied),
    Column(
      "differences", "differences",
      "Figures that the database and another node's had differently at the same place."
    ) {
      $0.differences?.count
    },
  ]

  private static let trim = Entry(
    command: Command(
      "journal trim", "Delete the part of a journal that a backup has.",
      discussion: [
        "skan reads the position in the backup, which has to be sound, and deletes the batches up to it. A node that is "
          + "behind them begins again with that backup or a later one. The newest batch always stays."
      ],
      examples: [
        .init(
          "Every night, with the backup of a week ago",
          "skan journal trim --journal postgres://skan@db.example/skan --backup /backup/skan-old.db")
      ],
      options: [.journal, Options.backup.option])
  ) { call in
    let path = try call[Options.backup]
    let journal = PostgreSQLJournal(try address(call))
    let reader = try naming("cannot read the backup '\(path)'") {
      let reader = try LedgerReader(path: path)
      try reader.requireBodies()
      return reader
    }
    guard let place = try reader.journalPlace() else {
      throw CommandError(.data, "'\(path)' follows no journal", remedy: "give a copy of a node's database")
    }
    if let damage = try reader.firstDamage() {
      throw CommandError(.data, "'\(path)' is damaged: \(damage)", remedy: "give another backup")
    }
    let ends = try naming("cannot read the journal") { try journal.ends() }
    guard place.identity == ends.identity else {
      throw CommandError(JournalError.otherJournal(found: ends.identity, expected: place.identity))
    }
    try naming("cannot trim the journal") {
      try journal.trim(before: min(place.position.next, ends.last), backedUpTo: place.position)
    }
    let first = try naming("cannot read the journal") { try journal.ends() }.first
    call.console.note("the journal has batches from \(first) to \(ends.last)")
    return .done
  }

  private static let copy = Entry(
    command: Command(
      "journal copy", "Copy a node's database to one that follows no journal.",
      discussion: [
        "The copy has everything that the node has applied, byte for byte, and takes changes into its own file from then on. "
          + "The node and the journal stay as they are."
      ],
      examples: [.init("Leave a journal", "skan journal copy -d node.db skan.db")],
      positionals: [Positional("FILE", .path, "The file to create.")], options: [.database()]),
    signals: .heed
  ) { call in
    let target = call.settings.positionals.first ?? ""
    let path = try call.existingDatabase()
    let interruption = call.interruption
    do {
      try LedgerReader(path: path).requireBodies()
      _ = try Folder(holding: target)
      try LedgerUpkeep(path: path, isInterrupted: { interruption.isRequested }).copy(to: target)
      try JournalMembership.end(of: target)
    } catch LedgerError.tookTooLong where interruption.isRequested {
      call.console.problem("interrupted: no copy was created", remedy: "run the same command again")
      return .interrupted
    } catch {
      throw CommandError(error).about("cannot copy '\(path)' to '\(target)'")
    }
    call.console.note("copied '\(path)' to '\(target)', which follows no journal")
    return .done
  }

  static func address(_ call: Invocation) throws -> String {
    let configuration: ServiceConfiguration
    do throws(ParameterError) { configuration = try ServiceConfiguration(call.settings) } catch {
      throw call.mistake(error)
    }
    guard let address = configuration.journal else {
      throw call.mistake(
        "The address of the journal is missing.", hint: "Give it with --journal, or in SKAN_JOURNAL.")
    }
    return try address.readable()
  }
}
