import Arguments
import JSONText
import Ledger
import System
import Tables
import Values

/// `skan rebuild`: reads the bodies of a database again, recounts its totals from them, and mends what differs.
enum RebuildCommand {
  enum Options {
    static let check = TypedOption<Bool>.flag("--check", "List differences without changes.")
    static let repair = TypedOption<Bool>.flag("--repair", "Correct the columns and totals that differ.")
  }

  static let entry = Entry(
    command: Command(
      "rebuild", "Recount totals from the stored postbacks, and repair differences.",
      discussion: [
        "Reports read columns and totals that skan keeps beside the postbacks: counts by campaign and "
          + "day, values and arrivals by hour. --check reads every stored postback again, compares its "
          + "columns, and recounts all totals from the postbacks, further copies and rejected bodies. It "
          + "lists the first thousand columns that differ, and each total that differs. It also examines the "
          + "structure of the file and the index of conversions, as `skan doctor --deep` does. A daemon may run "
          + "meanwhile. The exit code is 1 if anything differs or is damaged.",
        "skan then digests every stored body again, and verifies the signature of every postback and copy: a digest "
          + "covers the bytes that are not signed, and the time of arrival. It lists the first thousand rows that are not as they came; only "
          + "a backup has them. Give --trust-test-keys as the service has it. What cannot be verified, such as "
          + "postbacks of a key that was not given, is counted by itself, and never as sound.",
        "--repair corrects these columns and totals in one transaction. It fails if a daemon or an "
          + "import has the database open, because they would wait. Ctrl-C or SIGTERM stops it without a "
          + "change.",
        "--repair changes nothing if the structure of the file is damaged: restore a backup.",
        "skan lists a postback that it cannot read, and does not change its row; the exit code is then 1 "
          + "after --repair too.",
        "The database has no arrival day for each of several copies, so skan compares copies over all "
          + "days. If their sum is wrong, the first copy counts on its day and the others on the day of the "
          + "last one.",
      ],
      examples: [
        .init("List the differences", "skan rebuild --check -d skan.db"),
        .init("Repair the differences, with the daemon stopped", "skan rebuild --repair -d skan.db"),
      ],
      options: [
        .database(), Options.check.option,
        Options.repair.option,
        .trustTestKeys, .format(["table", "json"]),
      ]),
    signals: .heed
  ) { call in
    let repairs = call[Options.repair]
    guard repairs != call[Options.check] else {
      throw call.mistake("Use either '--check' or '--repair'.")
    }
    let path = try call.existingDatabase()
    let keyring = try call.keyring()
    let interruption = call.interruption
    let rebuild = LedgerRebuild(path: path, isInterrupted: { interruption.isRequested })
    var reading = Progress("rebuild", unit: "postbacks", total: nil, on: call.console)
    var comparing = Progress("rebuild", unit: "totals", total: LedgerRebuild.parts, on: call.console)
    var begun = 0
    func show(_ step: LedgerRebuild.Step) {
      switch step {
      case .examine: comparing.advance(to: 0)
      case .read(let bodies): reading.advance(to: bodies)
      case .compare:
        comparing.advance(to: begun)
        begun += 1
      }
    }
    var verifying = Progress("rebuild", unit: "bodies", total: nil, on: call.console)
    let findings: LedgerRebuild.Findings
    var isRepaired = false
    // Damaged pages have none to verify.
    var bodies: BodyFindings?
    do throws(LedgerError) {
      findings = try repairs ? rebuild.repair(show) : rebuild.check(show)
      isRepaired = repairs
      if findings.damage.isEmpty {
        bodies = try LedgerReader(path: path).examineBodies(by: keyring) {
          interruption.isRequested
        } didRead: {
          verifying.advance(to: $0)
        }
      }
    } catch {
      if error == .tookTooLong, interruption.isRequested {
        call.console.problem(
          "interrupted: \(isRepaired ? "the repair is done, and signatures are not verified" : "no change was made")",
          remedy: "run the same command again; it starts from the beginning")
        return .interrupted
      }
      if error == .busy, repairs {
        throw CommandError(
          .unavailable, "cannot repair '\(path)': another program has the database open",
          remedy: "stop the daemon, or wait for the import to finish, and run the command again")
      }
      throw CommandError(error).about("cannot recount '\(path)'")
    }
    if call.format == .json {
      call.console.write(json(findings, bodies, repairs).text(pretty: true) + "\n")
    } else {
      write(findings, repairs, on: call.console)
      if let bodies { write(bodies, on: call.console) }
    }
    let isMended = repairs && findings.rows.unreadable == 0 && findings.damage.isEmpty
    return (findings.areEqual || isMended) && bodies?.areSound == true ? .done : .failedCheck
  }

