@testable import Ledger
import Postbacks
import Testing
import Values

struct `Campaign rows` {
  private static let shared: [CampaignDimension] = [
    .day, .week, .month, .app, .network, .campaign, .version, .window, .outcome,
  ]

  /// Without what only one way of counting has.
  private func comparable(_ rows: [CampaignRow]) -> [CampaignRow] {
    rows.filter { $0.counts.postbacks > 0 }.map { row in
      var row = row
      // A day on which only copies came extends the days of a row of totals.
      (row.counts.repeats, row.counts.conflicts, row.days) = (nil, nil, Day(number: 0)...Day(number: 0))
      return row
    }
  }

  /// The totals that the writer keeps, and a look at every postback, are two ways to one result.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `Campaign rows are the same by totals and by a look at every postback`(seed: UInt64) throws {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed, receipts: 300)
    let reader = try LedgerReader(path: scratch.path)
    var random = SplitMix64(seed: seed)
    func happens(_ one: UInt64) -> Bool { random.next() % one == 0 }
    for _ in 0..<6 {
      var query = CampaignQuery(
        environment: .test, dimensions: Self.shared.filter { _ in happens(2) },
        digits: [nil, 2, 3, 4][Int(random.next() % 4)])
      if happens(3) { query.from = Day(number: -2) }
      if happens(3) { query.to = noon.day }
      if happens(4) { query.apps = [known(AppID(1))] }
      if happens(4) { query.networks = [known(AdNetworkID("A.skadnetwork"))] }
      let conditions: [CampaignCondition] = [
        .init(.outcome, ["install", "re*"]), .init(.campaign, isExcluded: true, ["5210"]),
        .init(.window, ["1"]),
        .init(.month, ["1970-*"]), .init(.network, ["B*"]), .init(.version, isExcluded: true, ["*.0"]),
      ]
      query.conditions = conditions.filter { _ in happens(4) }
      let apps = [known(AppID(1))]
      let hourly = [
        HourlyDays(
          app: apps[0], hasWindows: true, window: .first, days: noon.day.number..<noon.day.number + 2)
      ]
      var values: [[Set<ValueCount>]] = []
      var rows: [[CampaignRow]] = []
      for looksAtPostbacks in [false, true] {
        var found: [Int: Set<ValueCount>] = [:]
        let answer = try reader.campaigns(
          query, decodingFor: apps, hourly: hourly, lookingAtPostbacks: looksAtPostbacks
        ) { found[$0, default: []].insert($1) }
        let counted = answer.rows.indices.filter { answer.rows[$0].counts.postbacks > 0 }
        values.append(counted.map { found[$0] ?? [] })
        rows.append(answer.rows)
      }
      #expect(comparable(rows[0]) == comparable(rows[1]))
      #expect(values[0] == values[1])
      if query.conditions.isEmpty, query.from == nil, query.to == nil { #expect(!rows[1].isEmpty) }
    }
  }

