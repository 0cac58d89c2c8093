import JSONText
import Ledger
import OpenSSL
import Postbacks
import System
import Values

/// What pages ask beside reports; the answers have to be the same on all nodes.
enum Questions {
  private typealias Question = (name: String, ask: @Sendable (LedgerReader) throws -> [String])

  private static let app = AppID(525_463_029)
  private static let days = Day(number: 20_400)..<Day(number: 21_000)
  private static let network = "example123.skadnetwork"

  /// Asks all of it as someone who sees everything, as one of an app, and as one of a network.
  static func ask(_ node: SimulatedNode) throws {
    let networks = [AdNetworkID(network)].compactMap(\.self)
    let limits = [
      ("all", ReadLimit.none), ("app", ReadLimit(apps: [app].compactMap(\.self))),
      ("network", ReadLimit(networks: networks)),
    ]
    for (viewer, limit) in limits {
      let reader = try LedgerReader(path: node.database, limit: limit)
      // Who sees one network has no page of one postback.
      let all = questions(node.clock()) + (limit.networks.isEmpty ? [onePostback] : [])
      for (name, ask) in all {
        let lines = try ask(reader)
        node.setting.history.note(
          "printed",
          [
            .init("node", .integer(Int64(node.number))), .init("command", .string("(\(viewer)) \(name)")),
            .init("code", .integer(0)), .init("problems", .string("")),
            .init("sha256", .string(SHA256Digest(of: Array(lines.joined(separator: "\n").utf8)).hex)),
            .init("beginning", .string(String(lines.joined(separator: " ").prefix(200)))),
          ])
      }
    }
  }

  private static let onePostback: Question = (
    "one postback",
    { reader in
      guard let identifier = try newest(reader, atMost: 1).first else { return [] }
      let found = try reader.conversions(identifier: identifier)
      let rejected = try reader.rejectedBodies(identifier: identifier).count
      let counted = try reader.rejectedBodyCount(identifier: identifier)
      return found.map { "\($0)" } + ["\(counted) \(rejected)"]
    }
  )

  private static func questions(_ now: Instant) -> [Question] {
    let end = Instant(milliseconds: now.milliseconds / 3_600_000 * 3_600_000 + 7_200_000)
    return [
      ("where postbacks come from", { try $0.arrivalSpans().map { "\($0)" } }),
      ("copies of devices", { try $0.deviceCopies(of: app, amongNewest: 1000).map { "\($0)" } }),
      ("the newest conversion", { ["\(try $0.newestConversion(until: end).map { "\($0)" } ?? "")"] }),
      (
        "the last day",
        { ["\(try $0.lastDay(of: ConversionChoice(), until: end.day).map { "\($0)" } ?? "")"] }
      ),
      ("postbacks", { try newest($0) }),
      (
        "spend",
        { reader in
          let selection = SpendSelection(
            from: days.lowerBound, to: days.upperBound, apps: [app].compactMap(\.self), orOfNoApp: true)
          return ["\(try reader.spendCount(selection))", "\(try reader.spendCount(SpendSelection()))"]
        }
      ),
      ("whether there is spend", { ["\(try $0.hasSpend(from: nil, to: nil, of: Environment.allCases))"] }),
      ("totals of networks", { try $0.networkTotals(from: nil, to: nil).map { "\($0)" } }),
      ("own installs", { try $0.ownInstalls(from: nil, to: nil).map { "\($0)" } }),
      ("proceeds", { try $0.proceeds(from: nil, to: nil).map { "\($0)" } }),
      (
        "files of two days", { try $0.referenceImports(from: end.day, to: end.day.next.next).map { "\($0)" } }
      ),
      ("rejected bodies", { try $0.rejections(CampaignQuery()).map { "\($0)" } }),
      (
        "hours of first windows",
        { reader in
          var hours: [String] = []
          try reader.forEachFirstWindowHour(CampaignQuery()) { hours.append("\($0)") }
          return hours
        }
      ),
      ("names", { try $0.namesOfNetworksAndApps().map { "\($0)" } }),
      ("apps", { try $0.apps(in: Environment.production).map { "\($0)" } }),
      ("environments", { try $0.environmentsWithConversions().map(\.rawValue).sorted() }),
      ("networks", { try $0.networksThatSent() }),
      ("drafts", { try $0.mappingDrafts().map { "\($0.id) \($0.revision)" } }),
      ("published", { try $0.mappingPublications().map { "\($0.id)" } }),
      ("inboxes", { try $0.inboxArrivals().map { "\($0.id) \($0.state)" } }),
      (
        "imported tables",
        { reader in
          try [ImportedTable.spend, .names, .rates, .totals].map {
            "\($0) \(try reader.importedCount($0)) \(try reader.hasImported($0))"
          }
        }
      ),
      (
        "cells that a network's own figures are compared with",
        { reader in
          var cells: [String] = []
          try reader.forEachCountableCell(in: days, of: [network]) { cells.append("\($0)") }
          return cells.sorted()
        }
      ),
      (
        "campaigns of a network",
        { try $0.knownCampaigns(of: [network]).map { "\($0.key) \($0.value.sorted())" }.sorted() }
      ),
      (
        "purchases",
        { reader in
          guard let app else { return [] }
          var query = PurchaseQuery()
          query.dimensions = PurchaseDimension.allCases
          let kept = try reader.keptPurchases(of: app, environment: .production).map { "\($0)" } ?? ""
          return try reader.purchases(query).map { "\($0) \($0.proceeds)" } + [kept]
        }
      ),
      ("views", { try $0.imported(SavedView.self).map { "\($0)" } }),
    ]
  }

  /// The identifiers of the newest postbacks of one network, by a search.
  private static func newest(_ reader: LedgerReader, atMost most: Int = 50) throws -> [String] {
    var query = PostbackQuery()
    query.networks = [AdNetworkID(network)].compactMap(\.self)
    var search = PostbackSearch(query)
    search.campaign = "17"
    search.digits = 2
    search.outcome = .install
    return try reader.newestPostbacks(search, atMost: most).map(\.identifier)
  }
}
