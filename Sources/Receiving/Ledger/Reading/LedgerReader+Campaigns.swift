public import Postbacks
import SQLite
import Values
import Verification

extension LedgerReader {
  /// The rows of a campaign report, sorted by their dimensions.
  public func campaigns(_ query: CampaignQuery) throws(LedgerError) -> [CampaignRow] {
    try consistently { () throws(LedgerError) in try campaigns(query, decodingFor: []) { _, _ in }.rows }
  }

  /// The rows of a campaign report, and the values that came for some apps.
  ///
  /// Call it inside ``consistently(_:)``, so that the values add up to the counts.
  ///
  /// - Parameters:
  ///   - query: The question.
  ///   - apps: The apps whose values are counted.
  ///   - hourly: The days whose values are counted by the hour; all others are counted as a whole.
  ///   - visit: Takes the index of a row, and postbacks of it.
  /// - Returns: The rows, sorted by their dimensions, and what is known of how many postbacks have a dimension.
  /// - Complexity: Linear in the campaigns' days and their values by the hour; in the postbacks of the days where the
  ///   question looks at each.
  /// - Throws: ``LedgerError``.
  public func campaigns(
    _ query: CampaignQuery, decodingFor apps: [AppID], hourly: [HourlyDays] = [],
    _ visit: (Int, ValueCount) -> Void
  ) throws(LedgerError) -> CampaignAnswer {
    try campaigns(
      query, decodingFor: apps, hourly: hourly, lookingAtPostbacks: query.looksAtPostbacks, visit)
  }

  /// The same, with the way of counting chosen; both give the same but for copies.
  func campaigns(
    _ query: CampaignQuery, decodingFor apps: [AppID], hourly: [HourlyDays], lookingAtPostbacks: Bool,
    _ visit: (Int, ValueCount) -> Void
  ) throws(LedgerError) -> CampaignAnswer {
    guard let networkRows = rows(of: query.networks) else { return CampaignAnswer(rows: [], coverage: [:]) }
    let plan = CampaignPlan(query, networks: networkRows.some)
    return try asLedger { () throws(SQLiteError) in
      let asked = query.namedDimensions
      let codes = CampaignCodes(
        networks: networks,
        publishers: asked.contains(.publisher) ? try names(in: .publisher) : [:],
        marketplaces: asked.contains(.marketplace) ? try names(in: .marketplace) : [:])
      var fold = CampaignFold(query, codes)
      var values = ValueTally(apps, hourly)
      var coverage: [CampaignDimension: CampaignAnswer.Coverage] = [:]
      if lookingAtPostbacks {
        coverage = try addPostbacks(plan, query, to: &fold, &values)
      } else {
        try addTotals(plan, to: &fold, &values)
      }
      let (rows, places) = fold.rows()
      values.forEach(rows: places, visit)
      return CampaignAnswer(rows: rows, coverage: coverage)
    }
  }

  private func addTotals(
    _ plan: CampaignPlan, to fold: inout CampaignFold, _ values: inout ValueTally
  ) throws(SQLiteError) {
    var cells: [Int64: (sum: Int, place: ValueTally.Place?)] = [:]
    let columns = TotalsColumn.allCases
    try connection.prepare(plan.totals).forEachRow { row in
      let facts = CampaignFold.Facts(
        utcDay: Int32(truncatingIfNeeded: row.count(1)), day: Int32(truncatingIfNeeded: row.count(1)),
        app: row.count(2), network: row.count(3), version: row.count(4), campaign: row.text(5) ?? "",
        window: row.count(6), outcome: row.count(7))
      guard let sum = fold.place(of: facts, startingWith: .zero) else { return }
      fold.count(in: sum) { counts in
        for (index, column) in columns.enumerated() { counts.add(row.count(8 + Int32(index)), to: column) }
        if facts.window == 0, let outcome: Outcome = decoded(facts.outcome, by: { $0.code }) {
          counts.add(row.count(8), of: outcome)
        }
      }
      cells[row.count(0)] = (sum, values.place(row: sum, facts))
    }
    try connection.prepare(plan.values).forEachRow { row in
      let id = row.count(0)
      guard let cell = cells[id >> 12] else { return }
      let (slot, count) = (id & 127, row.count(1))
      if slot < 64 { fold.count(in: cell.sum) { $0.fine[Int(slot)] += count } }
      if let place = cell.place { values.add(count, slot: slot, hour: id >> 7 & 31, at: place) }
    }
  }

  private func addPostbacks(
    _ plan: CampaignPlan, _ query: CampaignQuery, to fold: inout CampaignFold, _ values: inout ValueTally
  ) throws(SQLiteError) -> [CampaignDimension: CampaignAnswer.Coverage] {
    var none = CampaignCounts.zero
    // Copies are counted by campaign and day alone.
    (none.repeats, none.conflicts) = (nil, nil)
    var carrying: [CampaignDimension: Int64] = [:]
    let partial = query.namedDimensions.filter(\.isOfPostbacks)
    var postbacks: Int64 = 0
    try connection.prepare(plan.postbacks).forEachRow { row in
      let arrival = Instant(milliseconds: row.count(0))
      let day = query.zone.day(of: arrival)
      guard query.from.map({ day >= $0 }) ?? true, query.to.map({ day < $0 }) ?? true,
        let version: ProtocolVersion = decoded(row.integer(3), by: { $0.code }),
        let window = ConversionWindow(rawValue: Int(row.count(5))),
        let outcome: Outcome = decoded(row.integer(6), by: { $0.code }),
        let value = ConversionValue(code: row.integer(8))
      else { return }
      var facts = CampaignFold.Facts(
        utcDay: arrival.day.number, day: day.number, app: row.count(1), network: row.count(2),
        version: version.code, campaign: row.text(4) ?? "", window: row.count(5), outcome: outcome.code,
        interaction: row.integer(7), publisher: row.integer(10), country: row.text(9),
        marketplace: row.integer(11))
      facts.tier = PostbackTier(
        version: version, window: window, outcome: outcome, value: value, digits: facts.campaign.utf8.count,
        hasDetail: facts.publisher != nil || facts.country != nil)
      postbacks += 1
      for dimension in partial where facts.has(dimension) { carrying[dimension, default: 0] += 1 }
      guard let sum = fold.place(of: facts, startingWith: none) else { return }
      fold.count(in: sum) { counts in
        if window == .first { counts.add(1, of: outcome) }
        TotalsColumn.forEach(
          of: outcome, version, value, interaction: decoded(facts.interaction, by: { $0.code })
        ) { counts.add(1, to: $0) }
        if outcome != .assist, case .fine(let fine) = value { counts.fine[Int(fine.number)] += 1 }
      }
      guard outcome != .assist, let place = values.place(row: sum, facts) else { return }
      values.add(1, slot: value.slot, hour: arrival.hourOfDay, at: place)
    }
    return Dictionary(
      uniqueKeysWithValues: partial.map { dimension in
        (dimension, CampaignAnswer.Coverage(carrying: carrying[dimension] ?? 0, postbacks: postbacks))
      })
  }
}

extension CampaignFold.Facts {
  /// Whether there is anything of a dimension that not all postbacks have.
  fileprivate func has(_ dimension: CampaignDimension) -> Bool {
    switch dimension {
    case .interaction: interaction != nil
    case .publisher: publisher != nil
    case .country: country != nil
    case .marketplace: marketplace != nil
    case .tier: tier != nil
    case .day, .week, .month, .app, .network, .campaign, .version, .window, .outcome: true
    }
  }
}
