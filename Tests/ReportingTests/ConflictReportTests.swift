@testable import Campaigns
@testable import Explanations
import JSONText
import Ledger
import PostbackFixtures
import Postbacks
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `A report of conflicts` {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
  }

  private func copy(_ id: String, value: Int64, padding: Int = 0) -> Receipt {
    let body = #"""
      {"version":"4.0","ad-network-id":"net.skadnetwork","source-identifier":"5239","app-id":1,
      "transaction-id":"\#(id)","redownload":false,"fidelity-type":1,"did-win":true,
      "postback-sequence-index":0,"conversion-value":\#(value),"attribution-signature":"MEUC",
      "padding":"\#(String(repeating: "x", count: padding))"}
      """#
    return valid(
      id, value: fine(Int(value)), origin: Origin(.forwarded, name: "acme"), network: "net.skadnetwork",
      app: 1,
      body: body)
  }

  /// Stores conversions with a large conflicting copy each.
  private func store(_ conversions: Int, padding: Int, quota: CopyQuota) throws {
    let writer = try LedgerWriter(path: path, settings: LedgerSettings(copyQuota: quota))
    for id in 0..<conversions {
      _ = try writer.commit([copy("c\(id)", value: 1), copy("c\(id)", value: 2, padding: padding)])
    }
  }

  private let parameters = ["environment": "test"]

  private func document(_ text: String) throws -> JSONObject {
    try #require(JSONReader.read(Array(text.utf8)).value.object)
  }

  @Test
  func `A report of conflicts is split by the bytes of bodies and by rows, with each conflict in one part`()
    throws
  {
    try store(200, padding: 60_000, quota: CopyQuota(perSender: 1 << 30))
    let source = ReportSource(reader: try LedgerReader(path: path), now: Instant(seconds: 0))
    let job = try ReportKind(ConflictReport.self).job(parameters.mapValues { [$0] })
    var found: [String] = []
    var pages = 0
    var cursor: String?
    repeat {
      var text = ""
      let delivery = Delivery(.json, limit: 10_000, cursor: cursor)
      cursor = try job(source, delivery, { false }) {
        text += $0
        return true
      }.next
      #expect(text.utf8.count < 10 << 20)
      let document = try document(text)
      #expect(document["next"]?.value.string == cursor)
      #expect(document["networks"]?.value.array?.count == 1)
      found += document["rows"]?.value.array?.compactMap { $0.value.object?["id"]?.value.string } ?? []
      pages += 1
    } while cursor != nil
    #expect(found == (0..<200).map { "c\($0)" })
    #expect(pages > 1)
    let whole = try printed(ConflictReport.self, parameters, as: .csv, from: path)
    #expect(whole.split(whereSeparator: \.isNewline).count == 201)
  }

  @Test(arguments: [Format.json, .csv, .table])
  func `A report of conflicts shows how many copies were only counted`(format: Format) throws {
    try store(4, padding: 1000, quota: CopyQuota(perSender: 3000))
    let text = try printed(ConflictReport.self, parameters, as: format, from: path)
    switch format {
    case .json:
      let document = try document(text)
      let network = document["networks"]?.value.array?.first?.value.object
      #expect(network?["in-conflict"]?.value.number?.integer == 4)
      #expect(network?["counted-only"]?.value.number?.integer == 2)
      let bodies = document["rows"]?.value.array?.map { row in
        row.value.object?["bodies"]?.value.array?.map { $0.value.object?["body"]?.value.string != nil }
      }
      #expect(bodies == [[true, true], [true, true], [true, false], [true, false]])
    case .csv:
      #expect(
        text.split(whereSeparator: \.isNewline).dropFirst().map { $0.hasSuffix(",true") } == [
          true, true, false, false,
        ])
    default:
      #expect(text.contains("net.skadnetwork       4            4         2\n"))
      #expect(text.contains("(not kept)"))
    }
    let explained = try Explanation(
      of: "c3", from: LedgerReader(path: path), keyring: Keyring())
    #expect(explained.text.contains("over the quota, counted and not stored"))
    #expect(explained.json.text().contains("\"counted-only\":true"))
  }

  @Test
  func `A report of conflicts shows some of the bodies that claim an identifier, and counts the others`()
    throws
  {
    let writer = try LedgerWriter(path: path)
    let forgeries = (0..<40).map { _ in
      Receipt(
        arrival: Arrival(
          receivedAt: noon, origin: Origin(.advertiserCopy), quotaSource: "s",
          body: [UInt8](repeating: 120, count: 60_000)),
        finding: .rejected(Rejection(state: .invalid, reason: "signature-mismatch", identifier: "c0")))
    }
    _ = try writer.commit(forgeries + [copy("c0", value: 1)])
    let explained = try Explanation(of: "c0", from: LedgerReader(path: path), keyring: Keyring())
    #expect(explained.rejections.count == 18)
    #expect(explained.rejectionsLeftOut == 22)
    #expect(explained.text.contains("22 more bodies claim this identifier"))
    #expect(explained.json.text().contains("\"rejected-left-out\":22"))
  }
}
