package import Arguments
package import Postbacks
package import Values

/// An amount to plan with.
package struct PlanAmount: ParameterValue, Equatable {
  package static let kind = ValueKind.form(Sentence("a number above 0, such as 80000"))
  package static let placeholder = "AMOUNT"

  package let parameterText: String
  package let amount: Amount

  package init?(parameter text: String) {
    guard let amount = try? Amount(decimal: text), amount > .zero else { return nil }
    (parameterText, self.amount) = (text, amount)
  }
}

/// What an install of a network costs.
package struct NetworkCost: ParameterValue, Equatable {
  package static let kind = ValueKind.form(
    Sentence("NETWORK=AMOUNT, such as ludvb6z3bs.skadnetwork=1.40"))
  package static let placeholder = "NETWORK=AMOUNT"

  package let parameterText: String
  package let network: AdNetworkID
  package let amount: Amount

  package init?(parameter text: String) {
    guard let (network, rest) = parts(of: text), let cost = PlanAmount(parameter: rest) else { return nil }
    (parameterText, self.network, amount) = (text, network, cost.amount)
  }
}

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
    guard let (network, rest) = parts(of: text) else { return nil }
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

/// The network before the last `=`, and what is behind it.
private func parts(of text: String) -> (AdNetworkID, String)? {
  guard let place = text.lastIndex(of: "="), let network = AdNetworkID(String(text[..<place])) else {
    return nil
  }
  return (network, String(text[text.index(after: place)...]))
}
