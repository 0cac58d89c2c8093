import Estimates
package import EventFiles
package import Ledger
package import Mappings
package import Postbacks
import Simulation
package import Values

/// What the advertiser's own users paid by value, for each version of the app's mapping that they followed.
package struct UserMeasure: Sendable {
  /// The figures of one version; none where no user followed it.
  package struct Version: Sendable {
    package let effectiveFrom: Instant
    package let rows: [ValueWorthRow]
    /// When the users' values were final; none from SKAdNetwork 4 on.
    package let finalHours: [FinalHourRow]
    /// How many updated later windows; none before SKAdNetwork 4.
    package let windowUpdates: [WindowUpdateRow]
    /// How far users of a value differ by campaign; none where the file has no campaigns.
    package let withinValues: [WithinValueRow]
  }

  package private(set) var versions: [Version] = []
  package let users: Int
  /// When the last event of the file happened.
  package let end: Instant
  private let horizons: [WorthHorizon]
  /// How many are left out of each horizon, because their history is shorter.
  private var leftOut: [Int]
  private let otherCurrencies: [CurrencyCode]
  private let currency: CurrencyCode
  private let purchases: UserPurchases?

  /// Replays the users of a file under an app's mapping.
  ///
  /// - Parameter purchases: What horizons of days count instead of the file's revenue.
  /// - Throws: `FileError` where the file cannot be read again.
  package init(
    _ population: Population, of app: AppID, _ history: MappingHistory, horizons: [WorthHorizon],
    purchases: UserPurchases? = nil
  ) throws {
    self.purchases = purchases
    users = population.users
    end = try OwnUsers.historyEnd(of: population)
    self.horizons = [.firstWindow] + horizons
    leftOut = self.horizons.map { _ in 0 }
    currency = history.versions[0].currency
    otherCurrencies = Set(try Self.otherCurrencies(population, history))
      .union(purchases?.currencies ?? []).subtracting(history.versions.map(\.currency)).sorted()
    for index in history.versions.indices {
      let own = OwnUsers(history, version: index, horizons: horizons, historyEnd: end, purchases: purchases)
      let version = try measure(own, app, population)
      guard !version.rows.isEmpty else { continue }
      versions.append(version)
    }
  }

  package var rows: [ValueWorthRow] { versions.flatMap(\.rows) }

  package var finalHours: [FinalHourRow] { versions.flatMap(\.finalHours) }

  /// Users whose figures are among them.
  package var measured: Int64 {
    rows.filter { $0.horizon == .firstWindow && !$0.isCoarse }.reduce(0) { $0 + $1.users }
  }

  /// What a person should know of users and amounts that are left out.
  package var notes: [Sentence] {
    var notes = [
      Sentence(
        "\(measured, "user") of \(users) imported; \(Int64(users) - measured - Int64(leftOut[0])) installed the app "
          + "under no mapping")
    ]
    for (horizon, left) in zip(horizons, leftOut) where left > 0 {
      guard horizon != .firstWindow, let known = purchases?.known else {
        notes.append(
          Sentence(
            "left out of \(code: horizon.text): \(left, "user") whose history is shorter, because the file ends at \(end)"
          ))
        continue
      }
      notes.append(
        Sentence(
          "left out of \(code: horizon.text): \(left, "user") whose history is shorter, because purchases are known "
            + "from \(known.lowerBound) through \(known.upperBound)"))
    }
    if rows.contains(where: \.didSaturate) { notes.append(ValueWorthRow.saturationNote) }
    if let purchases {
      notes.append(
        Sentence(
          "revenue of days is what the App Store's notifications have of \(grouped: purchases.paying) of "
            + "\(purchases.accounts, "account"); other users paid nothing there"))
    }
    let first = rows.filter { $0.horizon == .firstWindow && !$0.isCoarse }
    if let carriers = RevenueCarriers(
      sum: first.reduce(0) { $0 + Double($1.micros) / 1e6 }, squares: first.reduce(0) { $0 + $1.squares },
      amounts: first.flatMap(\.amounts).map { Double($0) / 1e6 })
    {
      notes.append(carriers.sentence)
    }
    let timed = finalHours.reduce(0) { $0 + $1.users }
    if timed > 0 {
      notes.append(
        Sentence(
          "hour of the last rise known of \(timed, "user"); reports date postbacks of SKAdNetwork 3 by it"))
    }
    let withinValues = versions.flatMap(\.withinValues)
    if let groups = withinValues.map(\.groups).max() {
      notes.append(
        Sentence(
          "\(groups) campaigns of the file show how far users of a value differ between campaigns; intervals of days "
            + "since install count by it"))
    }
    if measured == 0 {
      notes.append(
        Sentence(
          "nothing is stored; import a file that begins after a mapping takes effect and ends later than window 1 of its users"
        ))
    }
    return notes + Self.note(otherCurrencies, currency)
  }

  /// Reports that amounts in other currencies than the mappings' are left out.
  package static func currencyNotes(_ users: Population, _ history: MappingHistory) throws -> [Sentence] {
    note(try otherCurrencies(users, history), history.versions[0].currency)
  }

  private static func otherCurrencies(
    _ users: Population, _ history: MappingHistory
  ) throws -> [CurrencyCode] {
    var others: Set<CurrencyCode> = []
    try users.forEachCohort { others.formUnion($0.names.currencies) }
    others.subtract(history.versions.map(\.currency))
    return others.sorted()
  }

  private static func note(_ others: [CurrencyCode], _ own: CurrencyCode) -> [Sentence] {
    others.isEmpty
      ? []
      : [
        Sentence(
          "amounts in \(code: others.map(\.text).joined(separator: ", ")) are not counted, because the mapping is in "
            + "\(own); the users' revenue is too low by these amounts")
      ]
  }

  /// The revenue of the users of one version, by horizon and value, and when their values were final.
  private mutating func measure(
    _ own: OwnUsers, _ app: AppID, _ population: Population
  ) throws -> Version {
    let places = ValueWorthRow.firstCoarseValue + CoarseValue.allCases.count
    var amounts = own.horizons.map { _ in [[Int64]](repeating: [], count: places) }
    var byCampaign = own.horizons.map { _ in [UserPool.User]() }
    var leftOut = own.horizons.map { _ in 0 }
    var finalHours = FinalHours()
    // Postbacks are of users of ads. Where the file shows which users are organic, only the others show how often they update.
    var updates = WindowUpdates(places: places)
    try own.forEach(of: population) { user in
      if let hour = user.finalHour { finalHours.add(value: user.value, hour: hour) }
      if user.campaign != nil { updates.add(user) }
      for (index, micros) in user.micros.enumerated() {
        guard let micros else {
          leftOut[index] += 1
          continue
        }
        amounts[index][user.value].append(micros)
        // A list of all users takes memory, and without campaigns it shows nothing.
        if own.horizons[index] != .firstWindow, !population.isOneCampaign {
          byCampaign[index].append(
            UserPool.User(code: user.value, amount: max(0, Double(micros) / 1e6), group: user.campaign))
        }
        if let coarse = user.coarse, let step = CoarseValue.allCases.firstIndex(of: coarse) {
          amounts[index][ValueWorthRow.firstCoarseValue + step].append(micros)
        }
      }
    }
    for (place, count) in leftOut.enumerated() { self.leftOut[place] += count }
    let rows = zip(own.horizons, amounts).flatMap { horizon, amounts in
      amounts.enumerated().filter { !$1.isEmpty }.map { value, each in
        ValueWorthRow(
          app: app, effectiveFrom: own.mapping.effectiveFrom, horizon: horizon,
          currency: own.mapping.currency.text, value: value, each: each)
      }
    }
    return Version(
      effectiveFrom: own.mapping.effectiveFrom, rows: rows,
      finalHours: finalHours.counts.map { value, span, users in
        FinalHourRow(
          app: app, effectiveFrom: own.mapping.effectiveFrom, value: value, hour: span.lowerBound,
          users: users)
      }, windowUpdates: updates.rows(of: app, own.mapping.effectiveFrom),
      withinValues: zip(own.horizons, byCampaign).flatMap { horizon, users in
        WithinValueLaw(users)?.rows(of: app, own.mapping.effectiveFrom, horizon) ?? []
      })
  }
}