  /// Counted again from the rows of `report postbacks`, one at a time, by words and not by numbers.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `Campaign rows of every dimension are those of single postbacks`(seed: UInt64) throws {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed, receipts: 300)
    let reader = try LedgerReader(path: scratch.path)
    var postbacks: [PostbackRow] = []
    try reader.forEachPostback(PostbackQuery(environment: .test)) {
      postbacks.append($0)
      return true
    }
    let zone = try #require(ReportingZone(offset: seed % 2 == 0 ? "-09:30" : "+13:00"))
    func word(_ row: PostbackRow, _ dimension: CampaignDimension) -> String? {
      let day = zone.day(of: row.receivedAt)
      return switch dimension {
      case .day: "\(day)"
      case .week: "\(day.monday)"
      case .month: String("\(day)".prefix(7))
      case .app: "\(row.app.number)"
      case .network: row.network
      case .campaign: row.campaign
      case .version: row.version.rawValue
      case .window: "\(row.window.rawValue + 1)"
      case .outcome: row.outcome.rawValue
      case .interaction: row.interaction?.rawValue
      case .publisher: row.publisher
      case .country: row.country
      case .marketplace: row.marketplace
      case .tier: row.tier?.text
      }
    }
    func word(_ row: CampaignRow, _ dimension: CampaignDimension) -> String? {
      switch dimension {
      case .day: row.day?.description
      case .week: row.week?.description
      case .month: row.month?.monthText
      case .app: row.app.map { "\($0.number)" }
      case .network: row.network
      case .campaign: row.campaign?.text
      case .version: row.version?.rawValue
      case .window: row.window.map { "\($0.rawValue + 1)" }
      case .outcome: row.outcome?.rawValue
      case .interaction: row.interaction?.rawValue
      case .publisher: row.publisher
      case .country: row.country
      case .marketplace: row.marketplace
      case .tier: row.tier?.text
      }
    }
    for dimension in CampaignDimension.allCases {
      let dimensions = [dimension, .version]
      let query = CampaignQuery(environment: .test, zone: zone, dimensions: dimensions)
      var expected: [[String?]: Int64] = [:]
      for row in postbacks { expected[dimensions.map { word(row, $0) }, default: 0] += 1 }
      var found: [[String?]: Int64] = [:]
      for row in try reader.campaigns(query) {
        found[dimensions.map { word(row, $0) }, default: 0] += row.counts.postbacks
      }
      #expect(found == expected)
      // One word of it alone, and all but it.
      let one = try #require(postbacks.first.map { word($0, dimension) ?? "none" })
      for isExcluded in [false, true] {
        var filtered = query
        filtered.dimensions = []
        filtered.conditions = [CampaignCondition(dimension, isExcluded: isExcluded, [one])]
        let wanted = postbacks.count { ((word($0, dimension) ?? "none") == one) != isExcluded }
        #expect(try reader.campaigns(filtered).reduce(0) { $0 + $1.counts.postbacks } == Int64(wanted))
      }
    }
    let coverage = try reader.campaigns(
      CampaignQuery(environment: .test, dimensions: [.country]), decodingFor: []
    ) { _, _ in }.coverage[.country]
    #expect(coverage?.postbacks == Int64(postbacks.count))
    #expect(coverage?.carrying == Int64(postbacks.count { $0.country != nil }))
  }

  @Test(arguments: [
    ("*", "", true), ("a*c", "abc", true), ("a*c", "abcd", false), ("*skad*", "x.SKADnetwork", true),
    ("a", "a", true), ("a", "ab", false), ("a*b*c", "aXbXbc", true), ("a*b*c", "acb", false),
    ("", "a", false),
    ("**", "x", true), ("?", "x", false), ("[a]", "a", false),
  ])
  func `Campaign rows fit a pattern in which only a star is special`(
    pattern: String, text: String, fits: Bool
  ) {
    #expect(CampaignCondition(.network, [pattern]).admits(text) == fits)
    #expect(CampaignCondition(.network, isExcluded: true, [pattern]).admits(text) == !fits)
  }

  @Test func `Campaign rows have the tier that Apple's table gives to the fields that came`() throws {
    func tier(
      _ value: ConversionValue, digits: Int = 2, detail: Bool = false, version: ProtocolVersion = .v4_0,
      window: ConversionWindow = .first, outcome: Outcome = .install
    ) -> Int? {
      PostbackTier(
        version: version, window: window, outcome: outcome, value: value, digits: digits, hasDetail: detail)?
        .rawValue
    }
    let fine = ConversionValue.fine(known(FineValue(3)))
    #expect(tier(.absent) == 0)
    #expect(tier(.coarse(.low)) == 1)
    #expect(tier(fine) == 2)
    #expect(tier(.absent, digits: 4) == 2)
    #expect(tier(fine, digits: 4, detail: true) == 3)
    #expect(tier(fine, version: .v3_0) == nil)
    #expect(tier(.coarse(.low), window: .second) == nil)
    #expect(tier(.absent, outcome: .assist) == nil)
  }
}
