import Ledger
import Postbacks
import Testing
import Values

struct `Estimates by a horizon that users of a new mapping version lack` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  /// Conversions of the last weeks under two versions, of which users of the first one have 30 days of history.
  private func site() throws -> OpenSite {
    try OpenSite(at: now) { database in
      let value = ConversionValue.fine(try #require(FineValue(1)))
      // Ten under the first version, and five under the second one twelve days later.
      try OpenSite.store(
        [(10, 24, "1234"), (5, 12, "5678")].flatMap { count, days, campaign in
          (0..<count).map {
            .init(campaign: campaign, at: now + (-days * Day.milliseconds + Int64($0)), value: value)
          }
        }, in: database)
      let first = try #require(OpenSite.mapping(1, "EUR"))
      let change = try #require(Day("2026-11-06")).start
      let document = String(decoding: first.document, as: UTF8.self).replacing(
        "2020-01-01", with: "2026-11-06")
      try MappingStore(path: database).replaceAll(
        with: [
          first,
          StoredMapping(
            source: "m2", app: first.app, effectiveFrom: change, digest: "e", loadedAt: now,
            document: Array(document.utf8)),
        ])
      let store = try ReferenceStore(path: database)
      try store.replaceWorth(
        of: first.app, effectiveFrom: first.effectiveFrom,
        with: [
          ValueWorthRow(
            app: first.app, effectiveFrom: first.effectiveFrom, horizon: .days(30), currency: "EUR", value: 1,
            each: [3_000_000, 5_000_000])
        ])
    }
  }

  @Test
  func `The page states how many conversions of which version are left out, and shows no figure of them`()
    throws
  {
    let page = try site().page("/campaigns?horizon=30")
    let banner = try #require(page.firstMatch(of: /<div class="banner" role="status">.*?<\/div>/)).output
    for words in [
      "5 conversions are left out: version 2 of the mapping of", "2026-11-06", "30 days of history",
    ] {
      #expect(banner.contains(words), "\(words)")
    }
    let rows = page.matches(of: /<tr role="row"><th scope="row".*?<\/tr>/.dotMatchesNewlines()).map {
      $0.output
    }
    let old = try #require(rows.first { $0.contains("34") && $0.contains("campaign=34") })
    let new = try #require(rows.first { $0.contains("campaign=78") })
    #expect(old.contains("40.00") && !new.contains(".00"))
    // Without a horizon nothing is left out.
    #expect(try !site().page("/campaigns").contains("are left out"))
  }
}
