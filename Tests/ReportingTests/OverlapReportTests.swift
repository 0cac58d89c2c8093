@testable import Campaigns
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
@testable import Reports
@testable import Tables
import Testing
import TestSupport
import Values

final class `The report on overlap` {
  private let folder: TemporaryFolder
  private let path: String
  private let first = Day(number: 20_530)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
  }

  /// Installs of four weeks; the mapping shows the overlap in window 3 from the third week on.
  ///
  /// - Parameter totals: The events that it looks at.
  private func fill(totals: String = "since-install") throws {
    var receipts: [Receipt] = []
    for (network, overlap) in [("a", 4), ("b", 2)] {
      for number in 0..<400 {
        let installed = Day(number: first.number + Int32(number % 28)).start
        receipts.append(
          valid(
            "\(network) \(number) first", value: fine(0), at: installed + 76 * 3_600_000,
            network: "\(network).skadnetwork", app: 1, campaign: "11", window: .first))
        // A fifth shows it; a third of the others has the medium value.
        let value: CoarseValue? =
          number % 5 == 0 ? (number / 5 % 10 < overlap ? .high : .low) : number % 3 == 0 ? .medium : nil
        guard let value else { continue }
        receipts.append(
          valid(
            "\(network) \(number) third", value: .coarse(value), at: installed + 39 * 86_400_000,
            network: "\(network).skadnetwork", app: 1, campaign: "11", window: .third))
      }
    }
    try store(receipts, in: path)
    func mapping(_ coarse: String, _ day: Int32) throws -> StoredMapping {
      let from = Day(number: first.number + day)
      let text =
        #"{"name":"m","app":1,"currency":"USD","effective-from":"\#(from)","protocol":"skan4","#
        + #""coarse":[{"window":3,"totals":"\#(totals)",\#(coarse)}],"fine":[{"value":1,"events":["buy"]}]}"#
      let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
      return StoredMapping(
        source: "m\(day)", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "d\(day)",
        loadedAt: from.start, document: Array(text.utf8))
    }
    try MappingStore(path: path).replaceAll(with: [
      try mapping(#""low":{"events":["open"]},"high":{"events":["buy"]}"#, -30),
      try mapping(
        #""low":{"events":["overlap-no"]},"medium":{"events":["buy"]},"high":{"events":["overlap-yes"]}"#, 14),
    ])
  }

  private func rows(_ change: (inout OverlapReport) -> Void = { _ in }) throws -> [OverlapReport.Row] {
    var report = OverlapReport()
    report.scope.environment = .test
    change(&report)
    return try report.rows(
      from: ReportSource(reader: LedgerReader(path: path), now: Day(number: first.number + 90).start)
    ).held
  }

  @Test func `Low and high values of the window count, of installs under a mapping that shows it`() throws {
    try fill()
    let found = try rows()
    #expect(found.map(\.place.network) == ["a.skadnetwork", "b.skadnetwork"])
    #expect(found.allSatisfy { $0.place.window == .third })
    for (row, truth) in zip(found, [0.4, 0.2]) {
      // Days 14 to 27, to within the middle of Apple's delays.
      #expect(abs(row.counts.installs - 200) < 40 && abs(row.counts.shown - 40) < 10)
      #expect(try #require(row.counts.interval).contains(truth))
      let worst = try #require(row.counts.worstCase(part: 0.2))
      #expect(worst.width < 0.3, "the fifth that the app lets show it does")
    }
    let chosen = try rows {
      $0.scope.networks = [known(AdNetworkID("b.skadnetwork"))]; $0.breakdown = .campaign
    }
    #expect(chosen.map(\.place.campaign) == ["11"])
    #expect(chosen.map(\.counts) == found.dropFirst().map(\.counts))
    #expect(try rows { $0.period.to = Day(number: first.number + 10) }.isEmpty)
  }

  @Test func `A mapping that looks at the window's events alone is named`() throws {
    try fill(totals: "window")
    #expect(try rows().isEmpty)
    let text = try printed(OverlapReport.self, ["environment": "test"], as: .table, from: path)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains(
        "the mapping of app 1 from \(Day(number: first.number + 14)) is left out: window 3 has the rules, but with "
          + "\"totals\": \"window\"; use \"since-install\""), "\(text)")
    try fill()
    #expect(
      !(try printed(OverlapReport.self, ["environment": "test"], as: .table, from: path)).contains("left out")
    )
  }

  @Test func `Without such a mapping the report names where to read about it`() throws {
    try store([], in: path)
    let text = try printed(OverlapReport.self, ["environment": "test"], as: .table, from: path)
    #expect(text.contains("skan help report overlap"))
    #expect(throws: (any Error).self) {
      try printed(OverlapReport.self, ["share": "0"], as: .csv, from: path)
    }
  }
}
