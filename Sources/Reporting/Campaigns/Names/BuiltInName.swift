package import Ledger
import Values

/// The public name of an ad network, or of a placement that Apple Ads sends as a campaign.
///
/// An imported name of the same network and campaign takes its place.
package struct BuiltInName: Equatable, Sendable {
  /// The network, in lower case.
  package let network: String
  /// The campaign; empty where it is the name of the network.
  package let campaign: String
  package let name: String
  package let source: String

  package static let all: [BuiltInName] = {
    // Its cells have neither quotes nor commas.
    let lines = String(decoding: PackageResources.built_in_names_csv, as: UTF8.self).split(
      whereSeparator: \.isNewline)
    return lines.dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }.filter { $0.count == 4 }.map { cells in
      BuiltInName(network: cells[0], campaign: cells[1], name: cells[2], source: cells[3])
    }.ordered { ($0.network, $0.campaign) < ($1.network, $1.campaign) }
  }()

  /// As a name that is never replaced by a later one.
  package var row: CampaignNameRow {
    CampaignNameRow(
      network: network, campaign: campaign, from: Day(number: .min), to: nil, name: name, adSet: nil,
      creative: nil, country: nil)
  }
}
