package import Arguments
package import Campaigns
import Ledger
import Postbacks
package import Tables
package import Values

/// The names that networks sent beside postbacks, with the evidence of each, and whether it can be imported.
package struct SentNameReport: Report {
  package var period = Period<Instant>()
  package var scope = Scope()

  package init() {}

  /// What is known of a name; the raw value is the word in reports.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// It is the campaign's only one, and none is imported.
    case proposed
    /// The campaign has several.
    case severalNames = "several-names"
    /// The digits are the last ones of a longer campaign, too.
    case shortForm = "short-form"
    /// It is the imported one.
    case imported
    /// Another name is imported.
    case otherName = "other-name"
  }

  package struct Row: Sendable {
    package let network: String
    package let campaign: String
    package let app: Int64
    package let name: String
    package let campaignIDs: [String]
    package let adSet: String?
    package let creative: String?
    package let postbacks: Int64
    package let first: Instant
    package let last: Instant
    package let senders: [String]
    package let state: State
    package let importedName: String?
  }

  package static let name = "names-sent"
  package static let command = "names sent"
  package static let path = "/v1/names/sent"
  package static let summary = "List the names that networks sent beside postbacks, with their evidence."
  package static let discussion = [
    "Networks add names of campaigns, ad sets and creatives to the postbacks that they forward. Apple signs none of them. "
      + "skan reads them from the bodies that it keeps, so pruning deletes them too; what devices sent is left out.",
    "The state is proposed for the only name of a campaign without an imported one, several-names for one of several, "
      + "short-form where the digits are the last ones of a longer campaign, imported, or other-name. `skan names propose` "
      + "writes the proposed ones as a file.",
  ]
  package static let examples: [Command.Example] = [
    .init("List names with their evidence", "skan names sent -d skan.db"),
    .init(
      "List campaigns with several names", "skan names sent -d skan.db --format csv | grep several-names"),
  ]
  package static let pageSize: Int? = 10_000
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope)

  package static let columns: [Column<Row>] = [
    Column("network", "network", "Ad network.") { Identifier($0.network) },
    Column("campaign", "campaign", "Digits of the campaign.") { Identifier($0.campaign) },
    Column("app", "app", "App Store number of the app.") { Identifier("\($0.app)") },
    Column(
      "name", "unsigned name", "Name that the network sent; its own number where it sent no name.", \.name),
    Column(
      "network-campaign", "network's number", "The network's own numbers of the campaign.",
      shown: .whereUseful,
      \.campaignIDs),
    Column(
      "ad-set", "ad set", "Ad set, where all postbacks have the same one.", shown: .whereUseful, \.adSet),
    Column(
      "creative", "creative", "Creative, where all postbacks have the same one.", shown: .whereUseful,
      \.creative),
    Column("postbacks", "postbacks", "Postbacks that came with the name.", \.postbacks),
    Column("first-at", "first", "When the first one arrived.", \.first),
    Column("last-at", "last", "When the last one arrived.", \.last),
    Column("senders", "senders", "Networks of the configuration and files that sent it.", \.senders),
    Column("state", "state", "Whether the name can be imported.", \.state.rawValue),
    Column(
      "imported-name", "imported", "Name that is imported for the campaign.", shown: .whereUseful,
      \.importedName),
  ]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let found = try rows(in: source)
    var rows = Rows.held(found)
    let several = Set(
      found.filter { $0.state == .severalNames }.map { [$0.network, $0.campaign, "\($0.app)"] })
    if !several.isEmpty {
      rows.notes.append(Sentence("\(several.count, "campaign") with several names"))
    }
    rows.noteIfEmpty = Sentence("no names beside postbacks of networks")
    return rows
  }

  /// The rows, by network, campaign, app and name.
  ///
  /// - Parameter most: Bodies that are read at most.
  package func rows(in source: ReportSource, reading most: Int = .max) throws -> [Row] {
    let (sent, imported) = try source.reader.consistently { () throws(LedgerError) in
      (
        try SentNames(PostbackQuery(period, scope), from: source.reader, reading: most),
        try CampaignNames.of(source.reader)
      )
    }
    return sent.campaigns.flatMap { campaign, names in
      names.map { evidence -> Row in
        let known = imported.name(of: campaign, evidence.version, on: evidence.last.day)
        let state: State =
          if names.count > 1 {
            .severalNames
          } else if let known {
            known == evidence.name ? .imported : .otherName
          } else {
            sent.isShortForm(campaign) ? .shortForm : .proposed
          }
        return Row(
          network: campaign.network, campaign: campaign.digits, app: campaign.app, name: evidence.name,
          campaignIDs: evidence.campaignIDs.sorted(), adSet: evidence.adSet, creative: evidence.creative,
          postbacks: evidence.postbacks, first: evidence.first, last: evidence.last,
          senders: evidence.senders.sorted(), state: state, importedName: known)
      }
    }.sorted {
      ($0.network, $0.campaign, $0.app, $0.name) < ($1.network, $1.campaign, $1.app, $1.name)
    }
  }
}

extension CampaignNames {
  /// The imported name of a campaign on a day; several that fit are joined, because none of them is missing.
  fileprivate func name(of campaign: SentNames.Campaign, _ version: ProtocolVersion, on day: Day) -> String? {
    guard let known = Campaign(digits: campaign.digits, isSourceIdentifier: version.hasWindows) else {
      return nil
    }
    switch match(network: campaign.network, campaign: known, app: campaign.app, days: day...day) {
    case .unknown: return nil
    case .known(let row): return row.name
    case .ambiguous(let names): return names.joined(separator: " / ")
    }
  }
}
