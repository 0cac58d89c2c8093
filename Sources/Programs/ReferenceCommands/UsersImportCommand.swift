import Arguments
import EventFiles
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Simulation
import System
import Tables
import Values
package import CommandSupport

/// `skan users import`: learns from the advertiser's own users what each value is really worth.
package enum UsersImportCommand {
  package static let entry = Entry(
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
        "An import replaces earlier figures of the same mapping version.",
      ],
      examples: [
        .init(
          "Import users from an export", "skan users import -d skan.db --app 525463029 --events events.csv.gz"
        ),
        .init(
          "Learn the revenue of 7 and 30 days too",
          "skan users import -d skan.db --app 525463029 --events events.csv.gz --horizon 7,30"),
      ],
      options: [
        .database(),
        OwnUserOptions.app.option, OwnUserOptions.events.option, OwnUserOptions.horizon.option,
      ] + Option.events + [
        .format()
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let path = try call.existingDatabase()
    let (app, history) = try call.mappingHistory()
    let users = try call.population(
      call[OwnUserOptions.events], currency: history.versions[0].currency)
    let horizons = call.horizons
    let end = try OwnUsers.historyEnd(of: users)
    var leftOut = [Int](repeating: 0, count: horizons.count + 1)
    let worth = try history.versions.indices.map { index in
      let own = OwnUsers(history, version: index, horizons: horizons, historyEnd: end)
      let measured = try measure(own, app, users)
      for (place, count) in measured.leftOut.enumerated() { leftOut[place] += count }
      return measured.rows
    }
    let store = try naming("cannot store in '\(path)'") { try ReferenceStore(path: path) }
    var rows: [ValueWorthRow] = []
    for (index, measured) in worth.enumerated() {
      let from = history.versions[index].effectiveFrom
      // Of a version that no user followed, nothing new is known.
      guard !measured.isEmpty else { continue }
      try naming("cannot store in '\(path)'") {
        try store.replaceWorth(of: app, effectiveFrom: from, with: measured)
      }
      rows += measured
    }
    call.print(columns, rows)
    let count = rows.filter { $0.horizon == .firstWindow && !$0.isCoarse }.reduce(0) { $0 + $1.users }
    call.console.note(
      "\(counted(count, "user")) of \(users.users) imported; \(Int64(users.users) - count - Int64(leftOut[0])) installed "
        + "the app under no mapping")
    for (horizon, left) in zip([.firstWindow] + horizons, leftOut) where left > 0 {
      call.console.note(
        "left out of \(horizon.text): \(counted(left, "user")) whose history is shorter, because the file ends at \(end)"
      )
    }
    if count == 0 {
      call.console.note(
        "nothing is stored; import a file that begins after a mapping takes effect and ends later than window 1 of its users"
      )
    }
    try tellOtherCurrencies(users, history, call)
    return .done
  }

  /// Reports that amounts in other currencies than the mappings' are left out.
  static func tellOtherCurrencies(
    _ users: Population, _ history: MappingHistory, _ call: Invocation
  ) throws {
    var others: Set<CurrencyCode> = []
    try users.forEachCohort { others.formUnion($0.names.currencies) }
    others.subtract(history.versions.map(\.currency))
    guard !others.isEmpty else { return }
    call.console.note(
      "amounts in \(others.sorted().map(\.text).joined(separator: ", ")) are not counted, because the "
        + "mapping is in \(history.versions[0].currency.text); the users' revenue is too low by these "
        + "amounts")
  }

  /// The revenue of the users of one version, by horizon and value; and how many are left out of each horizon, because
  /// their history is shorter.
  private static func measure(
    _ own: OwnUsers, _ app: AppID, _ population: Population
  ) throws -> (rows: [ValueWorthRow], leftOut: [Int]) {
    let places = ValueWorthRow.firstCoarseValue + CoarseValue.allCases.count
    var amounts = own.horizons.map { _ in [[Int64]](repeating: [], count: places) }
    var leftOut = own.horizons.map { _ in 0 }
    try own.forEach(of: population) { user in
      for (index, micros) in user.micros.enumerated() {
        guard let micros else {
          leftOut[index] += 1
          continue
        }
        amounts[index][user.value].append(micros)
        if let coarse = user.coarse, let step = CoarseValue.allCases.firstIndex(of: coarse) {
          amounts[index][ValueWorthRow.firstCoarseValue + step].append(micros)
        }
      }
    }
    let rows = zip(own.horizons, amounts).flatMap { horizon, amounts in
      amounts.enumerated().filter { !$1.isEmpty }.map { value, each in
        ValueWorthRow(
          app: app, effectiveFrom: own.mapping.effectiveFrom, horizon: horizon,
          currency: own.mapping.currency.text, value: value, each: each)
      }
    }
    return (rows, leftOut)
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

extension ValueWorthRow {
  fileprivate var isCoarse: Bool { value >= Self.firstCoarseValue }
}
