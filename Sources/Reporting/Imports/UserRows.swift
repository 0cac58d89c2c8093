package import Arguments
package import Campaigns
package import Ledger
import MappingEditing
import Mappings
package import Postbacks
package import Tables
package import Values

/// What is known of first-party users by value.
package struct UserRows: ImportedRows {
  package var period = Period<Instant>()
  package var apps: [AppID] = []

  package init() {}

  package static let word = "users"
  package static func noun(_ count: Int) -> Sentence {
    Sentence("\(count, one: "# value of users", other: "# values of users")")
  }
  package static let nouns = Sentence("values of users")
  package static let listing = "List the measured revenue of first-party users by conversion value."
  package static let parameters: [Parameter<Self>] = [
    .init("from", \.period.from, "First start of a mapping version to include (UTC)."),
    .init("to", \.period.to, "First start of a mapping version to exclude (UTC)."),
    .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all")),
  ]

  package struct Row: Sendable {
    let worth: ValueWorthRow
    /// The hour after first launch up to which the value of half of them had risen last, or the first of several.
    let medianHour: Int?

    var coarse: CoarseValue? {
      let order = worth.value - ValueWorthRow.firstCoarseValue
      return CoarseValue.allCases.indices.contains(order) ? CoarseValue.allCases[order] : nil
    }
  }

  /// Joins the users' revenue with the hours in which their values were final.
  package static func rows(_ worths: [ValueWorthRow], _ finalHours: [FinalHourRow]) -> [Row] {
    var hours: [Version: FinalHours] = [:]
    for row in finalHours {
      hours[Version(app: row.app, from: row.effectiveFrom), default: FinalHours()].add(
        row.users, value: row.value, hour: row.hour)
    }
    return worths.map { worth in
      Row(
        worth: worth,
        medianHour: hours[Version(app: worth.app, from: worth.effectiveFrom)]?.median(of: worth.value)?
          .lowerBound)
    }
  }

  private struct Version: Hashable {
    let app: AppID
    let from: Instant
  }

  package static let columns: [Column<Row>] = [
    Column("app", "app", "App Store number of the app.") { Identifier("\($0.worth.app.number)") },
    Column("effective-from", "mapping from", "When the mapping version takes effect.", \.worth.effectiveFrom),
    Column("value", "value", "Fine conversion value of the users; none for a coarse one.") {
      $0.worth.value < ValueWorthRow.firstCoarseValue ? $0.worth.value : nil
    },
    Column("coarse", "coarse", "Coarse conversion value of the users.", shown: .whereUseful) {
      $0.coarse?.rawValue
    },
    Column(
      "horizon-days", "horizon days",
      "Days from the install that their revenue counts for; none for as long as the first window counts.",
      shown: .whereUseful
    ) { row -> Int? in
      if case .days(let days) = row.worth.horizon { days } else { nil }
    },
    Column("users", "users", "Users who ended with the value.", \.worth.users),
    Column("currency", "currency", "Currency of the amounts.", \.worth.currency),
    Column("mean", "mean", "Mean revenue of a user.") {
      Amount(micros: $0.worth.users > 0 ? $0.worth.micros / $0.worth.users : 0)
    },
    Column("largest", "largest", "Largest revenue of a user.") { Amount(micros: $0.worth.largest) },
    Column(
      "saturated", "saturated",
      "Whether the sum of their revenue does not fit and is the largest amount instead; the mean is too low.",
      shown: .whereUseful
    ) { $0.worth.didSaturate ? true : nil },
    Column(
      "hours-to-last-rise", "hours to last rise",
      "Hours from the install to the last rise of the value, median of the users; SKAdNetwork 3 only.",
      shown: .whereUseful, \.medianHour),
  ]

  package static func key(_ row: Row) -> String {
    "\(row.worth.app.number)\u{1F}\(row.worth.effectiveFrom.milliseconds)\u{1F}\(row.worth.value)"
      + "\u{1F}\(row.worth.horizon)"
  }

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [Row] {
    let worths = try reader.valueWorth().filter { row in
      (apps.isEmpty || apps.contains(row.app)) && (period.from.map { $0 <= row.effectiveFrom } ?? true)
        && (period.to.map { row.effectiveFrom < $0 } ?? true)
    }
    return Self.rows(worths, try reader.finalHours())
  }

  /// Deletes the rows, and the events file of an app that has none left.
  package static func remove(_ rows: [Row], from store: ReferenceStore) throws -> Int {
    let count = try store.remove(rows.map(\.worth))
    let left = Set(try LedgerReader(path: store.path).valueWorth().map(\.app))
    for app in Set(rows.map(\.worth.app)).subtracting(left) {
      try ImportedUsers(beside: store.path).remove(of: app)
    }
    return count
  }
}
