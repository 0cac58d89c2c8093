import Arguments
import EstimateReports
import Ledger
import System
import Tables
import Values

/// `skan money`: shows and changes the currency and the days after install of estimated money.
enum MoneyCommand {
  enum Options {
    static let usual = TypedOption.flag(
      "--usual", "Forget what was chosen: the currency of the mappings, and the hours that values count.")
  }

  static let entry = Entry(
    command: Command(
      "money", "Show or choose the currency and the days after install of all estimated money.",
      discussion: [
        "The pages, the digest and alerts on return estimate money in one currency and up to one number of days after "
          + "install. The choice is in the database, so that this command and the form under Data in show and change the same. "
          + "--currency and --horizon each change one of the two; without an option nothing changes.",
        "Without a choice the currency is that of most apps' mappings, and the days are the hours that values count. A number of "
          + "days needs `skan users import --horizon` with as many days; until then it is the hours. Reports keep their own "
          + "--currency and --horizon.",
      ],
      examples: [
        .init("Show what all pages use", "skan money -d skan.db"),
        .init("Show all money in euros, up to 30 days", "skan money -d skan.db --currency EUR --horizon 30"),
      ],
      options: [.database(), .journal] + MoneyChoice.options + [Options.usual.option, .format()]), run: run)

  private struct Row {
    let shown: ReportingMoney
    let chosen: ChosenMoney?
  }

  private static func run(_ call: Invocation) throws -> ExitCode {
    let choice: MoneyChoice
    do throws(ParameterError) { choice = try MoneyChoice(call.settings) } catch { throw call.mistake(error) }
    guard !(choice.isMade && call[Options.usual]) else {
      throw call.mistake("'--usual' excludes '--currency' and '--horizon'.")
    }
    var chosen = try call.reader().imported(ChosenMoney.self).first
    if choice.isMade || call[Options.usual] {
      let path = try call.existingDatabase()
      let new =
        choice.isMade
        ? ChosenMoney(currency: choice.currency ?? chosen?.currency, days: choice.horizon ?? chosen?.days)
        : ChosenMoney(currency: nil, days: nil)
      try naming("cannot store in '\(path)'") {
        _ = try ReferenceStore(try call.changes(of: path)).put([new])
      }
      chosen = new
    }
    let shown = try ReportingMoney(ofService: call.reader(), now: call.world.clock())
    call.print(columns, [Row(shown: shown, chosen: chosen)])
    if let days = chosen?.days, shown.days == nil {
      call.console.note(
        "no imported users have \(counted(days, "day")) of history yet, so that the hours that values count are used; "
          + "import some with `skan users import --horizon \(days)`")
    }
    return .done
  }

  private static let columns: [Column<Row>] = [
    Column(
      "currency", "currency", "Currency of all estimated money; none without a mapping.",
      \.shown.currency?.text),
    Column(
      "horizon-days", "horizon days", "Days after install that count; none for the hours that values count.",
      \.shown.days),
    Column(
      "chosen-currency", "chosen currency", "Currency that was chosen; none for that of the mappings.",
      \.chosen?.currency?.text),
    Column("chosen-days", "chosen days", "Days that were chosen; none for the hours.", \.chosen?.days),
  ]
}
