import Arguments
import Journal
import Ledger
import System
import Values

extension JournalCommand {
  static let skip = Entry(
    command: Command(
      "journal skip", "Let a node pass over a batch that cannot be unpacked.",
      discussion: [
        "A node stops before a batch that it cannot unpack. Where a newer skan wrote it, upgrade the node. Where no skan reads it, its "
          + "content is lost for all nodes: run this command for the database of each node, its service may run, and all go on behind it "
          + "alike. A node that applied the batch has other rows than those that passed over it, which checkpoints find.",
        "skan passes over only the next batch of the database, at that position, whose digest is right and which cannot be "
          + "unpacked. It notes it in the table unapplied_change; `skan doctor` reports it from then on. A batch with a wrong digest "
          + "was changed after it was appended: begin that node again with a backup of a node that has applied it.",
      ],
      examples: [
        .init(
          "Go on behind batch 4711, on each node",
          "skan journal skip --journal postgres://skan@db.example/skan -d node.db --position 4711")
      ],
      options: [.database(), .journal, Options.position.option])
  ) { call in
    let position = JournalPosition(Int64(try call[Options.position]))
    let path = try call.existingDatabase()
    let journal = PostgreSQLJournal(try address(call))
    let defect = try naming("cannot pass over the batch at position \(position)") {
      try JournalMembership.skip(position, of: journal, in: path)
    }
    guard let defect else {
      throw CommandError(
        .failedCheck,
        "the batch at position \(position) is not the next one of '\(path)', or can be unpacked",
        remedy: "see where the database is with `skan journal status`")
    }
    call.console.note("'\(path)' passes over the batch at position \(position): \(defect)")
    return .done
  }
}
