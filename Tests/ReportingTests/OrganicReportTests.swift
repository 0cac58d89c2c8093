@testable import Campaigns
@testable import Explanations
import Foundation
import Ledger
import PostbackFixtures
import Postbacks
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

/// Own installs beside those that postbacks attribute.
struct `Organic installs`: ~Copyable {
  private let folder: TemporaryFolder
  private let path: String
  /// 2026-11-20.
  private static let firstDay: Int32 = 20_777

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
  }

  private func store(_ postbacks: [(app: Int64, day: Int32, outcome: Outcome, window: ConversionWindow)])
    throws
  {
    let receipts = postbacks.enumerated().map { index, postback in
      valid(
        "t\(index)", value: .absent,
        at: Day(number: Self.firstDay + postback.day).start + 1000 * Int64(index), network: "a.skadnetwork",
        app: postback.app, campaign: "39", window: postback.window, outcome: postback.outcome)
    }
    _ = try LedgerWriter(path: path).commit(receipts)
  }

  private func own(_ rows: [(app: Int64, day: Int32, installs: Int64)]) throws {
    try ReferenceStore(path: path).put(
      try rows.map {
        OwnInstallsRow(
          day: Day(number: Self.firstDay + $0.day), app: try #require(AppID($0.app)), installs: $0.installs)
      })
  }

  private func text(_ words: [String: String] = [:], as format: Format = .csv) throws -> String {
    try printed(
      OrganicReport.self, words.merging(["environment": "test"]) { $1 }, as: format, from: path,
      now: Day(number: Self.firstDay + 30).start)
  }

  private func storeExample() throws {
    try store([
      (1, 0, .install, .first), (1, 0, .install, .first), (1, 0, .redownload, .first),
      (1, 0, .assist, .first),
      (1, 0, .install, .second), (1, 1, .install, .first), (1, 1, .install, .first), (1, 3, .install, .first),
      (2, 0, .install, .first),
    ])
    try own([(1, -1, 10), (1, 0, 10), (1, 1, 1), (1, 2, 5)])
  }

  @Test
  func `Organic installs of a day are own ones minus winning first installs, and none without an own count`()
    throws
  {
    try storeExample()
    #expect(
      try text(["by": "day"])
        == """
        app,day,days,own-installs,attributed-installs,organic-installs,organic-share,redownloads,remarks
        1,2026-11-19,0,10,,,,,no-postbacks-yet
        1,2026-11-20,1,10,2,8,0.8,1,
        1,2026-11-21,1,1,2,-1,,0,more-attributed
        1,2026-11-22,1,5,0,5,1,0,
        1,2026-11-23,0,,1,,,0,no-own-count

        """.replacing("\n", with: "\r\n"))
  }

  @Test
  func
    `Organic installs of an app are the sum of the days that have both figures, and remarks name the others`()
    throws
  {
    try storeExample()
    #expect(
      try text()
        == """
        app,days,own-installs,attributed-installs,organic-installs,organic-share,redownloads,remarks
        1,3,16,4,12,0.75,1,no-own-count; no-postbacks-yet

        """.replacing("\n", with: "\r\n"))
    let table = try text(as: .table)
    for note in [
      "attributed installs count on the day their postback arrived",
      "never add their installs to it", "1 redownloads are not subtracted",
      "no own installs are imported for app 2, which has postbacks",
      "no-own-count: days without an own count are left out",
    ] {
      #expect(table.contains(note), "\(table)")
    }
    #expect(!table.contains("more-attributed:"))
  }

  @Test func `Organic installs below zero have a word for it, and a day that is not over has one`() throws {
    try storeExample()
    let rows = try text(["by": "day", "from": "2026-11-21", "to": "2026-11-22"], as: .table)
    #expect(rows.contains("more-attributed: postbacks attribute more than was counted"))
    try own([(1, 30, 4)])
    #expect(
      try text(["by": "day", "from": "2026-12-20"]).hasSuffix("1,2026-12-20,1,4,0,4,1,0,day-not-over\r\n"))
  }

  @Test func `Organic installs name the import where there are no own ones`() throws {
    try store([(1, 0, .install, .first)])
    #expect(try text(as: .table).contains("import them with `skan installs import`"))
    #expect(
      try text()
        == "app,days,own-installs,attributed-installs,organic-installs,organic-share,redownloads,remarks\r\n")
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `Organic installs are what a recount of single postbacks comes to`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func number(_ most: Int) -> Int { random.number(below: most) }
    try store(
      (0..<600).map { _ in
        (
          Int64(1 + number(2)), Int32(number(20)), Outcome.allCases[number(Outcome.allCases.count)],
          ConversionWindow.allCases[number(3)]
        )
      })
    let owns = (0..<20).flatMap { day in
      ([1, 2] as [Int64]).compactMap {
        number(4) == 0 ? nil : (app: $0, day: Int32(day), installs: Int64(number(30)))
      }
    }
    try own(owns)
    var attributed: [String: Int64] = [:]
    let postbacks = try printed(PostbackReport.self, ["environment": "test"], as: .ndjson, from: path)
    for line in postbacks.split(separator: "\n") {
      let postback = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard postback["outcome"] as? String == "install", postback["window"] as? Int == 1 else { continue }
      let (app, at) = (
        try #require(postback["app"] as? String), try #require(postback["received-at"] as? String)
      )
      attributed["\(app) \(at.prefix(10))", default: 0] += 1
    }
    var found: [String: String] = [:]
    for line in try text(["by": "day"]).split(separator: "\r\n").dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      found["\(cells[0]) \(cells[1])"] = String(cells[5])
    }
    for row in owns {
      let place = "\(row.app) \(Day(number: Self.firstDay + row.day))"
      #expect(found[place] == "\(row.installs - (attributed[place] ?? 0))")
    }
    #expect(found.values.count { !$0.isEmpty } == owns.count)
  }
}