/// Own users by later window and value of window 1, and those of them who updated the window.
private struct WindowUpdates {
  private var counts: [ConversionWindow: [(users: Int64, updated: Int64)]] = [:]

  init(places: Int) {
    for window in ConversionWindow.later { counts[window] = Array(repeating: (0, 0), count: places) }
  }

  mutating func add(_ user: OwnUsers.User) {
    let coarse = user.coarse.flatMap { CoarseValue.allCases.firstIndex(of: $0) }
    for (window, isUpdated) in user.updates {
      for place in [user.value, coarse.map { ValueWorthRow.firstCoarseValue + $0 }].compactMap(\.self) {
        counts[window]?[place].users += 1
        counts[window]?[place].updated += isUpdated ? 1 : 0
      }
    }
  }

  func rows(of app: AppID, _ effectiveFrom: Instant) -> [WindowUpdateRow] {
    ConversionWindow.later.flatMap { window in
      (counts[window] ?? []).enumerated().filter { $1.users > 0 }.map { value, count in
        WindowUpdateRow(
          app: app, effectiveFrom: effectiveFrom, window: window, value: value, users: count.users,
          updated: count.updated)
      }
    }
  }
}

extension ValueWorthRow {
  /// What to know where a sum of own users does not fit.
  package static let saturationNote = Sentence(
    "what own users of a value paid adds up to more than the largest amount, which counts in its place: they count as worth "
      + "too little")

  package var isCoarse: Bool { value >= Self.firstCoarseValue }
}