  private static func write(_ findings: LedgerRebuild.Findings, _ repairs: Bool, on console: Console) {
    let rows = findings.rows
    guard !findings.areEqual else {
      return console.line("all rows agree with their postbacks, and all totals with their rows")
    }
    for damage in findings.damage { console.line("damaged: \(damage); restore a backup") }
    func ending(_ count: Int) -> String { repairs ? "repaired" : count == 1 ? "differs" : "differ" }
    if rows.unreadable > 0 {
      console.write(Table(bodyColumns, rows: rows.unreadableBodies).text(.table))
      console.line(
        "\(counted(rows.unreadable, "postback")) cannot be read; restore a backup")
    }
    if rows.differing > 0 {
      console.write(Table(rowColumns, rows: rows.differences).text(.table))
      console.line("\(counted(rows.differing, "row")) \(ending(rows.differing))")
    }
    if !findings.totals.isEmpty {
      console.write(Table(totalColumns, rows: findings.totals).text(.table))
      console.line("\(counted(findings.totals.count, "figure")) \(ending(findings.totals.count))")
    }
  }

  private static func write(_ bodies: BodyFindings, on console: Console) {
    if !bodies.areSound {
      console.write(bodies.faultTable.text(.table))
      console.line(
        "\(counted(bodies.faulty, "row")) \(bodies.faulty == 1 ? "is" : "are") not as stored; restore a backup"
      )
    }
    console.line(bodies.sentence)
  }

  private static let bodyColumns: [Column<UnreadableBody>] = [
    Column("row", "row", "Row of the postback.") { NumberCell("\($0.row)") },
    Column("reason", "unreadable", "Why it cannot be read.", \.reason),
  ]

  private static let rowColumns: [Column<RowDifference>] = [
    Column("row", "row", "Row of the postback.") { NumberCell("\($0.row)") },
    Column("column", "column", "Column that differs.", \.column.rawValue),
    Column("stored", "stored", "What the row has.", none: "none", \.stored),
    Column("in-postback", "in the postback", "What the postback has.", none: "none", \.inBody),
  ]

  private static let totalColumns: [Column<TotalsDifference>] = [
    Column("total", "total", "Table of totals.", \.total.rawValue),
    Column("where", "where", "Row of the totals.") { difference in
      difference.place.map { "\($0.key.rawValue) \($0.text ?? "none")" }.joined(separator: ", ")
    },
    Column("figure", "figure", "Figure that differs.", \.column),
    Column("stored", "stored", "What the total has.") { NumberCell("\($0.stored)") },
    Column("counted", "counted", "What the rows come to.") { NumberCell("\($0.counted)") },
  ]

  private static func json(
    _ findings: LedgerRebuild.Findings, _ stored: BodyFindings?, _ repairs: Bool
  ) -> JSONOutput {
    let totals = findings.totals.map { difference in
      var members: [JSONOutput.Member] = [.init("total", .string(difference.total.rawValue))]
      for member in difference.place { members.append(.init(member.key.rawValue, .optional(member.text))) }
      members.append(.init("figure", .string(difference.column.replacing("_", with: "-"))))
      members.append(.init("stored", .integer(difference.stored)))
      members.append(.init("counted", .integer(difference.counted)))
      return JSONOutput.object(members)
    }
    let rows = findings.rows.differences.map { difference in
      JSONOutput.object([
        .init("row", .integer(difference.row)), .init("column", .string(difference.column.rawValue)),
        .init("stored", .optional(difference.stored)), .init("in-postback", .optional(difference.inBody)),
      ])
    }
    let bodies = findings.rows.unreadableBodies.map { body in
      JSONOutput.object([.init("row", .integer(body.row)), .init("reason", .string(body.reason))])
    }
    let isRepaired = repairs && (findings.rows.differing > 0 || !findings.totals.isEmpty)
    return .object([
      .init("equal", .bool(findings.areEqual && stored?.areSound == true)),
      .init("repaired", .bool(isRepaired)),
      .init("damage", .array(findings.damage.map { .string($0) })),
      .init("differences", .array(totals)),
      .init("differing-rows", .integer(Int64(findings.rows.differing))), .init("rows", .array(rows)),
      .init("unreadable-postbacks", .integer(Int64(findings.rows.unreadable))),
      .init("unreadable", .array(bodies)), .init("evidence", stored?.json ?? .null),
    ])
  }
}
