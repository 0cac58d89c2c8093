import Arguments
import JSONText
import Ledger
import Reporting
import System

/// `skan rebuild`: recounts the totals of a database from its rows, and mends those that differ.
enum RebuildCommand {
  static let entry = Entry(
    command: Command(
      "rebuild", "Recount the totals of a database from its postbacks, and repair those that differ.",
      discussion: [
        "Reports read totals that are kept beside the postbacks: counts by campaign and day, values and arrivals by hour. "
          + "--check recounts all of them from the stored postbacks, further copies and rejected bodies, and lists each "
          + "figure that differs, with what is stored and what is counted; a running daemon goes on meanwhile. The exit "
          + "code is 1 where anything differs.",
        "--repair sets each such figure to what is counted, all in one transaction. It refuses where a daemon or an ingest "
          + "has the database, which would have to wait for it. Ctrl-C or SIGTERM ends it with nothing changed.",
        "No row tells on which day each of several copies came, so copies are compared over all days; where their sum is "
          + "wrong, the first one counts on its day and the others on the day of the last one.",
      ],
      examples: [
        .init("List what differs", "skan rebuild --check -d skan.db"),
        .init("Repair it, with the daemon stopped", "skan rebuild --repair -d skan.db"),
      ],
      options: [
        .database(), .flag("--check", "List the totals that differ, and change nothing."),
        .flag("--repair", "Set the totals that differ to what is counted."), .format(["table", "json"]),
      ]),
    signals: .heed
  ) { call in
    let repairs = call.settings.isOn("--repair")
    guard repairs != call.settings.isOn("--check") else {
      throw call.mistake("Either '--check' or '--repair' is needed.")
    }
    let path = try call.existingDatabase()
    let interruption = call.interruption
    let rebuild = LedgerRebuild(path: path, isWished: { interruption.isWished })
    var progress = Progress("rebuild", unit: "parts", total: LedgerRebuild.parts, on: call.console)
    var begun = 0
    func willBegin(_ part: String) {
      progress.advance(to: begun)
      begun += 1
    }
    let differences: [TotalsDifference]
    do throws(LedgerError) {
      differences = try repairs ? rebuild.repair(willBegin) : rebuild.check(willBegin)
    } catch {
      if error == .tookTooLong, interruption.isWished {
        call.console.problem(
          "interrupted: nothing was changed", remedy: "the same command again; it starts anew")
        return .interrupted
      }
      if error == .busy, repairs {
        throw Obstacle(
          .unavailable, "cannot repair '\(path)': another program has the database",
          remedy: "stop the daemon or wait for the ingest, then run it again")
      }
      throw Obstacle(error).about("cannot recount '\(path)'")
    }
    if call.format == .json {
      call.console.write(json(differences, repairs).text(pretty: true) + "\n")
    } else {
      if !differences.isEmpty { call.console.write(table(differences)) }
      let figures = counted(differences.count, "figure")
      call.console.line(
        differences.isEmpty
          ? "all totals are the sum of their rows" : repairs ? "\(figures) repaired" : "\(figures) differ")
    }
    return repairs || differences.isEmpty ? .done : .bad
  }

  private static func table(_ differences: [TotalsDifference]) -> String {
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

  private static func json(_ differences: [TotalsDifference], _ repairs: Bool) -> JSONOutput {
    let list = differences.map { difference in
      var members: [JSONOutput.Member] = [.init("total", .string(difference.total.rawValue))]
      for member in difference.place { members.append(.init(member.key.rawValue, .optional(member.text))) }
      members.append(.init("figure", .string(difference.column.replacing("_", with: "-"))))
      members.append(.init("stored", .integer(difference.stored)))
      members.append(.init("counted", .integer(difference.counted)))
      return JSONOutput.object(members)
    }
    return .object([
      .init("equal", .bool(differences.isEmpty)), .init("repaired", .bool(repairs && !differences.isEmpty)),
      .init("differences", .array(list)),
    ])
  }
}
