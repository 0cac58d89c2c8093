import Values
import Arguments
import JSONText
import Ledger
import Reporting
import System
import Values

/// `skan rebuild`: reads the bodies of a database again, recounts its totals from them, and mends what differs.
enum RebuildCommand {
  static let entry = Entry(
    command: Command(
      "rebuild", "Recount totals from the stored postbacks, and repair differences.",
      discussion: [
        "Reports read columns and totals that skan keeps beside the postbacks: counts by campaign and "
          + "day, values and arrivals by hour. --check reads every stored postback again, compares its "
          + "columns, and recounts all totals from the postbacks, further copies and rejected bodies. It "
          + "lists the first thousand columns that differ, and each total that differs; a daemon may run "
          + "meanwhile. The exit code is 1 if anything differs.",
        "--repair corrects these columns and totals in one transaction. It fails if a daemon or an "
          + "import has the database open, because they would wait. Ctrl-C or SIGTERM stops it without a "
          + "change.",
        "skan lists a postback that it cannot read, and does not change its row; the exit code is then 1 "
          + "after --repair too.",
        "skan does not verify signatures again. The environment depends on the key and not on the "
          + "postback, so skan does not compare it.",
        "The database has no arrival day for each of several copies, so skan compares copies over all "
          + "days. If their sum is wrong, the first copy counts on its day and the others on the day of the "
          + "last one.",
      ],
      examples: [
        .init("List the differences", "skan rebuild --check -d skan.db"),
        .init("Repair the differences, with the daemon stopped", "skan rebuild --repair -d skan.db"),
      ],
      options: [
        .database(), .flag("--check", "List differences without changes."),
        .flag("--repair", "Correct the columns and totals that differ."),
        .format(["table", "json"]),
      ]),
    signals: .heed
  ) { call in
    let repairs = call.settings.isOn("--repair")
    guard repairs != call.settings.isOn("--check") else {
      throw call.mistake("Use either '--check' or '--repair'.")
    }
    let path = try call.existingDatabase()
    let interruption = call.interruption
    let rebuild = LedgerRebuild(path: path, isWished: { interruption.isWished })
    var reading = Progress("rebuild", unit: "postbacks", total: nil, on: call.console)
    var comparing = Progress("rebuild", unit: "totals", total: LedgerRebuild.parts, on: call.console)
    var begun = 0
    func show(_ step: LedgerRebuild.Step) {
      switch step {
      case .read(let bodies): reading.advance(to: bodies)
      case .compare:
        comparing.advance(to: begun)
        begun += 1
      }
    }
    let findings: LedgerRebuild.Findings
    do throws(LedgerError) {
      findings = try repairs ? rebuild.repair(show) : rebuild.check(show)
    } catch {
      if error == .tookTooLong, interruption.isWished {
        call.console.problem(
          "interrupted: no change was made",
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
      call.console.write(json(findings, repairs).text(pretty: true) + "\n")
    } else {
      write(findings, repairs, on: call.console)
    }
    return findings.areEqual || (repairs && findings.rows.unreadable == 0) ? .done : .failedCheck
  }

  private static func write(_ findings: LedgerRebuild.Findings, _ repairs: Bool, on console: Console) {
    let rows = findings.rows
    guard !findings.areEqual else {
      return console.line("all rows agree with their postbacks, and all totals with their rows")
    }
    func ending(_ count: Int) -> String { repairs ? "repaired" : count == 1 ? "differs" : "differ" }
    if rows.unreadable > 0 {
      console.write(table(of: rows.unreadableBodies))
      console.line(
        "\(counted(rows.unreadable, "postback")) cannot be read; restore a backup")
    }
    if rows.differing > 0 {
      console.write(table(of: rows.differences))
      console.line("\(counted(rows.differing, "row")) \(ending(rows.differing))")
    }
    if !findings.totals.isEmpty {
      console.write(table(of: findings.totals))
      console.line("\(counted(findings.totals.count, "figure")) \(ending(findings.totals.count))")
    }
  }

  private static func table(of bodies: [UnreadableBody]) -> String {
    var table = TextTable([.init("row", isNumeric: true), .init("unreadable")])
    for body in bodies { table.add(["\(body.row)", body.reason]) }
    return table.text
  }

  private static func table(of differences: [RowDifference]) -> String {
    var table = TextTable([
      .init("row", isNumeric: true), .init("column"), .init("stored"), .init("in the postback"),
    ])
    for difference in differences {
      table.add([
        "\(difference.row)", difference.column.rawValue, difference.stored ?? "none",
        difference.inBody ?? "none",
      ])
    }
    return table.text
  }

  private static func table(of differences: [TotalsDifference]) -> String {
    var table = TextTable([
      .init("total"), .init("where"), .init("figure"), .init("stored", isNumeric: true),
      .init("counted", isNumeric: true),
    ])
    for difference in differences {
      let place = difference.place.map { "\($0.key.rawValue) \($0.text ?? "none")" }.joined(separator: ", ")
      table.add([
        difference.total.rawValue, place, difference.column, "\(difference.stored)", "\(difference.counted)",
      ])
    }
    return table.text
  }

  private static func json(_ findings: LedgerRebuild.Findings, _ repairs: Bool) -> JSONOutput {
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
      .init("equal", .bool(findings.areEqual)), .init("repaired", .bool(isRepaired)),
      .init("differences", .array(totals)),
      .init("differing-rows", .integer(Int64(findings.rows.differing))), .init("rows", .array(rows)),
      .init("unreadable-postbacks", .integer(Int64(findings.rows.unreadable))),
      .init("unreadable", .array(bodies)),
    ])
  }
}
