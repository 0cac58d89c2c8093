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
    guard let (network, rest) = AdNetworkID.assigned(in: text), let cost = PlanAmount(parameter: rest) else {
      return nil
    }
    (parameterText, self.network, amount) = (text, network, cost.amount)
  }
}

extension AdNetworkID {
  /// The network before the last `=` of a text, and what is behind it.
  static func assigned(in text: String) -> (AdNetworkID, String)? {
    guard let place = text.lastIndex(of: "="), let network = AdNetworkID(String(text[..<place])) else {
      return nil
    }
    return (network, String(text[text.index(after: place)...]))
  }
}
