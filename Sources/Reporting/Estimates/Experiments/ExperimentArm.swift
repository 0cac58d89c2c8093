import Postbacks

/// Whose installs one side of a comparison has: networks, campaigns of networks, or several of these together.
package struct ExperimentArm: Equatable, Sendable {
  /// A network with all of its campaigns, or one campaign of it.
  package struct Part: Hashable, Sendable {
    /// The network, in lower case.
    package let network: String
    /// The digits of the campaign; `nil` for all campaigns of the network.
    package let campaign: String?

    package init(network: String, campaign: String? = nil) {
      self.network = network
      self.campaign = campaign
    }

    /// As the command line takes it.
    package var text: String { campaign.map { "\(network)/\($0)" } ?? network }

    /// The same with the digits by which campaigns are distinguished; 100 is a campaign-id alone.
    func shortened(to digits: Int) -> Self {
      guard let campaign, campaign.utf8.count > digits, campaign != "100",
        let folded = SourceIdentifier(campaign)?.shortened(toLast: digits)
      else { return self }
      return Self(network: network, campaign: folded.text)
    }

    func overlaps(_ other: Self) -> Bool {
      network == other.network && (campaign == nil || other.campaign == nil || campaign == other.campaign)
    }
  }

  package let parts: [Part]

  /// - Parameters:
  ///   - parts: What it has; at least one.
  ///   - digits: Last digits of a source identifier that distinguish campaigns.
  package init(_ parts: [Part], digits: Int) {
    self.parts = parts.map { $0.shortened(to: digits) }
  }

  /// As the command line takes it.
  package var text: String { parts.map(\.text).joined(separator: ",") }

  /// The part of this arm that has a campaign; `nil` where none has.
  package func part(_ network: String, _ campaign: String) -> Part? {
    parts.first { $0.overlaps(Part(network: network, campaign: campaign)) }
  }

  /// A part that another arm has too, at least some of; `nil` where the two are apart.
  package func shared(with other: Self) -> Part? {
    parts.first { part in other.parts.contains { part.overlaps($0) } }
  }
}
