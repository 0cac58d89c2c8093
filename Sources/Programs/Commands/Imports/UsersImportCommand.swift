import Arguments
import EventFiles
import Intake
import Ledger
import Mappings
import MeasuredUsers
import Postbacks
import System
import Tables
import Values

/// `skan users import`: learns from the advertiser's own users what each value is really worth.
enum UsersImportCommand {
  static let entry = Entry(
    command: Command(
      "users import", "Import first-party users to measure the revenue of each conversion value.",
      discussion: [
        "skan replays the events of first-party users (with consent) through the app's mappings, each "
          + "user with the version in effect at the install. For each value, the database stores the number "
          + "of users and the sum, spread, skew and maximum of their revenue in window 1. For values with up "
          + "to 300 users it also stores each amount, and for values with more users the 13 highest amounts. "
          + "It stores nothing that identifies a user. Estimates use these figures instead of the middles of "
          + "ranges.",
        "The revenue is that of the hours since install that a fine value can show (48 hours, or the mapping's "
          + "measurement window), so that estimates mean the same with and without own users. --horizon 7,30,90 also "
          + "stores what these users paid in their first 7, 30 and 90 days, for `skan report estimates --horizon 7`. "
          + "Users whose history in the file is shorter than a horizon are left out of it and counted; the last event "
          + "of the file is its end.",
        "Under a mapping of SKAdNetwork 3 the database also stores, for each value, how many users had its last rise in "
          + "which hour after the install. Reports then date postbacks around a change of the mapping by these hours, and "
          + "fewer of them are mixed. Users who installed less than 8 days before the end of the file are left out of this, "
          + "or with a measurement window those whose window ends after it.",
        "Where the file has users' campaigns, those without one are organic, and how many users update windows 2 and 3 is counted "
          + "of the others alone. --horizon also stores how far users of a value differ between campaigns of at least "
          + "50 users, by which intervals of `skan report estimates --horizon` become narrower or wider.",
        "With --accounts, the revenue of --horizon is what the App Store's notifications state (`skan report purchases`), "
          + "renewals and refunds of a shut app among them, instead of the events' revenue; values and the revenue of window 1 "
          + "stay those of the events. The file has the columns user and original-transaction-id, a row for each purchase or "
          + "subscription; users without one paid nothing. skan stores neither. Users count whose time up to the horizon the "
          + "notifications cover, from the first one or the last pruning on.",
        "An import replaces earlier figures of the same mapping version.",
      ],
      examples: [
        .init(
          "Import users from an export", "skan users import -d skan.db --app 525463029 --events events.csv.gz"
        ),
        .init(
          "Learn the revenue of 7 and 30 days too",
          "skan users import -d skan.db --app 525463029 --events events.csv.gz --horizon 7,30"),
        .init(
          "Learn the revenue of 90 days from purchases that Apple signed",
          "skan users import -d skan.db --app 525463029 --events events.csv.gz --horizon 90 --accounts accounts.csv"
        ),
      ],
      options: [
        .database(), .journal,
        OwnUserOptions.app.option, OwnUserOptions.events.option, OwnUserOptions.horizon.option,
        OwnUserOptions.accounts.option,
      ] + Option.events + [
        .format()
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let path = try call.existingDatabase()
    let (app, history) = try call.mappingHistory()
    let users = try call.population(
      call[OwnUserOptions.events], currency: history.versions[0].currency)
    let measure = try UserMeasure(
      users, of: app, history, horizons: call.horizons, purchases: try purchases(of: app, call))
    let store = ReferenceStore(try call.changes(of: path))
    // Of a version that no user followed, nothing new is known.
    for version in measure.versions {
      try naming("cannot store in '\(path)'") {
        try store.replaceWorth(
          of: app, effectiveFrom: version.effectiveFrom, with: version.rows, finalHours: version.finalHours,
          windowUpdates: version.windowUpdates, withinValues: version.withinValues)
      }
    }
    try naming("cannot store in '\(path)'") {
      try store.note(usersImportedAt: call.world.clock(), rows: measure.rows.count)
    }
    call.print(columns, measure.rows)
    for note in measure.notes { call.console.note(note.english) }
    return .done
  }

  private static func purchases(of app: AppID, _ call: Invocation) throws -> UserPurchases? {
    guard let path = call[OwnUserOptions.accounts] else { return nil }
    guard !call.horizons.isEmpty else {
      throw CommandError(.usage, "--accounts needs --horizon, whose revenue it is for")
    }
    let file: AccountFile
    let bytes = try ReferenceImportCommand.bytes(of: path, call)
    do throws(ReferenceFileError) { file = try AccountFile(bytes) } catch {
      throw CommandError(.data, "\(path):\(error.line): \(error.sentence) [\(error.code)]")
    }
    guard let purchases = try UserPurchases(file, of: app, in: call.reader()) else {
      throw CommandError(
        .data, "found no purchase of app \(app.number) in the database",
        remedy: "receive the App Store's notifications; see `skan help report purchases`")
    }
    return purchases
  }

  private static let columns: [Column<ValueWorthRow>] = [
    Column("effective-from", "mapping from", "When the mapping version takes effect.", \.effectiveFrom),
    Column("horizon", "horizon", "Time since install whose revenue counts: window 1, or days (d).") {
      $0.horizon.text
    },
    Column("value", "value", "Conversion value of the users, fine or coarse.") { row -> String in
      row.isCoarse
        ? CoarseValue.allCases[row.value - ValueWorthRow.firstCoarseValue].rawValue : "\(row.value)"
    },
    Column("users", "users", "Users who ended with the value.", \.users),
    Column("currency", "currency", "Currency of the amounts.", \.currency),
    Column("mean", "mean", "Mean revenue of a user.") {
      Amount(micros: $0.users > 0 ? $0.micros / $0.users : 0)
    },
    Column("largest", "largest", "Largest revenue of a user.") { Amount(micros: $0.largest) },
  ]
}
