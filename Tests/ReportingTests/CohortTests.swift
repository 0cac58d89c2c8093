@testable import Campaigns
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `Cohorts by window` {
  private let folder: TemporaryFolder
  private let path: String
  /// A Monday.
  private let monday = Day("2026-03-02") ?? Day(number: 0)

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
  }

  /// Twenty installs of a Wednesday, and ten of the Wednesday after: all send window 1, every second window 2, every
  /// fifth window 3, on the middle days of Apple's delays.
  private func fill(totals: String) throws {
    var receipts: [Receipt] = []
    func add(_ number: Int, _ window: ConversionWindow, _ value: ConversionValue) {
      let wednesday = monday.number + (number < 20 ? 2 : 9)
      let days = Int32([3, 10, 38][window.rawValue])
      receipts.append(
        valid(
          "\(number) \(window.rawValue)", value: value,
          at: Day(number: wednesday + days).start + Int64(number) * 60_000, network: "net.skadnetwork",
          app: 1,
          campaign: window == .first ? "5539" : "39", window: window))
    }
    for number in 0..<30 {
      add(number, .first, number % 4 == 0 ? .absent : fine(1))
      if number % 2 == 0 { add(number, .second, .coarse(number % 4 == 0 ? .low : .high)) }
      if number % 5 == 0 { add(number, .third, .absent) }
    }
    _ = try LedgerWriter(path: path).commit(receipts)
    let text =
      #"{"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","#
      + #""fine":[{"value":1,"revenue":{"from":2,"to":4}}],"#
      + #""coarse":[{"window":2,"totals":"\#(totals)","low":{"revenue":{"from":0,"to":2}},"#
      + #""high":{"revenue":{"from":8,"to":12}}}]}"#
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "d",
        loadedAt: monday.start, document: Array(text.utf8))
    ])
  }

  private func lines(_ words: [String: String] = [:], as format: Format = .csv) throws -> [Substring] {
    try printed(
      CohortReport.self, words.merging(["environment": "test"]) { word, _ in word }, as: format, from: path
    ).split(whereSeparator: \.isNewline)
  }

  @Test func `Cohorts by window put the windows of the same installs into one row, with what each adds`()
    throws
  {
    try fill(totals: "window")
    let heads: Substring = """
      app,network,campaign,postbacks-1,null-share-1,coarse-low-share-1,coarse-medium-share-1,\
      coarse-high-share-1,revenue-added-1-USD,postbacks-2,share-of-window-1-2,null-share-2,\
      coarse-low-share-2,coarse-medium-share-2,coarse-high-share-2,revenue-added-2-USD,postbacks-3,\
      share-of-window-1-3,null-share-3,coarse-low-share-3,coarse-medium-share-3,coarse-high-share-3,\
      revenue-added-3-USD
      """
    // 22 values of 3; 8 low of 1 and 7 high of 10; 6 without a value.
    let row: Substring = "1,net.skadnetwork,39,30,0.266667,,,,66,15,0.5,0,0.533333,0,0.466667,78,6,0.2,1,,,,"
    #expect(try lines() == [heads, row])
    let weeks = try lines(["by": "week"])
    #expect(weeks.count == 3)
    #expect(weeks[1].hasPrefix("1,net.skadnetwork,39,2026-03-02,20,"))
    #expect(weeks[2].hasPrefix("1,net.skadnetwork,39,2026-03-09,10,"))
    #expect(try lines(["to": "2026-03-09"])[1].hasPrefix("1,net.skadnetwork,39,20,"))
    #expect(
      try lines(as: .table).contains { $0.contains("windows are complete for installs up to 2026-10-10") })
  }

  @Test func `Cohorts by window add nothing where a window counts since install`() throws {
    try fill(totals: "since-install")
    let cells = try lines()[1].split(separator: ",", omittingEmptySubsequences: false)
    #expect(cells[8] == "66")
    #expect(cells[15] == "")
  }
}
