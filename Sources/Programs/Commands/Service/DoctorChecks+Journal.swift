import Arguments
import Health
import Journal
import Ledger
import System
import Values

extension DoctorChecks {
  /// Seconds by which clocks may differ; leases of jobs hold for four.
  private static let secondsOfClocks = 1.0

  /// What the journal's server promises, and whether the database follows it; nothing without a journal.
  static func journal(
    _ address: JournalAddress?, database: String?, isDeep: Bool, clock: WallClock, on console: Console
  ) -> [HealthFinding] {
    guard let address else { return [] }
    do {
      let address = try address.readable()
      let journal = PostgreSQLJournal(address)
      let ends = try journal.ends()
      let asked = clock()
      let server = try JournalDurability.read(address)
      let time = agreement(server.time, between: asked, and: clock())
      return [promise(server), time] + (try database.map { try [place(in: $0, journal, ends)] } ?? [])
        + (isDeep ? [try batches(of: journal, on: console)] : [])
    } catch {
      return [.fail(.journal, CommandError(error))]
    }
  }

  /// Whether all that the journal has is as it was appended.
  private static func batches(
    of journal: PostgreSQLJournal, on console: Console
  ) throws(JournalError) -> HealthFinding {
    let found = try JournalCommand.audit(journal, on: console)
    let sentence = JournalCommand.sentence(found)
    guard let first = found.faults.first else { return .ok(.batches, english: sentence) }
    let more = found.faulty == 1 ? "" : ", and \(grouped(found.faulty - 1)) more"
    return .fail(
      .batches, english: "position \(first.position): \(first.reason)\(more); \(sentence)",
      cure:
        "list all with `skan journal verify`; a new node begins with a backup of a node that has these batches"
    )
  }

  private static func promise(_ server: JournalDurability) -> HealthFinding {
    guard server.survivesPowerCut else {
      return .fail(
        .journal, english: "a power cut of its server loses acknowledged postbacks",
        cure: "set fsync and full_page_writes of PostgreSQL to on")
    }
    guard !server.standbys.isEmpty else {
      return .warn(
        .journal,
        english:
          "its server has no synchronous standby, so the loss of its disk loses acknowledged postbacks",
        cure: "name one in synchronous_standby_names of PostgreSQL")
    }
    // An append raises off to on.
    guard ["on", "remote_apply", "off"].contains(server.synchronousCommit) else {
      return .warn(
        .journal,
        english: "its server does not wait until the standby '\(server.standbys)' has a commit on its disk",
        cure: "set synchronous_commit of PostgreSQL to on")
    }
    return .ok(.journal, english: "its server commits with the standby '\(server.standbys)'")
  }

  /// Whether the server's clock and this machine's agree; the question took some time itself.
  private static func agreement(
    _ time: Instant, between begin: Instant, and end: Instant
  ) -> HealthFinding {
    let early = begin.milliseconds - time.milliseconds
    let late = time.milliseconds - end.milliseconds
    let seconds = Double(max(0, early, late)) / 1000
    guard seconds > secondsOfClocks else { return .ok(.clocks, english: "this machine and the server agree") }
    return .fail(
      .clocks,
      english:
        "the clock of this machine is \(fixed(seconds, 1)) seconds \(early > 0 ? "ahead of" : "behind") the server's",
      cure: "set both by NTP; jobs of one node pass to another by clocks")
  }

  private static func place(
    in database: String, _ journal: PostgreSQLJournal, _ ends: JournalEnds
  ) throws -> HealthFinding {
    let reader = try LedgerReader(path: database)
    do throws(LedgerError) { try FollowingProspect.require(reader, of: journal) } catch {
      return .fail(.node, CommandError(error))
    }
    guard let place = try reader.journalPlace() else {
      return .fail(
        .node, english: "the database follows no journal",
        cure: "start `skan serve` with --journal, or leave the option out")
    }
    let behind = max(0, ends.last.number - place.position.number)
    if let difference = try reader.checkpointDifferences().first {
      return .fail(.node, english: difference.sentence, cure: CheckpointDifference.remedy)
    }
    let unapplied = try reader.unappliedChanges()
    guard unapplied == 0 else {
      return .warn(
        .node, english: "\(unapplied) changes of the journal could not be applied",
        cure: "look into the table unapplied_change; a command that made one named the reason")
    }
    guard behind <= 1000 else {
      return .warn(
        .node, english: "the database is \(behind) batches behind",
        cure: "check that the service of this node runs")
    }
    return .ok(.node, english: "the database has the journal up to batch \(place.position), \(behind) behind")
  }
}
