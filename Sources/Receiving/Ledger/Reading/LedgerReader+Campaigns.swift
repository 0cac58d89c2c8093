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
    let partial = query.namedDimensions.filter(\.isOfPostbacks).sorted { $0.rawValue < $1.rawValue }
    var carrying = partial.map { _ in Int64(0) }
    var postbacks: Int64 = 0
    try FactBlocks.forEach(in: plan.moments, on: connection) { bytes throws(SQLiteError) in
      do throws(FactBlock.Malformed) {
        var block = try FactBlock.Cursor(bytes)
        var sources: [CampaignSource?] = []
        while try block.next() {
          while sources.count < block.sources.count {
            let source = block.sources[sources.count]
            sources.append(plan.admits(source) ? CampaignSource(source) : nil)
          }
          guard let source = sources[block.source], let value = ConversionValue(code: block.value) else {
            continue
          }
          let arrival = Instant(milliseconds: block.receivedAt)
          let day = query.zone.day(of: arrival)
          guard query.from.map({ day >= $0 }) ?? true, query.to.map({ day < $0 }) ?? true else { continue }
          let facts = CampaignFold.Facts(
            block, of: source, value, utcDay: arrival.day.number, day: day.number)
          postbacks += 1
          for (place, dimension) in partial.enumerated() where facts.has(dimension) { carrying[place] += 1 }
          guard let sum = fold.place(of: facts, startingWith: none) else { continue }
          fold.count(in: sum) { $0.add(facts, of: source, value) }
          guard source.outcome != .assist, let place = values.place(row: sum, facts) else { continue }
          values.add(1, slot: value.slot, hour: arrival.hourOfDay, at: place)
        }
      } catch {
        throw FactBlocks.malformed
      }
    }
    return Dictionary(
      uniqueKeysWithValues: zip(partial, carrying).map { dimension, carrying in
        (dimension, CampaignAnswer.Coverage(carrying: carrying, postbacks: postbacks))
      })
  }
}

/// What the postbacks of one source have in common, decoded.
private struct CampaignSource {
  let codes: PostbackFacts.Source
  let version: ProtocolVersion
  let window: ConversionWindow
  let outcome: Outcome

  /// - Returns: `nil` for codes that this program does not know.
  init?(_ codes: PostbackFacts.Source) {
    guard let version: ProtocolVersion = decoded(codes.version, by: { $0.code }),
      let window = ConversionWindow(rawValue: Int(codes.window)),
      let outcome: Outcome = decoded(codes.outcome, by: { $0.code })
    else { return nil }
    self.codes = codes
    (self.version, self.window, self.outcome) = (version, window, outcome)
  }
}

extension CampaignCounts {
  /// Counts one postback.
  fileprivate mutating func add(
    _ facts: CampaignFold.Facts, of source: CampaignSource, _ value: ConversionValue
  ) {
    if source.window == .first { add(1, of: source.outcome) }
    let interaction: AdInteraction? =
      switch facts.interaction {
      case 0: .view
      case 1: .click
      default: nil
      }
    TotalsColumn.forEach(of: source.outcome, source.version, value, interaction: interaction) {
      add(1, to: $0)
    }
    if source.outcome != .assist, case .fine(let fine) = value { self.fine[Int(fine.number)] += 1 }
  }
}

extension CampaignFold.Facts {
  fileprivate init(
    _ postback: borrowing FactBlock.Cursor, of source: CampaignSource, _ value: ConversionValue,
    utcDay: Int32,
    day: Int32
  ) {
    self.init(
      utcDay: utcDay, day: day, app: source.codes.app, network: source.codes.network,
      version: source.codes.version, campaign: postback.campaign, window: source.codes.window,
      outcome: source.codes.outcome, interaction: postback.interaction, publisher: postback.publisher,
      country: postback.country, marketplace: postback.marketplace)
    tier = PostbackTier(
      version: source.version, window: source.window, outcome: source.outcome, value: value,
      digits: campaign.utf8.count, hasDetail: publisher != nil || country != nil)
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
