@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

struct `Campaign rows` {
  private struct Recounted {
    var counts = CampaignCounts.zero
    var fine = [Int64](repeating: 0, count: 64)
    var days: ClosedRange<Day>
    var values: [String: Int64] = [:]
  }

  /// Counts single postbacks and their copies again, by words and one after the other.
  private func recounted(
    _ query: CampaignQuery, _ postbacks: [PostbackRow], decoding app: AppID, hourly: Range<Int32>
  ) -> [[String?]: Recounted] {
    var found: [[String?]: Recounted] = [:]
    for row in postbacks {
      let day = query.zone.day(of: row.receivedAt)
      guard query.from.map({ $0 <= day }) ?? true, query.to.map({ day < $0 }) ?? true,
        query.apps.isEmpty || query.apps.contains(row.app),
        query.networks.isEmpty || query.networks.map(\.canonical).contains(row.network),
        query.conditions.allSatisfy({ $0.admits(word(row, $0.dimension, query) ?? "none") })
      else { continue }
      let utcDay = row.receivedAt.day
      let key = query.dimensions.map { word(row, $0, query) }
      var group = found[key] ?? Recounted(days: utcDay...utcDay)
      group.days = min(group.days.lowerBound, utcDay)...max(group.days.upperBound, utcDay)
      group.counts.add(
        CampaignCounts.part(
          of: FactKind(
            app: row.app, version: row.version, window: row.window, outcome: row.outcome, value: row.value,
            interaction: row.interaction, arrival: nil)))
      if row.outcome != .assist, case .fine(let value) = row.value { group.fine[Int(value.number)] += 1 }
      if row.outcome != .assist, row.app == app, row.value != .absent, row.value != .rejected {
        let isHourly = row.version.hasWindows && row.window == .first && hourly.contains(utcDay.number)
        let start = isHourly ? row.receivedAt.startOfHour : utcDay.start
        group.values["\(row.version) \(row.window) \(row.outcome) \(row.value) \(start)", default: 0] += 1
      }
      found[key] = group
    }
    return found
  }

