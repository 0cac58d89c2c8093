import EstimateReports
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Screens
import Testing
import TestSupport
import Values

/// The page of what would make Apple show more values.
struct `The page of a plan` {
  private static let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  /// Campaigns by their installs a day, whose values are shown on days of `threshold` installs or more.
  private func site(_ campaigns: [String: Int], threshold: Int = 30) throws -> OpenSite {
    try OpenSite(at: Self.now) { database in
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap(\.self))
      var random = SplitMix64(seed: 5)
      var installs: [OpenSite.Install] = []
      for (campaign, mean) in campaigns.sorted(by: { $0.key < $1.key }) {
        for day in 0..<56 {
          let count = mean + random.number(below: mean / 2 + 1) - mean / 4
          let start = Day(number: Self.now.day.number - 60 + Int32(day)).start
          for index in 0..<count {
            installs.append(
              .init(
                campaign: campaign, at: start + Int64(index) * Day.milliseconds / Int64(count),
                delay: 72 * Hour.milliseconds + Int64(random.number(below: 24 * 3600)) * 1000,
                value: count < threshold ? .absent : fine(index % 2)))
          }
        }
      }
      try OpenSite.store(installs, in: database)
    }
  }

  private func boxes(_ page: String) -> [(id: String, isChecked: Bool)] {
    page.matches(of: /<input type="checkbox" name="choose" value="([^"]*)"( checked)?>/).map {
      (String($0.output.1), $0.output.2 != nil)
    }
  }

  private static let small = ["12": 17, "17": 19, "21": 16, "22": 18, "31": 61, "32": 25, "33": 36, "34": 48]

  @Test func `It has three figures, and a box for each proposal`() throws {
    let page = try site(Self.small).page("/plan")
    let figures = try #require(page.firstMatch(of: /<dl class="figs three".*?<\/dl>/.dotMatchesNewlines()))
    #expect(figures.output.matches(of: /<dt>/).count == 3)
    let boxes = boxes(page)
    #expect(!boxes.isEmpty && boxes.contains { $0.isChecked })
    for box in boxes { #expect(page.contains("<li id=\"\(box.id)\">")) }
    #expect(Set(boxes.map(\.id)).count == boxes.count)
  }

  @Test func `What is chosen stays chosen, and what is not chosen stays there`() throws {
    let site = try site(Self.small)
    let all = boxes(try site.page("/plan"))
    let first = try #require(all.first)
    let none = boxes(try site.page("/plan?choose=none"))
    #expect(none.map(\.id) == all.map(\.id) && none.allSatisfy { !$0.isChecked })
    let one = boxes(try site.page("/plan?choose=none&choose=\(first.id)"))
    #expect(one.map(\.id) == all.map(\.id) && one.filter(\.isChecked).map(\.id) == [first.id])
  }

  @Test func `A budget without costs is asked for them, and with them it is split in three ways`() throws {
    let site = try site(Self.small)
    let without = try site.page("/plan?budget=20000")
    #expect(without.contains("The budget needs the cost per install of each network"))
    #expect(!without.contains("h-splits") && without.contains("h-campaigns"))
    let splits = try site.section("splits", of: "/plan?budget=20000&cost=net.skadnetwork=2")
    for word in ["As now", "As proposed", "One of each app and network"] { #expect(splits.contains(word)) }
    #expect(splits.contains("value=\"10000\""))
  }

  @Test func `A choice that other days do not have is left out, and a file without a cost has no splits`()
    throws
  {
    let site = try site(Self.small)
    let page = try site.page("/plan?choose=merge-of-nothing")
    #expect(boxes(page).contains { $0.isChecked } && page.contains("The usual choice is shown."))
    #expect(!(try site.page("/plan").contains("The usual choice is shown.")))
    #expect(try site.page("/plan?budget=20000&format=csv").hasPrefix("app,"))
  }

  @Test func `Where own postbacks do not show the size, both models are shown`() throws {
    // All values of all campaigns are withheld.
    let page = try site(["12": 17, "17": 15, "31": 22], threshold: 1_000).page("/plan")
    #expect(page.contains("own postbacks do not show the size"))
  }

  @Test func `Where rare values are withheld the page states from how many users on they are shown`() throws {
    let site = try OpenSite(at: Self.now) { database in
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap(\.self))
      var random = SplitMix64(seed: 5)
      var installs: [OpenSite.Install] = []
      let monday = Day(number: Self.now.day.number - 63).monday
      for (campaign, mean) in (4..<20).map({ ("\(10 + $0)", 7 * $0) }) {
        for week in 0..<8 {
          let values = (0..<mean).map { _ in (0..<9).first { _ in random.happens(0.5) } ?? 9 }
          for value in values {
            installs.append(
              .init(
                campaign: campaign,
                at: Day(number: monday.number + 7 * Int32(week) + Int32(random.number(below: 7))).start,
                delay: 72 * Hour.milliseconds + Int64(random.number(below: 24 * 3600)) * 1000,
                value: values.count { $0 == value } < 5 ? .absent : fine(value)))
          }
        }
      }
      try OpenSite.store(installs, in: database)
    }
    let page = try site.page("/plan?share=97")
    #expect(page.contains("a value is shown from 5 users of a campaign and week on"))
  }

  @Test func `A database without postbacks leads to what has to be done`() throws {
    let page = try site([:]).page("/plan")
    #expect(page.contains("h-sample") && !page.contains("h-proposals"))
    let budget = try site([:]).page("/plan?budget=20000&cost=net.skadnetwork=2")
    #expect(budget.contains("h-splits") && budget.contains("recommend"))
  }
}
