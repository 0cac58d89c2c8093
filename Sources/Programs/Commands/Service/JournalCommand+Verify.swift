import Arguments
import Journal
import JSONText
import Ledger
import System
import Tables
import Values

extension JournalCommand {
  static let verify = Entry(
    command: Command(
      "journal verify", "Read a complete journal, and verify its chain of digests and every batch.",
      discussion: [
        "skan reads every batch that the journal has, also those that all nodes have applied: whether positions and the numbers of "
          + "each node have no gap, whether the chain of SHA-256 holds, whether each batch can be unpacked and read, and whether what the "
          + "journal has noted of its ends and nodes agrees. Nodes may append meanwhile. The exit code is 1 if anything is wrong; "
          + "the first thousand faults are listed.",
        "No digest of before proves the first batch of a trimmed journal, nor one behind missing batches: these are counted by themselves.",
        "Nodes that have applied a damaged batch keep what it had. For a new node, restore a backup of a node that has the "
          + "batch; the journal itself is made again with `skan journal copy` and `skan journal init`.",
      ],
      examples: [
        .init("Every week", "skan journal verify --journal postgres://skan@db.example/skan")
      ],
      options: [.journal, .format(["table", "json"])])
  ) { call in
    let journal = PostgreSQLJournal(try address(call))
    let found = try naming("cannot read the journal") { try audit(journal, on: call.console) }
    if call.format == .json {
      call.console.write(json(found).text(pretty: true) + "\n")
    } else {
      if !found.areSound {
        call.console.write(Table(faultColumns, rows: found.faults).text(.table))
        call.console.line("\(counted(found.faulty, "fault")) in the journal")
      }
      call.console.line(sentence(found))
    }
    return found.areSound ? .done : .failedCheck
  }

  /// Reads a journal, and shows how far it is.
  static func audit(_ journal: any Journal, on console: Console) throws(JournalError) -> JournalAudit.Findings
  {
    var progress = Progress("journal", unit: "batches", total: nil, on: console)
    return try JournalAudit.run(journal) {
      AnyChange.defect(in: $0, at: $1)
    } didRead: { read, _ in
      progress.advance(to: Int(read))
    }
  }

  /// What was read, and what of it is not proven, in one sentence without a full stop.
  static func sentence(_ found: JournalAudit.Findings) -> String {
    "\(grouped(found.batches)) \(found.batches == 1 ? "batch" : "batches") read"
      + (found.unproven == 0 ? "" : ", \(grouped(found.unproven)) of them not proven by a digest of before")
  }

  private static let faultColumns: [Column<JournalAudit.Fault>] = [
    Column("position", "position", "Position in the journal.", \.position.number),
    Column("fault", "fault", "What is wrong.", \.reason),
  ]

  private static func json(_ found: JournalAudit.Findings) -> JSONOutput {
    let faults = found.faults.map { fault in
      JSONOutput.object([
        .init("position", .integer(fault.position.number)), .init("fault", .string(fault.reason)),
      ])
    }
    return .object([
      .init("sound", .bool(found.areSound)), .init("batches", .integer(found.batches)),
      .init("unproven", .integer(found.unproven)), .init("faulty", .integer(Int64(found.faulty))),
      .init("faults", .array(faults)),
    ])
  }
}
