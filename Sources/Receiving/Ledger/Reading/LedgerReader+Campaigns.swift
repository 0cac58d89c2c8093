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
  ///   - hourly: The days whose values are counted by the hour.
  ///   - isDaily: Whether the values of all other days are counted for each day; otherwise for all days between two that
  ///     are counted by the hour, with one day that stands for them.
  ///   - visit: Takes the index of a row, and postbacks of it.
  /// - Returns: The rows, sorted by their dimensions, and what is known of how many postbacks have a dimension.
  /// - Complexity: Linear in the campaigns' days and their values by the hour, or in the postbacks of the days, whichever
  ///   is less.
  public func campaigns(
    _ query: CampaignQuery, decodingFor apps: [AppID], hourly: [HourlyDays] = [], isDaily: Bool = true,
    _ visit: (Int, ValueCount) -> Void
  ) throws(LedgerError) -> CampaignAnswer {
    try campaigns(query, decodingFor: apps, hourly: hourly, isDaily: isDaily, countedFrom: nil, visit)
  }

  enum CampaignSources: CaseIterable {
    case totals
    /// Every postback; copies are not counted.
    case postbacks
    case postbacksAndCopies
  }

  /// The same, with what it is counted from chosen; all give the same but for copies.
  func campaigns(
    _ query: CampaignQuery, decodingFor apps: [AppID], hourly: [HourlyDays], isDaily: Bool = true,
    countedFrom sources: CampaignSources?, _ visit: (Int, ValueCount) -> Void
  ) throws(LedgerError) -> CampaignAnswer {
    guard let networkRows = rows(of: query.networks) else { return CampaignAnswer(rows: [], coverage: [:]) }
    let plan = CampaignPlan(query, networks: networkRows.some)
    return try asLedger { () throws(SQLiteError) in
      let asked = query.namedDimensions
      let codes = CampaignCodes(
        networks: networks,
        publishers: asked.contains(.publisher) ? try names(in: .publisher) : [:],
        marketplaces: asked.contains(.marketplace) ? try names(in: .marketplace) : [:])
      var fold = CampaignAggregation(query, codes)
      var values = ValueTally(apps, hourly, isDaily: isDaily)
      var coverage: [CampaignDimension: CampaignAnswer.Coverage] = [:]
      let sources = if let sources { sources } else { try bestSources(plan, query) }
      switch sources {
      case .totals: try addTotals(plan, to: &fold, &values)
      case .postbacks: coverage = try addPostbacks(plan, query, to: &fold, &values)
      case .postbacksAndCopies:
        _ = try addPostbacks(plan, query, to: &fold, &values)
        try addCopies(plan, to: &fold)
      }
      // By what only single postbacks have, and by other days than UTC's, copies are not counted.
      let (rows, places) = fold.rows(countsCopies: sources != .postbacks)
      values.forEach(rows: places, visit)
      return CampaignAnswer(rows: rows, coverage: coverage)
    }
  }

  func bestSources(
    _ plan: CampaignPlan, _ query: CampaignQuery
  ) throws(SQLiteError) -> CampaignSources {
    guard !query.looksAtPostbacks else { return .postbacks }
    let postbacks = try FactBlocks.count(in: plan.moments, on: connection) * FactBlocks.rows
    guard postbacks >= CampaignPlan.fewPostbacks else { return .totals }
    let most = postbacks / CampaignPlan.postbacksPerCell
    let cells = try connection.integer(plan.cellCount(upTo: most + 1)) ?? 0
    return cells > most ? .postbacksAndCopies : .totals
  }

  private func addTotals(
    _ plan: CampaignPlan, to fold: inout CampaignAggregation, _ values: inout ValueTally
  ) throws(SQLiteError) {
    var cells: [Int64: (row: Int, kind: ValueTally.KindOfDay?)] = [:]
    let columns = TotalsColumn.allCases
    try connection.prepare(plan.totals).forEachRow { row in
      let facts = CampaignAggregation.Facts(cell: row)
      guard let number = fold.row(of: facts) else { return }
      for (index, column) in columns.enumerated() {
        let count = row.count(8 + Int32(index))
        if count != 0 { fold.counters.add(count, to: column, row: number) }
      }
      if facts.window == 0, let outcome: Outcome = decoded(facts.outcome, by: { $0.code }) {
        fold.counters.add(row.count(8), ofFirstWindow: outcome, row: number)
      }
      let kind = values.kind(
        app: facts.app, version: facts.version, window: facts.window, outcome: facts.outcome,
        day: facts.utcDay)
      cells[row.count(0)] = (number, kind)
    }
    try connection.prepare(plan.values).forEachRow { row in
      let id = row.count(0)
      guard let cell = cells[id >> 12] else { return }
      let (slot, count) = (id & 127, row.count(1))
      if slot < 64 { fold.counters.add(count, fine: Int(slot), row: cell.row) }
      if let kind = cell.kind { values.add(count, slot: slot, hour: id >> 7 & 31, of: kind, row: cell.row) }
    }
  }

  private func addCopies(_ plan: CampaignPlan, to fold: inout CampaignAggregation) throws(SQLiteError) {
    let few = try connection.integer(CampaignPlan.copyCellCount) ?? 0
    try connection.prepare(plan.copies(areFew: few < CampaignPlan.fewCopies)).forEachRow { row in
      guard let number = fold.row(of: CampaignAggregation.Facts(cell: row)) else { return }
      fold.counters.add(row.count(8), to: .repeats, row: number)
      fold.counters.add(row.count(9), to: .conflicts, row: number)
    }
  }

  private static var postbacksAtOnce: Int { 2048 }

  private func addPostbacks(
    _ plan: CampaignPlan, _ query: CampaignQuery, to fold: inout CampaignAggregation,
    _ values: inout ValueTally
  ) throws(SQLiteError) -> [CampaignDimension: CampaignAnswer.Coverage] {
    let partial = query.namedDimensions.filter(\.isOfPostbacks).sorted { $0.rawValue < $1.rawValue }
    let asksTier = partial.contains(.tier)
    let (first, end) = (query.from?.number ?? .min, query.to?.number ?? .max)
    var carrying = partial.map { _ in Int64(0) }
    var postbacks: Int64 = 0
    var kinds = ValueKinds()
    let zone = query.zone.isUTC ? nil : query.zone
    try PostbackScan.forEach(plan, on: connection) { postback, source, slot in
      let arrival = Instant(milliseconds: postback.receivedAt)
      let utcDay = arrival.day.number
      let day = zone?.day(of: arrival).number ?? utcDay
      guard day >= first, day < end else { return }
      var facts = CampaignAggregation.Facts(postback, of: source.codes, utcDay: utcDay, day: day)
      if asksTier { facts.tier = source.tier(slot: slot, facts) }
      postbacks += 1
      for (place, dimension) in partial.enumerated() where facts.has(dimension) { carrying[place] += 1 }
      guard fold.wait(facts, source.steps[slot, postback.interaction]) else { return }
      if source.outcome != .assist, let kind = kinds.kind(of: source, on: utcDay, in: &values) {
        values.wait(slot: slot, hour: arrival.hourOfDay, of: kind, postback: fold.waitingCount - 1)
      }
      if fold.waitingCount == Self.postbacksAtOnce { values.addWaiting(rows: fold.addWaiting()) }
    }
    values.addWaiting(rows: fold.addWaiting())
    return Dictionary(
      uniqueKeysWithValues: zip(partial, carrying).map { dimension, carrying in
        (dimension, CampaignAnswer.Coverage(carrying: carrying, postbacks: postbacks))
      })
  }
}

