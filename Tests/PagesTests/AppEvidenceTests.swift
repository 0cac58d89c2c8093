import Ledger
import MappingEditing
import MappingLibrary
import Postbacks
import Testing
import Values

struct `What an app's postbacks show a simulation` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)
  private let days = 28

  private func moment(_ day: Int) -> Instant { now.day.start + Int64(day - days - 5) * 86_400_000 }

  private var document: [UInt8] {
    Array(
      """
      {"name": "m", "app": 1, "currency": "USD", "effective-from": "2026-01-01", "protocol": "skan4",
       "grids": [{"first-value": 1, "revenue": [0.01, 5, 20, null], "worth": "low"}], "fine": [{"value": 0}]}
      """.utf8)
  }

  /// Pages with postbacks of campaigns, so many a day of each.
  ///
  /// Values are withheld below a number of them. A file has
  /// every so many-th user.
  private func site(_ sizes: [Int], shownFrom threshold: Int, fileHasOneOf step: Int) throws -> (
    OpenSite, String
  ) {
    var id: Int64 = 0
    let site = try OpenSite(at: now) { database in
      var installs: [OpenSite.Install] = []
      var events = "user,time,event,campaign,revenue\n"
      var number = 0
      for day in 0..<days {
        for (campaign, size) in sizes.enumerated() {
          // Days differ, so that sizes around the threshold are there.
          let size = size + (day * 7 + campaign * 3) % 11 - 5
          for user in 0..<size {
            number += 1
            let at = moment(day) + Int64(user) * 60_000
            installs.append(
              .init(
                campaign: "\(1010 + campaign)", at: at, delay: (number % 2 == 0 ? 72 : 96) * 3_600_000,
                value: size < threshold ? .absent : .fine(try #require(FineValue(Int64(number % 3))))))
            guard number % step == 0 else { continue }
            events += "u\(number),\(at),install,\(1010 + campaign),\n"
            events += "u\(number),\(at + 3_600_000),purchase,\(1010 + campaign),\(number % 9)\n"
          }
        }
      }
      try OpenSite.store(installs, in: database)
      let document = document
      _ = try MappingLoad.load(
        [MappingLoad.File(source: "m.json", contents: .success(document))],
        into: MappingStore(path: database),
        isWhole: false, now: now)
      let app = try #require(AppID(1))
      _ = try ImportedUsers(beside: database).keep(Array(events.utf8), of: app, currency: CurrencyCode("USD"))
      id = try MappingDrafts(LedgerFile.existing(database)).begin(
        .document(document), app: app, by: "ana", now: now
      ).id
    }
    return (site, "/mappings/editor?draft=\(id)")
  }

  @Test func `A third of the users counts as a third of the app's, which can be turned off`() throws {
    let (site, address) = try site([12, 20], shownFrom: 1, fileHasOneOf: 3)
    let page = try site.page(address)
    let sentence = try #require(page.firstMatch(of: /These are <data value="0\.(3[0-9]+)">/), "\(page)")
    #expect((310...360).contains(Int(sentence.output.1.padding(3)) ?? 0), "\(sentence.output.1)")
    #expect(
      page.contains("name=\"whole\"") && page.contains("of the app&#39;s users")
        || page.contains("of the app's users"))
    #expect(page.contains("is an assumption: your postbacks do not show it yet"))
    #expect(!(try site.page("\(address)&whole=true")).contains("These are <data"))
  }

  @Test func `The threshold that postbacks show is used, with its interval`() throws {
    let (site, address) = try site([8, 14, 20, 26, 32, 40, 50], shownFrom: 30, fileHasOneOf: 4)
    let page = try site.page(address)
    let found = try #require(
      page.firstMatch(of: /show values from about <data value="([0-9.]+)">/), "no threshold on the page")
    let size = try #require(Double(found.output.1))
    #expect((26...34).contains(size), "\(size)")
    #expect(page.contains("a day, by your postbacks"))
    // Another model is a choice away.
    #expect(!(try site.page("\(address)&threshold=strict")).contains("show values from about"))
  }
}

extension Substring {
  /// The digits with zeros behind, so many in all.
  fileprivate func padding(_ count: Int) -> String {
    prefix(count) + String(repeating: "0", count: Swift.max(0, count - self.count))
  }
}
