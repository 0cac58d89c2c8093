public import Postbacks
import SQLite
public import Values
import Verification

/// The first-window postbacks of a campaign that came on one day.
public struct FirstWindowDay: Hashable, Sendable {
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  /// The campaign; of a source identifier its last two digits, which postbacks without a value have too.
  public let campaign: String
  /// The UTC day of arrival.
  public let day: Day
  public let postbacks: Int64
  /// Those of them without any value.
  public let nulls: Int64

  public init(app: AppID, network: String, campaign: String, day: Day, postbacks: Int64, nulls: Int64) {
    self.app = app
    self.network = network
    self.campaign = campaign
    self.day = day
    self.postbacks = postbacks
    self.nulls = nulls
  }
}

/// Winning postbacks with one fine value that came on one day.
public struct FineValueDay: Hashable, Sendable {
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// The UTC day of arrival.
  public let day: Day
  public let value: ConversionValue
  public let postbacks: Int64
}

extension LedgerReader {
  /// The first-window postbacks of production from a day on, by app, network, campaign and day.
  public func firstWindowDays(from day: Day) throws(LedgerError) -> [FirstWindowDay] {
    try asLedger { () throws(SQLiteError) in
      let query = CampaignQuery(from: day)
      let plan = CampaignPlan(query, networks: nil)
      return try bestSources(plan, query) == .totals
        ? firstWindowDaysOfTotals(from: day) : firstWindowDaysOfPostbacks(plan, from: day)
    }
  }

  func firstWindowDaysOfTotals(from day: Day) throws(SQLiteError) -> [FirstWindowDay] {
    var days: [FirstWindowDay] = []
    try connection.prepare(
      """
      SELECT c.app, c.network, iif(c.version >= \(ProtocolVersion.v4_0.code), substr(c.campaign, -2), c.campaign),
        c.day, sum(t.postbacks), sum(t.value_null)
      FROM campaign_cell c CROSS JOIN campaign_total t ON t.cell = c.id
      WHERE c.day >= \(day.number) AND c.environment = \(Environment.production.code) AND c.window = 0
        AND c.outcome <> \(Outcome.assist.code)
      GROUP BY 1, 2, 3, 4 HAVING sum(t.postbacks) > 0 ORDER BY 1, 2, 3, 4
      """
    ).forEachRow { row in
      guard let app = AppID(row.count(0)) else { return }
      days.append(
        FirstWindowDay(
          app: app, network: self.networks[row.count(1)] ?? "", campaign: row.text(2) ?? "",
          day: Day(number: Int32(truncatingIfNeeded: row.count(3))), postbacks: row.count(4),
          nulls: row.count(5)))
    }
    return days
  }

  func firstWindowDaysOfPostbacks(
    _ plan: CampaignPlan, from day: Day
  ) throws(SQLiteError) -> [FirstWindowDay] {
    var keys = NumberedKeys(width: 4)
    var counts = CountRows(width: 2)
    // Those that are added up together.
    var (waiting, waitingKeys, numbers): ([Bool], [Int64], [Int]) = ([], [], [])
    func addWaiting() {
      keys.find(waitingKeys, &numbers)
      for (number, isNull) in zip(numbers, waiting) {
        while number >= counts.rows { counts.appendRow() }
        counts.add(1, row: number, column: 0)
        if isNull { counts.add(1, row: number, column: 1) }
      }
      waiting.removeAll(keepingCapacity: true)
      waitingKeys.removeAll(keepingCapacity: true)
    }
    try PostbackScan.forEach(plan, on: connection) { postback, source, slot in
      let arrivalDay = Instant(milliseconds: postback.receivedAt).day.number
      guard source.window == .first, source.outcome != .assist, arrivalDay >= day.number else { return }
      let campaign = postback.campaign
      waitingKeys.append(source.codes.app)
      waitingKeys.append(source.codes.network)
      waitingKeys.append(source.version.hasWindows ? campaign.number(ofLast: 2) : campaign.number)
      waitingKeys.append(Int64(arrivalDay))
      waiting.append(slot == ConversionValue.absent.slot)
      if waiting.count == FactBlocks.rows { addWaiting() }
    }
    addWaiting()
    return keys.sorted.compactMap { number in
      AppID(keys[number, 0]).map { app in
        FirstWindowDay(
          app: app, network: networks[keys[number, 1]] ?? "", campaign: ShortText.text(keys[number, 2]),
          day: Day(number: Int32(truncatingIfNeeded: keys[number, 3])), postbacks: counts[number, 0],
          nulls: counts[number, 1])
      }
    }
  }