/// The kinds of values of the day on which the last postback of each source came.
private struct ValueKinds {
  private var days: [Int32?] = []
  private var kinds: [ValueTally.KindOfDay?] = []

  mutating func kind(
    of source: PostbackScan.Source, on day: Int32, in values: inout ValueTally
  ) -> ValueTally.KindOfDay? {
    while days.count <= source.number {
      days.append(nil)
      kinds.append(nil)
    }
    if days[source.number] != day {
      days[source.number] = day
      kinds[source.number] = values.kind(
        app: source.codes.app, version: source.codes.version, window: source.codes.window,
        outcome: source.codes.outcome, day: day)
    }
    return kinds[source.number]
  }
}

extension PostbackScan.Source {
  fileprivate func tier(slot: Int64, _ facts: CampaignAggregation.Facts) -> PostbackTier? {
    ConversionValue(slot: slot).flatMap { value in
      PostbackTier(
        version: version, window: window, outcome: outcome, value: value, digits: facts.campaign.count,
        hasDetail: facts.publisher != nil || facts.country != nil)
    }
  }
}

extension CampaignAggregation.Facts {
  fileprivate init(
    _ postback: borrowing FactBlock.Cursor, of source: PostbackFacts.Source, utcDay: Int32, day: Int32
  ) {
    self.init(
      utcDay: utcDay, day: day, app: source.app, network: source.network, version: source.version,
      campaign: postback.campaign, window: source.window, outcome: source.outcome,
      interaction: postback.interaction, publisher: postback.publisher, country: postback.country,
      marketplace: postback.marketplace)
  }

  /// Reads a cell: id, day, app, network, version, campaign, window, outcome.
  fileprivate init(cell row: borrowing Row) {
    let day = Int32(truncatingIfNeeded: row.count(1))
    self.init(
      utcDay: day, day: day, app: row.count(2), network: row.count(3), version: row.count(4),
      campaign: ShortText((row.text(5) ?? "").utf8), window: row.count(6), outcome: row.count(7))
  }

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