  private func postbacks(_ reader: LedgerReader) throws -> [PostbackRow] {
    var postbacks: [PostbackRow] = []
    try reader.forEachPostback(PostbackQuery(environment: .test)) {
      postbacks.append($0)
      return true
    }
    return postbacks
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `Campaign rows are what a recount of single postbacks gives, for any question`(seed: UInt64) throws {
    let scratch = try ScratchDatabase()
    // Two histories have a whole block, the others have none.
    try storeHistory(scratch.path, seed: seed, receipts: seed % 20 == 0 ? 11_000 : 300)
    let reader = try LedgerReader(path: scratch.path)
    let postbacks = try postbacks(reader)
    var random = SplitMix64(seed: seed)
    func happens(_ one: UInt64) -> Bool { random.next() % one == 0 }
    let zones = ["-09:30", "+13:00", "+05:45"].compactMap { ReportingZone(offset: $0) }
    let app = known(AppID(1))
    let hourly = noon.day.number..<noon.day.number + 2
    for _ in 0..<6 {
      var query = CampaignQuery(
        environment: .test, dimensions: CampaignDimension.allCases.filter { _ in happens(3) },
        digits: [nil, 2, 3, 4][Int(random.next() % 4)])
      if happens(3) { query.zone = zones[Int(random.next() % 3)] }
      if happens(3) { query.from = Day(number: -2) }
      if happens(3) { query.to = noon.day }
      if happens(4) { query.apps = [app] }
      if happens(4) { query.networks = [known(AdNetworkID("A.skadnetwork"))] }
      let conditions: [CampaignCondition] = [
        .init(.outcome, ["install", "re*"]), .init(.campaign, isExcluded: true, ["5210", "39"]),
        .init(.window, ["1"]), .init(.month, ["1970-*"]), .init(.network, ["B*"]),
        .init(.version, isExcluded: true, ["*.0"]), .init(.interaction, ["none", "view"]),
        .init(.country, isExcluded: true, ["none"]), .init(.tier, ["0", "2", "none"]),
        .init(.publisher, ["none"]),
      ]
      query.conditions = conditions.filter { _ in happens(6) }
      var values: [Int: [String: Int64]] = [:]
      var kinds: [Int: ValueCount] = [:]
      let answer = try reader.campaigns(
        query, decodingFor: [app],
        hourly: [HourlyDays(app: app, hasWindows: true, window: .first, days: hourly)]
      ) { row, count in
        let text =
          "\(count.version) \(count.window) \(count.outcome) \(count.value) \(count.arrival.lowerBound)"
        #expect(values[row]?[text] == nil)
        values[row, default: [:]][text] = count.postbacks
        // A number is of one kind.
        let kind = plain(count, postbacks: 0)
        #expect(kinds[count.kind] ?? kind == kind)
        kinds[count.kind] = kind
      }
      #expect(Set(kinds.values).count == kinds.count)
      let expected = recounted(query, postbacks, decoding: app, hourly: hourly)
      let counted = answer.rows.indices.filter { answer.rows[$0].counts.postbacks > 0 }
      #expect(counted.count == expected.count)
      for index in counted {
        var row = answer.rows[index]
        let found = try #require(expected[query.dimensions.map { row[$0]?.text }])
        #expect(found.fine == (0...63).map { row.counts.fine[$0] })
        #expect(values[index] ?? [:] == found.values)
        // A day on which only copies came extends the days of a row.
        #expect(row.days.lowerBound <= found.days.lowerBound && row.days.upperBound >= found.days.upperBound)
        if query.looksAtPostbacks { #expect(row.days == found.days && row.counts.repeats == nil) }
        (row.counts.repeats, row.counts.conflicts, row.counts.fine) = (0, 0, FineCounts())
        #expect(row.counts == found.counts)
      }
      let words = counted.map { index in query.dimensions.map { answer.rows[index][$0]?.text } }
      #expect(Set(words).count == words.count)
      if query.conditions.isEmpty, query.from == nil, query.to == nil { #expect(!words.isEmpty) }
    }
  }

  private func word(_ row: PostbackRow, _ dimension: CampaignDimension, _ query: CampaignQuery) -> String? {
    let day = query.zone.day(of: row.receivedAt)
    return switch dimension {
    case .day: "\(day)"
    case .week: "\(day.monday)"
    case .month: String("\(day)".prefix(7))
    case .app: "\(row.app.number)"
    case .network: row.network
    case .campaign: row.version.hasWindows ? String(row.campaign.suffix(query.digits ?? 4)) : row.campaign
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

  /// Without its kind, whose numbers each answer gives anew.
  private func plain(_ count: ValueCount, postbacks: Int64? = nil) -> ValueCount {
    ValueCount(
      app: count.app, version: count.version, window: count.window, outcome: count.outcome,
      arrival: count.arrival, value: count.value, postbacks: postbacks ?? count.postbacks, kind: 0)
  }

  @Test
  func `Campaign rows count each copy on the day that it arrived itself, where no copy is of a postback's`()
    throws
  {
    let scratch = try ScratchDatabase()
    let again = Origin(.networkAddress)
    _ = try LedgerWriter(path: scratch.path).commit([
      valid("a", at: noon), valid("b", at: noon, campaign: "5240"),
      valid("a", at: noon + Day.milliseconds, origin: again),
      valid("a", value: .absent, at: noon + 2 * Day.milliseconds, origin: again, body: "again"),
    ])
    let reader = try LedgerReader(path: scratch.path)
    func rows(_ dimensions: [CampaignDimension], _ condition: CampaignCondition? = nil) throws -> [[Int64?]] {
      try reader.campaigns(
        CampaignQuery(
          environment: .test, conditions: condition.map { [$0] } ?? [], dimensions: dimensions)
      ).map { [$0.counts.postbacks, $0.counts.repeats, $0.counts.conflicts] }
    }
    #expect(try rows([.day]) == [[2, 0, 0], [0, 1, 0], [0, 0, 1]])
    #expect(try rows([.campaign]) == [[1, 1, 1], [1, 0, 0]])
    #expect(try rows([.campaign], CampaignCondition(.campaign, ["5240"])) == [[1, 0, 0]])
    #expect(try rows([]) == [[2, 1, 1]])
    #expect(try rows([.interaction]) == [[2, nil, nil]])
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

  /// First-window postbacks that won, of all campaigns, by app, network, campaign and what decides a value's meaning.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `First windows are what a recount of single postbacks gives, for reports and for alerts`(seed: UInt64)
    throws
  {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed, receipts: 700)
    let reader = try LedgerReader(path: scratch.path)
    let postbacks = try postbacks(reader).filter { $0.window == .first && $0.outcome != .assist }
    func counted(_ rows: [PostbackRow], _ name: (PostbackRow) -> String) -> [String: Int64] {
      rows.reduce(into: [:]) { $0[name($1), default: 0] += 1 }
    }
    func short(_ row: PostbackRow, _ digits: Int?) -> String {
      row.version.hasWindows ? String(row.campaign.suffix(digits ?? 4)) : row.campaign
    }
    for (from, to) in [(nil, nil), (noon.day, nil), (nil, noon.day.next), (noon.day, noon.day.next)] {
      let days = postbacks.filter { row in
        let day = row.receivedAt.day
        return from.map { $0 <= day } ?? true && to.map { day < $0 } ?? true
      }
      for digits in [nil, 2, 3, 4] {
        // The hour of a kind is kept apart on some days, which changes no count.
        let hourly = digits == 3 ? [noon.day.number..<noon.day.number + 1] : []
        let counts = try reader.firstWindowCounts(
          CampaignQuery(environment: .test, from: from, to: to), digits: digits,
          decodingFor: digits == 2 ? [] : Array(Set(postbacks.map(\.app))),
          hourly: Set(postbacks.map(\.app)).flatMap { app in
            hourly.flatMap { days in
              [false, true].map { HourlyDays(app: app, hasWindows: $0, window: .first, days: days) }
            }
          })
        #expect(counts.days == Set(days.map(\.receivedAt.day)).spanned)
        #expect(Set(counts.campaigns).count == counts.campaigns.count)
        var found: [String: Int64] = [:]
        for (place, campaign) in counts.campaigns.enumerated() {
          let long = days.filter {
            $0.app == campaign.app && $0.network == campaign.network && $0.version.hasWindows
              && short($0, digits) == campaign.campaign.text && $0.campaign != campaign.campaign.text
          }
          if case .sourceIdentifier = campaign.campaign { #expect(campaign.isShortened == !long.isEmpty) }
          counts.forEach(ofCampaign: place) { number, hour, count in
            let kind = counts.kinds[number]
            #expect((kind.arrival == nil) == (digits == 2))
            if hourly.contains(where: { $0.contains(hour.day.number) }) {
              #expect(kind.arrival == hour.followingHour)
            }
            let name = "\(campaign.app) \(campaign.network) \(campaign.campaign.text)"
            found["\(name) \(kind.version) \(kind.outcome) \(hour) \(kind.value)", default: 0] += count
          }
        }
        let expected = counted(days) { row in
          "\(row.app) \(row.network) \(short(row, digits)) \(row.version) \(row.outcome) "
            + "\(row.receivedAt.startOfHour) \(row.value)"
        }
        #expect(found == expected)
      }
      let divided = try reader.firstWindowCounts(
        CampaignQuery(environment: .test, from: from, to: to), digits: 2, decodingFor: [], hourly: [],
        by: [.outcome, .publisher, .country])
      var found: [String: Int64] = [:]
      for (place, campaign) in divided.campaigns.enumerated() {
        let traits = campaign.traits
        let name =
          "\(campaign.app) \(campaign.network) \(campaign.campaign.text) \(traits.outcome?.rawValue ?? "") "
          + "\(traits.publisher ?? "none") \(traits.country ?? "none")"
        divided.forEach(ofCampaign: place) { _, _, count in found[name, default: 0] += count }
      }
      #expect(
        found
          == counted(days) { row in
            "\(row.app) \(row.network) \(short(row, 2)) \(row.outcome.rawValue) \(row.publisher ?? "none") "
              + (row.country ?? "none")
          })
    }
    // Alerts are about production, which the history is not of.
    try Connection(path: scratch.path, mode: .readWrite).execute(
      "UPDATE postback SET environment = 0; UPDATE fact_source SET environment = 0 WHERE environment = 2")
    for day in [noon.day, Day(number: -1), Day(number: -1000)] {
      let rows = postbacks.filter { $0.receivedAt.day >= day }
      let found = try reader.firstWindowDays(from: day)
      #expect(!found.isEmpty)
      func name(_ row: PostbackRow) -> String {
        "\(row.app) \(row.network) \(short(row, 2)) \(row.receivedAt.day)"
      }
      let names = found.map { "\($0.app) \($0.network) \($0.campaign) \($0.day)" }
      // A campaign id and a source identifier of the same digits are two campaigns.
      let conversions: [String: Int64] = Dictionary(
        zip(names, found.map(\.postbacks)), uniquingKeysWith: { $0 + $1 })
      #expect(conversions == counted(rows, name))
      let nulls: [String: Int64] = Dictionary(
        zip(names, found.map(\.nulls)), uniquingKeysWith: { $0 + $1 })
      #expect(nulls.filter { $0.value > 0 } == counted(rows.filter { $0.value == .absent }, name))
      let values = try reader.fineValueDays(from: day)
      let fine = rows.filter { if case .fine = $0.value { true } else { false } }
      let foundValues = values.map { value -> (String, Int64) in
        let name =
          "\(value.app) \(value.network) \(value.version) \(value.outcome) \(value.day) \(value.value)"
        return (name, value.postbacks)
      }
      #expect(
        Dictionary(uniqueKeysWithValues: foundValues)
          == counted(fine) {
            "\($0.app) \($0.network) \($0.version) \($0.outcome) \($0.receivedAt.day) \($0.value)"
          })
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `Campaign rows' keys get the numbers that a dictionary would give`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let width = Int(seed % 4)
    var (keys, known) = (NumberedKeys(width: width), [[UInt64]: UInt32]())
    var numbers: [UInt32] = []
    for _ in 0..<50 {
      let some = (0..<100).map { _ in (0..<width).map { _ in (random.next() % 40) << (seed * 5) } }
      let expected = some.map { key in
        let number = known[key] ?? UInt32(known.count)
        known[key] = number
        return number
      }
      keys.find(some.flatMap { $0 }, count: some.count, &numbers)
      #expect(numbers == expected)
    }
    #expect(keys.count == known.count)
    for (key, number) in known { #expect(key.indices.map { keys[Int(number), $0] } == key) }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `Campaign rows' postbacks by group, kind and hour are those that were added, however many`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let hasHours = seed % 2 == 0
    var (runs, known) = (FactRuns(atOnce: 64), [[Int]: Int64]())
    var groups = 1
    for _ in 0..<100 {
      groups += random.number(below: 3)
      let some = (0..<30).map { _ in
        [random.number(below: groups), random.number(below: 5), hasHours ? random.number(below: 9) - 4 : 0]
      }
      for one in some { known[one, default: 0] += 1 }
      runs.add(
        some.map { UInt32($0[0]) }, some.map { UInt32($0[1]) },
        hours: hasHours ? some.map { Int32($0[2]) } : [],
        groupCount: groups)
    }
    runs.close(groupCount: groups)
    var found: [[Int]: Int64] = [:]
    for group in 0..<groups {
      runs.forEach(of: group) { found[[group, Int($0), Int($1)], default: 0] += $2 }
    }
    #expect(found == known)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Counts by fine value add up as 64 numbers would`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func counts() -> [Int64] {
      (0...63).map { _ in random.happens(0.1 * Double(seed % 5)) ? Int64(random.number(below: 1000)) : 0 }
    }
    func fine(_ counts: [Int64]) -> FineCounts {
      FineCounts(counts.indices.reduce(0) { $0 | (counts[$1] == 0 ? 0 : 1 << UInt64($1)) }, of: counts)
    }
    var sums = [Int64](repeating: 0, count: 64)
    var (sum, kept) = (FineCounts(), FineCounts())
    for _ in 0..<5 {
      let added = counts()
      for value in 0...63 { sums[value] += added[value] }
      kept = sum
      sum += fine(added)
      sum += FineCounts()
      #expect((0...63).map { sum[$0] } == sums)
      #expect(sum.total == sums.reduce(0, +))
      #expect(sum == fine(sums))
      var appended: [Int64] = [-1]
      sum.append(to: &appended)
      #expect(appended == [-1] + sums)
      let before = (0...63).map { sums[$0] - added[$0] }
      #expect((0...63).map { kept[$0] } == before)
    }
  }

  @Test(arguments: ["", "7", "39", "0039", "5239", "12345678"])
  func `Campaign rows have campaigns as numbers in the order of text`(text: String) {
    let digits = CampaignDigits(text)
    #expect(digits.text == text)
    #expect(digits.count == text.utf8.count)
    #expect(CampaignDigits(number: digits.number) == digits)
    for last in 2...4 { #expect(digits.last(last).text == String(text.suffix(last))) }
    for other in ["", "5", "52", "5239", "0039", "40"] {
      #expect((CampaignDigits(other).rank < digits.rank) == (other < text))
      #expect((CampaignDigits(other) == digits) == (other == text))
    }
    for wrong in ["x", "5x", "-1", "123456789"] { #expect(CampaignDigits(wrong).number == 0) }
  }

  /// Counted again from the rows of `report postbacks`, one at a time, by words and not by numbers.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `Campaign rows of every dimension are those of single postbacks`(seed: UInt64) throws {
    let scratch = try ScratchDatabase()
    try storeHistory(scratch.path, seed: seed, receipts: 300)
    let reader = try LedgerReader(path: scratch.path)
    let postbacks = try postbacks(reader)
    let zone = try #require(ReportingZone(offset: seed % 2 == 0 ? "-09:30" : "+13:00"))
    for dimension in CampaignDimension.allCases {
      let dimensions = [dimension, .version]
      let query = CampaignQuery(environment: .test, zone: zone, dimensions: dimensions)
      var expected: [[String?]: Int64] = [:]
      for row in postbacks { expected[dimensions.map { word(row, $0, query) }, default: 0] += 1 }
      var found: [[String?]: Int64] = [:]
      for row in try reader.campaigns(query) {
        found[dimensions.map { row[$0]?.text }, default: 0] += row.counts.postbacks
      }
      #expect(found == expected)
      // One word of it alone, and all but it.
      let one = try #require(postbacks.first.map { word($0, dimension, query) ?? "none" })
      for isExcluded in [false, true] {
        var filtered = query
        filtered.dimensions = []
        filtered.conditions = [CampaignCondition(dimension, isExcluded: isExcluded, [one])]
        let wanted = postbacks.count { ((word($0, dimension, query) ?? "none") == one) != isExcluded }
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

extension Set<Day> {
  /// How many days there are from the first through the last.
  fileprivate var spanned: Int {
    guard let first = map(\.number).min(), let last = map(\.number).max() else { return 0 }
    return Int(last - first) + 1
  }
}
