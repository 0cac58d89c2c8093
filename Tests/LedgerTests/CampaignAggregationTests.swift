@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
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
      for isDaily in [true, false] {
        var values: [[Set<ValueCount>]] = []
        var rows: [[CampaignRow]] = []
        for sources in [LedgerReader.CampaignSources.totals, .postbacks, .postbacksAndCopies] {
          var found: [Int: Set<ValueCount>] = [:]
          var kinds: [Int: ValueCount] = [:]
          let answer = try reader.campaigns(
            query, decodingFor: apps, hourly: hourly, isDaily: isDaily, countedFrom: sources
          ) { row, count in
            let isNew = found[row, default: []].insert(plain(count)).inserted
            #expect(isNew)
            // A number is of one kind.
            let kind = plain(count, postbacks: 0)
            #expect(kinds[count.kind] ?? kind == kind)
            kinds[count.kind] = kind
          }
          #expect(Set(kinds.values).count == kinds.count)
          let counted = answer.rows.indices.filter { answer.rows[$0].counts.postbacks > 0 }
          values.append(counted.map { found[$0] ?? [] })
          rows.append(answer.rows)
        }
        #expect(comparable(rows[0]) == comparable(rows[1]))
        #expect(rows[0] == rows[2])
        #expect(values[0] == values[1] && values[0] == values[2])
        if query.conditions.isEmpty, query.from == nil, query.to == nil { #expect(!rows[1].isEmpty) }
      }
    }
  }

  /// Without its kind, whose numbers each answer gives anew.
  private func plain(_ count: ValueCount, postbacks: Int64? = nil) -> ValueCount {
    ValueCount(
      app: count.app, version: count.version, window: count.window, outcome: count.outcome,
      arrival: count.arrival, value: count.value, postbacks: postbacks ?? count.postbacks, kind: 0)
  }

  @Test func `Campaign rows' values are counted together on days between those that count by the hour`()
    throws
  {
    let scratch = try ScratchDatabase()
    let midnight = noon.day.start
    _ = try LedgerWriter(path: scratch.path).commit(
      (0..<10).map { valid("\($0)", at: midnight + Int64($0) * (Day.milliseconds + Hour.milliseconds)) })
    let app = known(AppID(525_463_029))
    let first = noon.day.number
    func arrivals(_ hourly: [Range<Int32>], isDaily: Bool) throws -> [Instant: Int64] {
      var found: [Instant: Int64] = [:]
      _ = try LedgerReader(path: scratch.path).campaigns(
        CampaignQuery(environment: .test, dimensions: []), decodingFor: [app],
        hourly: hourly.map { HourlyDays(app: app, hasWindows: true, window: .first, days: $0) },
        isDaily: isDaily
      ) { found[$1.arrival.lowerBound, default: 0] += $1.postbacks }
      return found
    }
    func day(_ number: Int32) -> Instant { Day(number: first + number).start }
    #expect(try arrivals([first + 3..<first + 4], isDaily: true).count == 10)
    // Three days before, the one that counts by the hour, and six behind it.
    #expect(
      try arrivals([first + 3..<first + 4], isDaily: false)
        == [day(2): 3, day(3) + 3 * Hour.milliseconds: 1, day(4): 6])
    #expect(
      try arrivals([first + 6..<first + 8, first + 3..<first + 7], isDaily: false)
        == [
          day(2): 3, day(3) + 3 * Hour.milliseconds: 1, day(4) + 4 * Hour.milliseconds: 1,
          day(5) + 5 * Hour.milliseconds: 1, day(6) + 6 * Hour.milliseconds: 1,
          day(7) + 7 * Hour.milliseconds: 1, day(8): 2,
        ])
  }

  @Test func `Campaign rows come from postbacks where cells are many, and from totals where they are few`()
    throws
  {
    let rows = CampaignPlan.fewPostbacks + 100
    func ledger(campaigns: Int64) throws -> ScratchDatabase {
      let scratch = try ScratchDatabase()
      let writer = try LedgerWriter(path: scratch.path)
      let postbacks = (0..<rows).map { number in
        valid(
          "\(number)", value: number % 3 == 0 ? .absent : .fine(known(FineValue(number % 64))),
          at: noon + number * 100_000, campaign: String("\(10_000 + number % campaigns)".dropFirst()))
      }
      // Every tenth comes again by another way, some of those with another value.
      let copies = stride(from: 0, to: rows, by: 10).map { number in
        valid(
          "\(number)", value: number % 20 == 0 ? .fine(known(FineValue(1))) : .absent,
          at: noon + number * 100_000 + Day.milliseconds, origin: Origin(.networkAddress),
          campaign: String("\(10_000 + number % campaigns)".dropFirst()), body: "again \(number)")
      }
      _ = try writer.commit(postbacks + copies)
      return scratch
    }
    for (campaigns, expected) in [
      (Int64(1000), LedgerReader.CampaignSources.postbacksAndCopies), (1, .totals),
    ] {
      let scratch = try ledger(campaigns: campaigns)
      let reader = try LedgerReader(path: scratch.path)
      let query = CampaignQuery(environment: .test, dimensions: [.day, .campaign])
      #expect(try reader.bestSources(CampaignPlan(query, networks: nil), query) == expected)
      let one = CampaignQuery(environment: .test, from: noon.day, to: noon.day.next, dimensions: [.campaign])
      #expect(try reader.bestSources(CampaignPlan(one, networks: nil), one) == .totals)
      let found = try reader.campaigns(query)
      #expect(found.reduce(0) { $0 + $1.counts.postbacks } == rows)
      #expect(
        found.contains { $0.counts.conflicts ?? 0 > 0 } && found.contains { $0.counts.repeats ?? 0 > 0 })
      for sources in LedgerReader.CampaignSources.allCases where sources != .postbacks {
        let other = try reader.campaigns(query, decodingFor: [], hourly: [], countedFrom: sources) { _, _ in }
        #expect(other.rows == found)
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `Campaign rows that alerts read are the same by totals and by a look at every postback`(seed: UInt64)
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed, receipts: 300)
    // Alerts are about production, which the history is not of; no block is complete yet.
    let connection = try Connection(path: scratch.path, mode: .readWrite)
    #expect(try connection.integer("SELECT count(*) FROM postback_facts") == 0)
    try connection.execute("UPDATE postback SET environment = 0; UPDATE campaign_cell SET environment = 0")
    let reader = try LedgerReader(path: scratch.path)
    for day in [noon.day, Day(number: -1), Day(number: -1000)] {
      let plan = CampaignPlan(CampaignQuery(from: day), networks: nil)
      let windows = try reader.firstWindowDaysOfTotals(from: day)
      #expect(!windows.isEmpty)
      #expect(try reader.firstWindowDaysOfPostbacks(plan, from: day) == windows)
      let values = Set(try reader.fineValueDaysOfTotals(from: day))
      #expect(!values.isEmpty)
      #expect(Set(try reader.fineValueDaysOfPostbacks(plan, from: day)) == values)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `First windows of all campaigns are the same by totals and by a look at every postback`(seed: UInt64)
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed, receipts: 700)
    let reader = try LedgerReader(path: scratch.path)
    let plan = CampaignPlan(CampaignQuery(environment: .test), networks: nil)
    let one = try #require(reader.networks.values.sorted().first.flatMap { AdNetworkID($0) })
    for networks in [[], [one]] {
      let ofTotals = try reader.firstWindowSummary(plan, of: networks, countedFrom: .totals)
      let ofPostbacks = try reader.firstWindowSummary(plan, of: networks, countedFrom: .postbacks)
      #expect(ofTotals == ofPostbacks)
      #expect(try reader.firstWindowSummary(.test, of: networks) == ofTotals)
      var hours: [FirstWindowHour] = []
      try reader.forEachFirstWindowHour(CampaignQuery(environment: .test)) { hours.append($0) }
      #expect(!hours.isEmpty)
      #expect(ofTotals.arrivals.reduce(0) { $0 + $1.postbacks } == hours.reduce(0) { $0 + $1.postbacks })
      let own = hours.filter { networks.isEmpty || $0.network == one.canonical }
      #expect(
        ofTotals.arrivals.reduce(0) { $0 + ($1.isOfNetworks ? $1.postbacks : 0) }
          == own.reduce(0) { $0 + $1.postbacks })
      let days = hours.map(\.hour.day.number)
      #expect(ofTotals.days == Int(days.max() ?? 0) - Int(days.min() ?? 0) + 1)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `First windows by campaign are the same by totals and by a look at every postback`(seed: UInt64)
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed, receipts: 700)
    let reader = try LedgerReader(path: scratch.path)
    let one = try #require(reader.networks.values.sorted().first.flatMap { AdNetworkID($0) })
    struct Key: Hashable {
      let campaign: FirstWindowCampaign
      let kind: FirstWindowKind
    }
    func counted(
      _ query: CampaignQuery, _ digits: Int?, _ sources: LedgerReader.CampaignSources
    ) throws -> [Key: Int64] {
      let counts = try reader.firstWindowCounts(query, digits: digits, countedFrom: sources)
      var found: [Key: Int64] = [:]
      for (place, campaign) in counts.campaigns.enumerated() {
        counts.forEach(ofCampaign: place) { kind, postbacks in
          found[Key(campaign: campaign, kind: counts.kinds[kind]), default: 0] += postbacks
        }
      }
      #expect(Set(counts.campaigns).count == counts.campaigns.count)
      #expect(Set(counts.kinds).count == counts.kinds.count)
      return found
    }
    for (from, to) in [(nil, nil), (noon.day, nil), (nil, noon.day.next), (noon.day, noon.day.next)] {
      for networks in [[], [one]] {
        let query = CampaignQuery(environment: .test, from: from, to: to, networks: networks)
        let plan = CampaignPlan(query, networks: reader.rows(of: networks)?.some)
        let sum = "SELECT sum(postbacks) FROM (\(plan.firstWindowHours))"
        let plain = try reader.connection.integer(sum) ?? 0
        let whole = try counted(query, nil, .totals)
        #expect(whole.values.reduce(0, +) == plain)
        for digits in [nil, 2, 3, 4] {
          let ofTotals = try counted(query, digits, .totals)
          #expect(try counted(query, digits, .postbacks) == ofTotals)
          // Campaigns of all digits come to the same, shortened one by one.
          func short(_ campaign: Campaign) -> String {
            guard case .sourceIdentifier(let source) = campaign, let digits else { return campaign.text }
            return source.shortened(toLast: digits)?.text ?? campaign.text
          }
          func named(_ counts: [Key: Int64]) -> [String: Int64] {
            Dictionary(
              counts.map { key, count in
                ("\(key.campaign.network) \(short(key.campaign.campaign)) \(key.kind)", count)
              }, uniquingKeysWith: +)
          }
          #expect(named(whole) == named(ofTotals))
        }
      }
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `Campaign rows' keys get the numbers that a dictionary would give`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let width = Int(seed % 4)
    var (keys, known) = (NumberedKeys(width: width), [[Int64]: Int]())
    for _ in 0..<5000 {
      let key = (0..<width).map { _ in
        Int64(random.next() % 40) << Int64(seed * 5) &- (seed == 3 ? .max : 0)
      }
      let expected = known[key] ?? known.count
      known[key] = expected
      #expect(keys.number(of: key) == expected)
    }
    #expect(keys.count == known.count)
    for (key, number) in known { #expect(key.indices.map { keys[number, $0] } == key) }
    let sorted = keys.sorted.map { number in (0..<width).map { keys[number, $0] } }
    #expect(sorted == known.keys.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Counts by fine value add up as 64 numbers would`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func counts() -> [Int64] {
      (0...63).map { _ in random.happens(0.1 * Double(seed % 5)) ? Int64(random.number(below: 1000)) : 0 }
    }
    var sums = [Int64](repeating: 0, count: 64)
    var (sum, kept) = (FineCounts(), FineCounts())
    for _ in 0..<5 {
      let added = counts()
      for value in 0...63 { sums[value] += added[value] }
      kept = sum
      sum += FineCounts { added[$0] }
      sum += FineCounts()
      #expect((0...63).map { sum[$0] } == sums)
      #expect(sum.total == sums.reduce(0, +))
      #expect(sum == FineCounts { sums[$0] })
      let before = (0...63).map { sums[$0] - added[$0] }
      #expect((0...63).map { kept[$0] } == before)
    }
  }

  @Test func `Campaign rows' counters hold more than 32 bits, and less than zero`() {
    var counters = CountRows(width: 2)
    counters.appendRow()
    counters.appendRow()
    for _ in 0..<3 { counters.add(Int64(UInt32.max), row: 1, column: 0) }
    counters.add(-5, row: 0, column: 1)
    counters.add(1 << 40, row: 1, column: 1)
    counters.add(-1, row: 1, column: 1)
    #expect(counters[1, 0] == 3 * Int64(UInt32.max))
    #expect(counters[0, 1] == -5)
    #expect(counters[1, 1] == (1 << 40) - 1)
    #expect(counters[0, 0] == 0)
  }

  @Test(arguments: ["", "7", "39", "0039", "5239", "US", "other", "1234567", "123456789"])
  func `Campaign rows have campaigns as numbers in the order of text`(text: String) {
    let short = ShortText(text.utf8)
    #expect(short.count == text.utf8.count)
    #expect(ShortText.text(short.number) == String(text.suffix(7)))
    for digits in 2...4 {
      #expect(ShortText.text(short.number(ofLast: digits)) == String(text.suffix(digits)))
    }
    for other in ["", "5", "52", "5239", "0039", "40"] where text.utf8.count <= 7 {
      #expect((ShortText(other.utf8).number < short.number) == (other < text))
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
