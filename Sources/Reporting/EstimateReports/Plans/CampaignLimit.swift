package import Arguments
package import Postbacks
import Values

/// How many campaigns a network takes, by its own documents or an account manager.
package struct CampaignLimit: ParameterValue, Equatable {
  package static let kind = ValueKind.form(
    Sentence("NETWORK=COUNT, NETWORK=COUNT:HOURS or NETWORK=any, such as ludvb6z3bs.skadnetwork=9"))
  package static let placeholder = "NETWORK=N"
  /// Apple has two digits, or campaign-ids from 1 on, for a network's campaigns.
  package static let counts: ClosedRange<Int64> = 1...100
  package static let hours: ClosedRange<Int64> = 0...8_760

  package let network: AdNetworkID
  /// `nil` where no limit is known.
  package let campaigns: Int?
  /// How long the number of a campaign is kept from another one after its last install.
  package let hoursToReuse: Int?

  package init(_ network: AdNetworkID, campaigns: Int?, hoursToReuse: Int? = nil) {
    (self.network, self.campaigns, self.hoursToReuse) = (network, campaigns, hoursToReuse)
  }

  package init?(parameter text: String) {
    guard let (network, rest) = AdNetworkID.assigned(in: text) else { return nil }
    if rest == "any" {
      self.init(network, campaigns: nil)
      return
    }
    let numbers = rest.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count <= 2, let campaigns = numbers[0], Self.counts.contains(campaigns) else { return nil }
    let hours = numbers.count == 2 ? numbers[1] : 0
    guard let hours, Self.hours.contains(hours) else { return nil }
    self.init(network, campaigns: Int(campaigns), hoursToReuse: numbers.count == 2 ? Int(hours) : nil)
  }

  package var parameterText: String {
    "\(network.canonical)=\(campaigns.map { "\($0)" } ?? "any")" + (hoursToReuse.map { ":\($0)" } ?? "")
  }
}
