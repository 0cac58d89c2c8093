import Arguments
import Campaigns
import Imports
import JSONText
import System
import Tables
import Values

/// `skan names propose`: writes a file for `skan names import` from the names that networks sent beside postbacks.
enum NamesProposeCommand {
  static let entry = Entry(
    command: Command(
      "names propose", "Write a file of names from those that networks sent.",
      discussion: [
        "Networks add names of campaigns, ad sets and creatives to the postbacks that they forward; Apple signs none of "
          + "them. skan writes CSV for `skan names import`: a row for each campaign of an app that has one such name and no "
          + "imported one. The columns postbacks, since, until and senders are the evidence; the import ignores them. Check "
          + "the file before you import it.",
        "A campaign with several names is in no row: skan prints them with their evidence to standard error. Digits that "
          + "are the last ones of a longer campaign are left out too. `skan names sent` lists everything.",
        "A row begins \(ProposedNames.leadDays) days before the first postback with the name, because the last postback of an install "
          + "arrives that much later.",
      ],
      examples: [
        .init("Write a file of names", "skan names propose -d skan.db > names.csv"),
        .init(
          "Write the names of one network",
          "skan names propose -d skan.db --network example123.skadnetwork > names.csv"),
      ],
      options: [.database()] + SentNameReport.options)
  ) { call in
    let report: SentNameReport
    do throws(ParameterError) { report = try SentNameReport(call.settings) } catch {
      throw call.mistake(error)
    }
    let proposed = ProposedNames(
      try report.rows(in: ReportSource(reader: try call.reader(), now: call.world.clock())))
    call.console.write(proposed.file)
    for row in proposed.several.prefix(mostNotes) {
      call.console.note(
        "several names: \(printable(row.network)), campaign \(printable(row.campaign)), app \(row.app): "
          + "\(quoted(row.name)) in \(counted(Int(row.postbacks), "postback")) from \(row.first) to \(row.last), sent by "
          + printable(row.senders.joined(separator: ", ")))
    }
    let more = proposed.several.count - mostNotes
    if more > 0 { call.console.note("and \(grouped(more)) more; list them with `skan names sent`") }
    call.console.note(
      "\(counted(proposed.rows.count, "name")) proposed from unsigned members"
        + (proposed.shortForms == 0 ? "" : "; \(grouped(proposed.shortForms)) of short forms left out"))
    return .done
  }

  /// Names of such campaigns that are printed at most.
  private static let mostNotes = 40
}
