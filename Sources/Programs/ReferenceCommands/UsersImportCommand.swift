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
        "An import replaces earlier figures of the same mapping version.",
      ],
      examples: [
        .init(
          "Import users from an export", "skan users import -d skan.db --app 525463029 --events events.csv.gz"
        )
      ],
      options: [
        .database(),
        .value("--app", "ID", .integer(1...(.max)), "App Store number of the app.", isRequired: true),
        .value("--events", "EVENTS", .path, "Events file; -: standard input.", isRequired: true),
      ] + Option.events + [
        .format()
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let number = Int64(call.settings.integer("--app") ?? 0)
    let path = try call.existingDatabase()
    let catalog = try MappingCatalog(from: call.reader())
    guard let app = AppID(number), let history = catalog.histories[app] else {
      throw CommandError(
        .data, "found no mapping of app \(number) in '\(path)'",
        remedy: "load one with `skan mapping load`")
    }
    let users = try call.population(
      call.settings.text("--events") ?? "-", currency: history.versions[0].currency)
    let worth = try history.versions.indices.map { index in
      try measure(history, index, app, users)
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
    let count = rows.reduce(0) { $0 + $1.users }
    call.console.note("\(count) of \(counted(users.users, "user")) installed the app under a mapping")
    try tellOtherCurrencies(users, history, call)
    return .done
  }

  /// Reports that amounts in other currencies than the mappings' are left out.
  private static func tellOtherCurrencies(
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

  /// The revenue of the users of one version, by value.
  private static func measure(
    _ history: MappingHistory, _ index: Int, _ app: AppID, _ population: Population
  ) throws -> [ValueWorthRow] {
    let mapping = history.versions[index]
    let end = index + 1 < history.versions.count ? history.versions[index + 1].effectiveFrom : nil
    let simulator = Simulator(SimulationConfiguration(mapping))
    var amounts = [[Int64]](repeating: [], count: 64)
    for place in 0..<population.cohortCount {
      guard let cohort = try population.cohort(at: place).attributed(from: mapping.effectiveFrom, to: end)
      else {
        continue
      }
      let crowd = simulator.crowd(from: simulator.crowd(of: cohort))
      _ = simulator.run(cohort, crowd: crowd) { postback in
        guard postback.window == .first, postback.conversion == 0, postback.didWin else { return }
        let value = Int(postback.trueFine?.number ?? 0)
        amounts[value].append(postback.revenue.micros)
      }
    }
    return (0..<64).filter { !amounts[$0].isEmpty }.map { value in
      ValueWorthRow(
        app: app, effectiveFrom: mapping.effectiveFrom, currency: mapping.currency.text, value: value,
        each: amounts[value])
    }
  }

  private static let columns: [Column<ValueWorthRow>] = [
    Column("effective-from", "mapping from", "When the mapping version takes effect.", \.effectiveFrom),
    Column("value", "value", "Conversion value of the users.", \.value),
    Column("users", "users", "Users who ended with the value.", \.users),
    Column("currency", "currency", "Currency of the amounts.", \.currency),
    Column("mean", "mean", "Mean revenue of a user.") {
      Amount(micros: $0.users > 0 ? $0.micros / $0.users : 0)
    },
    Column("largest", "largest", "Largest revenue of a user.") { Amount(micros: $0.largest) },
  ]
}

extension Cohort {
  /// The users who launched the app first within a time, all taken for users of a campaign; `nil` without any.
  fileprivate func attributed(from start: Instant, to end: Instant?) -> Cohort? {
    let some = users.filter { user in user.installed >= start && (end.map { user.installed < $0 } ?? true) }
    guard !some.isEmpty else { return nil }
    var names = names
    names.campaigns = ["own"]
    return Cohort(
      names: names, events: events,
      users: some.map {
        CohortUser(key: $0.key, installed: $0.installed, campaign: 0, events: $0.events)
      })
  }
}
