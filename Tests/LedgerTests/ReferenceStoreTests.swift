import Ledger
import Postbacks
import TestSupport
import Testing
import Values

struct `Imported rows` {
  private func day(_ number: Int) -> Day { Day(number: Int32(20_000 + number)) }

  private func paid(_ day: Int, _ campaign: String, app: Int64? = nil, _ micros: Int64) -> SpendRow {
    SpendRow(
      day: self.day(day), network: "n", campaign: campaign, app: app, currency: "EUR", micros: micros,
      impressions: micros * 10, clicks: nil)
  }

  private func name(_ from: Int, to: Int? = nil, _ name: String, _ campaign: String = "39") -> CampaignNameRow
  {
    CampaignNameRow(
      network: "n", campaign: campaign, from: day(from), to: to.map(day), name: name, adSet: nil,
      creative: nil,
      country: nil)
  }

  @Test func `Imported rows are counted as new, changed, unchanged and replaced`() throws {
    let folder = try TemporaryFolder()
    let store = try ReferenceStore(path: folder.file("skan.db"))
    let first = try store.put([paid(1, "a", 5), paid(2, "a", 6), paid(3, "a", app: 7, 7)])
    #expect((first.added, first.changed, first.same, first.removed) == (3, 0, 0, 0))
    let second = try store.put([paid(1, "a", 5), paid(2, "a", 60), paid(3, "a", 7), paid(4, "a", 8)])
    #expect((second.added, second.changed, second.same, second.removed) == (2, 1, 1, 1))
    let reader = try LedgerReader(path: folder.file("skan.db"))
    #expect(
      try reader.imported() == [paid(1, "a", 5), paid(2, "a", 60), paid(3, "a", 7), paid(4, "a", 8)])
    #expect(try store.remove([paid(2, "a", 1), paid(9, "a", 1)]) == 1)
    #expect(try reader.imported(SpendRow.self).count == 3)
  }

  @Test func `Imported rows are counted by kind, for a reader of some apps those of its apps`() throws {
    let folder = try TemporaryFolder()
    let store = try ReferenceStore(path: folder.file("skan.db"))
    let app = try #require(AppID(7))
    try store.put([paid(1, "a", 5), paid(2, "a", app: 7, 6), paid(3, "a", app: 8, 7)])
    try store.put([name(1, "A"), name(1, "B", "40")])
    try store.put([RateRow(day: day(1), currency: "EUR", quote: "USD", picos: 1)])
    try store.put([OwnInstallsRow(day: day(1), app: app, installs: 1)])
    try store.replaceWorth(
      of: app, effectiveFrom: day(1).start,
      with: (0..<4).map {
        ValueWorthRow(app: app, effectiveFrom: day(1).start, currency: "EUR", value: $0, each: [1])
      })
    let reader = try LedgerReader(path: folder.file("skan.db"))
    let limited = try LedgerReader(
      path: folder.file("skan.db"), limit: ReadLimit(apps: [app, try #require(AppID(8))]))
    let other = try LedgerReader(
      path: folder.file("skan.db"), limit: ReadLimit(apps: [try #require(AppID(9))]))
    let wanted: [(table: ImportedTable, counts: [Int])] = [
      (.spend, [3, 2, 0]), (.names, [2, 2, 2]), (.rates, [1, 1, 1]), (.totals, [0, 0, 0]),
      (.installs, [1, 1, 0]), (.users, [4, 4, 0]), (.proceeds, [0, 0, 0]),
    ]
    for (table, counts) in wanted {
      for (reader, count) in zip([reader, limited, other], counts) {
        #expect(try reader.importedCount(table) == count, "\(table)")
        #expect(try reader.hasImported(table) == (count > 0), "\(table)")
      }
    }
    #expect(try [reader, limited, other].map { try $0.spendCount(SpendSelection()) } == [3, 2, 0])
  }

  @Test func `Imports are remembered with the rows that changed, those that change nothing are not`() throws {
    let folder = try TemporaryFolder()
    let store = try ReferenceStore(path: folder.file("skan.db"))
    let (noon, later) = (day(3).start + 43_200_000, day(5).start)
    try store.put([paid(1, "a", 5), paid(2, "a", 6)], importedAt: noon)
    try store.put([paid(1, "a", 5)], importedAt: later)
    try store.put([paid(3, "a", 5)])
    try store.note(usersImportedAt: later, rows: 4)
    let reader = try LedgerReader(path: folder.file("skan.db"))
    #expect(
      try reader.referenceImports(from: day(3), to: day(6)) == [
        ReferenceImportRecord(at: noon, kind: "spend", rows: 2),
        ReferenceImportRecord(at: later, kind: "value_worth", rows: 4),
      ])
    #expect(try reader.referenceImports(from: day(4), to: day(5)).isEmpty)
  }

  @Test func `Imported rows of users have their hours replaced and removed with them`() throws {
    let folder = try TemporaryFolder()
    let store = try ReferenceStore(path: folder.file("skan.db"))
    let reader = try LedgerReader(path: folder.file("skan.db"))
    let app = try #require(AppID(1))
    let (first, second) = (Instant(seconds: 1_000), Instant(seconds: 2_000))
    func worth(_ from: Instant, _ value: Int) -> ValueWorthRow {
      ValueWorthRow(app: app, effectiveFrom: from, currency: "EUR", value: value, each: [1])
    }
    func hour(_ from: Instant, _ value: Int, _ hour: Int, _ users: Int64) -> FinalHourRow {
      FinalHourRow(app: app, effectiveFrom: from, value: value, hour: hour, users: users)
    }
    try store.replaceWorth(
      of: app, effectiveFrom: first, with: [worth(first, 1)], finalHours: [hour(first, 1, 0, 3)])
    try store.replaceWorth(
      of: app, effectiveFrom: second, with: [worth(second, 1), worth(second, 2)],
      finalHours: [hour(second, 1, 5, 1), hour(second, 1, 30, 2), hour(second, 2, 4, 7)])
    try store.replaceWorth(
      of: app, effectiveFrom: first, with: [worth(first, 1)], finalHours: [hour(first, 1, 2, 4)])
    let all = [
      hour(first, 1, 2, 4), hour(second, 1, 5, 1), hour(second, 1, 30, 2), hour(second, 2, 4, 7),
    ]
    #expect(try reader.finalHours() == all)
    #expect(try store.remove([worth(second, 1)]) == 1)
    #expect(try reader.finalHours() == [all[0], all[3]])
    // Users of another import without hours leave none.
    try store.replaceWorth(of: app, effectiveFrom: first, with: [worth(first, 1)])
    #expect(try reader.finalHours() == [all[3]])
  }

  @Test func `Imported rows of names end where a later one begins, in whatever order they come`() throws {
    let wanted = [name(1, to: 4, "A"), name(4, to: 6, "B"), name(8, "C")]
    for files in [
      [[name(1, "A")], [name(4, to: 6, "B")], [name(8, "C")]],
      [[name(8, "C"), name(4, to: 6, "B"), name(1, "A")]],
      [[name(8, "C")], [name(4, to: 6, "B")], [name(1, "A")], [name(1, "A"), name(8, "C")]],
    ] {
      let folder = try TemporaryFolder()
      let store = try ReferenceStore(path: folder.file("skan.db"))
      for file in files { try store.put(file) }
      #expect(try LedgerReader(path: folder.file("skan.db")).campaignNames() == wanted)
    }
  }

  @Test func `Imported rows of names list those that they end, and only once`() throws {
    let folder = try TemporaryFolder()
    let store = try ReferenceStore(path: folder.file("skan.db"))
    #expect(try store.put([name(1, "A"), name(1, "X", "40")]).adjusted.isEmpty)
    let changes = try store.put([name(5, "B")])
    #expect(changes.added == 1 && changes.changed == 0)
    #expect(changes.adjusted.map(\.given) == [name(1, "A")])
    #expect(changes.adjusted.map(\.stored) == [name(1, to: 5, "A")])
    let again = try store.put([name(1, "A"), name(5, "B")])
    #expect((again.added, again.changed, again.same) == (0, 0, 2) && again.adjusted.isEmpty)
  }

  @Test(arguments: UInt64(1)...60)
  func `Imported rows of names cover each day with the newest name that has begun and not ended`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try ReferenceStore(path: folder.file("skan.db"))
    var latest: [Int: CampaignNameRow] = [:]
    for number in 0..<(1 + random.number(below: 12)) {
      let from = random.number(below: 30)
      let row = name(
        from, to: random.number(below: 2) == 0 ? nil : from + 1 + random.number(below: 9), "\(number)")
      latest[from] = row
      try store.put([row])
    }
    let stored = try LedgerReader(path: folder.file("skan.db")).campaignNames()
    for number in 0..<50 {
      func holds(_ row: CampaignNameRow) -> Bool {
        row.from <= day(number) && row.to.map { day(number) < $0 } ?? true
      }
      let begun = latest.values.filter { $0.from <= day(number) }.max { $0.from < $1.from }
      #expect(stored.filter(holds).map(\.name) == [begun].compactMap { $0 }.filter(holds).map(\.name))
    }
  }
}
