import Ledger
import PostbackFixtures
import Postbacks
@testable import Reports
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `Totals of networks` {
  private let folder: TemporaryFolder
  private let path: String
  private let start = Instant("2026-03-01T12:00:00Z") ?? Instant(seconds: 0)

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
  }

  /// Postbacks of a campaign, a number of each kind on each of five days.
  private func fill(
    _ campaign: String, network: String = "net.skadnetwork", installs: Int, redownloads: Int = 0,
    nulls: Int = 0
  ) throws {
    let writer = try LedgerWriter(path: path)
    for day in 0..<5 {
      var receipts: [Receipt] = []
      for index in 0..<(installs + redownloads) {
        receipts.append(
          valid(
            "\(network) \(campaign) \(day) \(index)", value: index < nulls ? .absent : fine(index % 64),
            at: start + Int64(day) * Day.milliseconds, origin: Origin(.forwarded, name: "acme"),
            network: network, app: 1, campaign: campaign, outcome: index < installs ? .install : .redownload))
      }
      _ = try writer.commit(receipts)
    }
  }

  private func told(
    _ campaign: String, _ installs: [Int64], network: String = "net.skadnetwork", redownloads: Int64? = nil
  )
    -> [NetworkTotalRow]
  {
    installs.enumerated().map { day, installs in
      NetworkTotalRow(
        day: Day(number: start.day.number + Int32(day)), network: network, campaign: campaign,
        installs: installs, redownloads: redownloads)
    }
  }

  private var today: Day { Day(number: start.day.number + 100) }

  private func rows(_ change: (inout TotalsReport) -> Void = { _ in }) throws -> [TotalsReport.Row] {
    var report = TotalsReport()
    report.environment = .test
    change(&report)
    return try report.compared(from: LedgerReader(path: path), today: today)
  }

  private func sample() throws {
    try fill("5239", installs: 40, redownloads: 6)
    try fill("39", installs: 10)
    try fill("42", installs: 30, nulls: 9)
    try fill("77", network: "other.skadnetwork", installs: 8)
    let store = try ReferenceStore(path: path)
    try store.put([
      CampaignNameRow(
        network: "net.skadnetwork", campaign: "42", from: Day(number: 0), to: nil, name: "Winter", adSet: nil,
        creative: nil, country: nil)
    ])
    try store.put(
      told("5239", [56, 56, 56, 56, 56], redownloads: 6) + told("Winter", [21, 21, 21]) + told("Summer", [5])
        + told("", [8, 8, 8, 8, 8], network: "other.skadnetwork")
        + told("12", [0, 0], network: "never.skadnetwork"))
  }

  @Test func `Totals of networks are listed beside ours, day by day and campaign by campaign`() throws {
    try sample()
    let rows = try self.rows()
    #expect(
      rows.map { "\($0.network) \($0.campaign ?? "*") \($0.told) \($0.installs.map(String.init) ?? "-")" }
        == [
          "net.skadnetwork 5239 280 250", "net.skadnetwork Summer 5 -", "net.skadnetwork Winter 63 90",
          "net.skadnetwork * 348 400", "never.skadnetwork 12 0 -", "never.skadnetwork * 0 -",
          "other.skadnetwork * 40 40",
        ])
    #expect(rows[0].candidates.map(\.reasons) == [[.redownloadsIncluded]])
    #expect(rows[1].candidates.map(\.reasons) == [[.unknownCampaign]])
    #expect(rows[2].candidates.map(\.reasons) == [[.nullsLeftOut]])
    #expect(rows[4].candidates.map(\.reasons) == [[.unknownCampaign]])
    #expect(rows[6].candidates.isEmpty)
    // Given, not given, and nothing to have any of.
    #expect((rows[0].toldRedownloads, rows[0].redownloads) == (30, 30))
    #expect((rows[2].toldRedownloads, rows[2].redownloads) == (nil, 0))
    #expect(rows[4].redownloads == nil)
  }

  @Test func `Totals of networks are printed in every format`() throws {
    try sample()
    for format in Format.allCases {
      let text = try printed(
        TotalsReport.self, ["environment": "test"], as: format, from: path, now: today.start)
      try expectGolden(text, "totals.\(format.rawValue)")
    }
  }

  @Test func `Totals of networks are compared only on the requested days`() throws {
    try sample()
    let second = start.day.next
    let rows = try rows {
      $0.period.from = second
      $0.period.to = second.next
    }
    #expect(rows[0].days == [second])
    #expect((rows[0].told, rows[0].installs) == (56, 50))
    let none = try printed(
      TotalsReport.self, ["to": "\(start.day)"], as: .table, from: path, now: today.start)
    #expect(none.hasPrefix("no totals of networks"))
    let other = try self.rows { $0.networks = [AdNetworkID("OTHER.skadnetwork")].compactMap { $0 } }
    #expect(other.map(\.network) == ["other.skadnetwork"])
  }

  @Test func `Totals of networks replace earlier totals of the same key`() throws {
    try sample()
    try ReferenceStore(path: path).put(told("5239", [46, 46, 46, 46, 46]))
    let row = try #require(try rows().first)
    #expect(row.told == 230)
    #expect(row.toldRedownloads == nil)
  }

  @Test func `Totals of networks are explained by stored copies, rejected bodies and test keys`() throws {
    try fill("5239", installs: 40)
    try fill("5239", installs: 40)
    let body = #"""
      {"version":"4.0","ad-network-id":"NET.skadnetwork","source-identifier":"5239","app-id":1,
      "transaction-id":"6aafb7a5-0170-41b5-bbe4-fe71dedf1e30","redownload":false,"fidelity-type":1,
      "did-win":true,"postback-sequence-index":0,"conversion-value":9,"attribution-signature":"MEUC"}
      """#
    let forged = (0..<9).map { _ in
      Receipt(
        arrival: Arrival(
          receivedAt: start, origin: Origin(.forwarded, name: "acme"), quotaSource: "", body: Array(body.utf8)
        ),
        finding: .rejected(Rejection(state: .invalid, reason: "signature-mismatch", identifier: nil)))
    }
    _ = try LedgerWriter(path: path).commit(forged)
    let store = try ReferenceStore(path: path)
    func reasons(_ installs: Int64, in environment: Environment = .test) throws -> [[TotalsReason]] {
      try store.put(told("5239", [installs]))
      return try self.rows { $0.environment = environment }[0].candidates.map(\.reasons)
    }
    #expect(try reasons(40).isEmpty)
    #expect(try reasons(80) == [[.copiesCountedTwice]])
    #expect(try reasons(49) == [[.invalidIncluded]])
    #expect(try reasons(89) == [[.copiesCountedTwice, .invalidIncluded]])
    #expect(try reasons(40, in: .production) == [[.testIncluded]])
    #expect(try reasons(500) == [[.notForwarded]])
  }

  @Test func `Totals of networks for all of an app may leave campaigns out`() throws {
    try fill("5239", installs: 40)
    try fill("42", installs: 30)
    try ReferenceStore(path: path).put(told("5239", [40, 40, 40, 40]))
    let rows = try self.rows()
    #expect(rows.map(\.installs) == [160, 280])
    #expect(rows[0].candidates.isEmpty)
    #expect(rows[1].candidates.map(\.reasons) == [[.campaignsLeftOut]])
    // A total of the network's own leaves no campaign out.
    try ReferenceStore(path: path).put(told("", [40, 40, 40, 40]))
    #expect(try self.rows()[1].candidates.map(\.reasons) == [[.unexplained]])
  }

  @Test func `Totals of networks assign digits that fit two campaigns to neither`() throws {
    try fill("39", installs: 10)
    try fill("5239", installs: 3)
    try ReferenceStore(path: path).put(told("5239", [3]) + told("1039", [3]))
    let rows = try self.rows()
    #expect(rows.map(\.installs) == [0, 3, 13])
    // Both may have been seen, so neither is unknown.
    #expect(rows[0].candidates.map(\.reasons) != [[.unknownCampaign]])
    #expect(rows[1].candidates.isEmpty)
  }
}
