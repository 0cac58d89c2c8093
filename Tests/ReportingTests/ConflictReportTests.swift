import JSONText
import Ledger
import Postbacks
@testable import Reporting
import TestSupport
import Testing
import Values
@_spi(Unsigned) import Verification

final class `A report of conflicts` {
  private let folder: TemporaryFolder
  private let path: String
  private let query = PostbackQuery(environment: .test)

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
  }

  private func copy(_ id: String, value: Int64, padding: Int = 0) throws -> Receipt {
    let attested = AttestedFacts(
      version: .v4_0, network: try #require(AdNetworkID("net.skadnetwork")),
      advertisedApp: try #require(AppID(1)),
      campaign: .sourceIdentifier(try #require(SourceIdentifier("5239"))), id: id, window: .first,
      outcome: .install, interaction: .click, publisher: .undisclosed)
    let body = #"""
      {"version":"4.0","ad-network-id":"net.skadnetwork","source-identifier":"5239","app-id":1,
      "transaction-id":"\#(id)","redownload":false,"fidelity-type":1,"did-win":true,
      "postback-sequence-index":0,"conversion-value":\#(value),"attribution-signature":"MEUC",
      "padding":"\#(String(repeating: "x", count: padding))"}
      """#
    let claimed = ClaimedFacts(
      value: .fine(try #require(FineValue(value))), interaction: nil, country: nil)
    return Receipt(
      arrival: Arrival(
        receivedAt: Instant(seconds: 1_795_262_400), origin: Origin(.forwarded, name: "acme"),
        quotaSource: "acme", body: Array(body.utf8)),
      finding: .valid(.unsigned(attested: attested, claimed: claimed)))
  }

  /// Stores conversions with a large copy each that contradicts it.
  private func store(_ conversions: Int, padding: Int, quota: CopyQuota) throws {
    let writer = try LedgerWriter(path: path, settings: LedgerSettings(copyQuota: quota))
    for id in 0..<conversions {
      _ = try writer.commit([copy("c\(id)", value: 1), copy("c\(id)", value: 2, padding: padding)])
    }
  }

  private func pieces(_ format: OutputFormat) throws -> [String] {
    var pieces: [String] = []
    try ConflictReport.write(query, as: format, from: LedgerReader(path: path)) { text in
      pieces.append(text)
      return true
    }
    return pieces
  }

  @Test func `is divided by the bytes of bodies as well as by rows, and each conflict is in one part`() throws
  {
    try store(200, padding: 60_000, quota: CopyQuota(perSender: 1 << 30))
    let reader = try LedgerReader(path: path)
    var found: [String] = []
    var place: RowCursor?
    repeat {
      let part = try ConflictReport(query, page: PageRequest(after: place, limit: 10_000), from: reader)
      #expect(part.rows.reduce(0) { $0 + $1.bodyBytes } <= ConflictReport.mostBytes)
      #expect(part.rates.map(\.contradicted) == [200])
      found += part.rows.map(\.identifier)
      place = part.next
    } while place != nil
    #expect(found == (0..<200).map { "c\($0)" })

    let json = try pieces(.json)
    #expect(json.count > 2)
    #expect(json.allSatisfy { $0.utf8.count < 2 * ConflictReport.mostBytes })
    let document = try #require(JSONReader.read(Array(json.joined().utf8)).value.object)
    #expect(document["conflicts"]?.value.array?.count == 200)
    #expect(document["networks"]?.value.array?.count == 1)
    #expect(try pieces(.csv).joined().split(whereSeparator: \.isNewline).count == 201)
  }

  @Test(arguments: [OutputFormat.json, .ndjson, .csv, .table])
  func `has the same text in one part and as a whole`(format: OutputFormat) throws {
    try store(3, padding: 10, quota: CopyQuota())
    let part = try ConflictReport(
      query, page: PageRequest(after: nil, limit: 1000), from: LedgerReader(path: path))
    #expect(try pieces(format) == [part.text(format)])
  }

  @Test(arguments: [OutputFormat.json, .csv, .table])
  func `tells how many copies were only counted`(format: OutputFormat) throws {
    try store(4, padding: 1000, quota: CopyQuota(perSender: 3000))
    let text = try pieces(format).joined()
    switch format {
    case .json:
      let document = try #require(JSONReader.read(Array(text.utf8)).value.object)
      let network = document["networks"]?.value.array?.first?.value.object
      #expect(network?["contradicted"]?.value.number?.integer == 4)
      #expect(network?["counted-only"]?.value.number?.integer == 2)
      let bodies = document["conflicts"]?.value.array?.map { row in
        row.value.object?["other"]?.value.object?["body"]?.value.string != nil
      }
      #expect(bodies == [true, true, false, false])
    case .csv:
      #expect(
        text.split(whereSeparator: \.isNewline).dropFirst().map { $0.hasSuffix(",yes") } == [
          true, true, false, false,
        ])
    default:
      #expect(text.contains("2 contradicting copies beyond the quota were counted and not kept"))
      #expect(text.contains("(not kept)"))
    }
    let explained = try Explanation(
      of: "c3", from: LedgerReader(path: path), keyring: Keyring())
    #expect(explained.text.contains("over the quota, counted and not stored"))
    #expect(explained.json.text().contains("\"counted-only\":true"))
  }

  @Test func `shows some of the bodies that claim an identifier, and counts the others`() throws {
    let writer = try LedgerWriter(path: path)
    let forgeries = (0..<40).map { _ in
      Receipt(
        arrival: Arrival(
          receivedAt: Instant(seconds: 1_795_262_400), origin: Origin(.advertiserCopy), quotaSource: "s",
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