  /// The fine values of production's first-window postbacks from a day on, by app, network, version, outcome,
  /// day and value; in no order.
  public func fineValueDays(from day: Day) throws(LedgerError) -> [FineValueDay] {
    try asLedger { () throws(SQLiteError) in
      let query = CampaignQuery(from: day)
      let plan = CampaignPlan(query, networks: nil)
      return try bestSources(plan, query) == .totals
        ? fineValueDaysOfTotals(from: day) : fineValueDaysOfPostbacks(plan, from: day)
    }
  }

  func fineValueDaysOfTotals(from day: Day) throws(SQLiteError) -> [FineValueDay] {
    var days: [FineValueDay] = []
    // One key of numbers packed together is grouped in less than half the time of five.
    try connection.prepare(
      """
      SELECT c.app, c.network, c.version, c.day, v.id & 127, sum(v.postbacks), c.outcome
      FROM campaign_cell c CROSS JOIN value_hour v ON v.id BETWEEN c.id * 4096 AND c.id * 4096 + 4095
      WHERE c.day >= \(day.number) AND c.environment = \(Environment.production.code) AND c.window = 0
        AND v.id & 127 < 64
      GROUP BY c.app, (((c.network * 1024 + c.version) * 8 + c.outcome) * 65536 + c.day) * 128 + (v.id & 127)
      """
    ).forEachRow { row in
      let codes = [row.count(0), row.count(1), row.count(2), row.count(6), row.count(3), row.count(4)]
      if let found = fineValueDay(codes, postbacks: row.count(5)) { days.append(found) }
    }
    return days
  }

  func fineValueDaysOfPostbacks(
    _ plan: CampaignPlan, from day: Day
  ) throws(SQLiteError) -> [FineValueDay] {
    var keys = NumberedKeys(width: 6)
    var key: [Int64] = [0, 0, 0, 0, 0, 0]
    var counts = CountRows(width: 1)
    try PostbackScan.forEach(plan, on: connection) { postback, source, slot in
      let arrivalDay = Instant(milliseconds: postback.receivedAt).day.number
      guard slot < 64, source.window == .first, source.outcome != .assist, arrivalDay >= day.number
      else { return }
      key[0] = source.codes.app
      key[1] = source.codes.network
      key[2] = source.codes.version
      key[3] = source.codes.outcome
      key[4] = Int64(arrivalDay)
      key[5] = slot
      let number = keys.number(of: key)
      if number == counts.rows { counts.appendRow() }
      counts.add(1, row: number, column: 0)
    }
    return (0..<keys.count).compactMap { number in
      fineValueDay((0..<6).map { keys[number, $0] }, postbacks: counts[number, 0])
    }
  }

  /// - Parameters:
  ///   - codes: App, network, version, outcome, day and slot of the value.
  ///   - postbacks: How many there are.
  /// - Returns: The values in words; `nil` for codes that this program does not know.
  private func fineValueDay(_ codes: [Int64], postbacks: Int64) -> FineValueDay? {
    guard let app = AppID(codes[0]),
      let version: ProtocolVersion = decoded(codes[2], by: { $0.code }),
      let outcome: Outcome = decoded(codes[3], by: { $0.code }),
      let value = ConversionValue(slot: codes[5])
    else { return nil }
    return FineValueDay(
      app: app, network: networks[codes[1]] ?? "", version: version, outcome: outcome,
      day: Day(number: Int32(truncatingIfNeeded: codes[4])), value: value, postbacks: postbacks)
  }
}
