package import Estimates
package import Postbacks
package import Values
package import Verification

/// A question about what hidden values are worth.
package struct EstimateQuery: Sendable {
  /// Whose keys signed the postbacks.
  package var environment: Environment = .production
  /// The first UTC day of install that counts; `nil` for no bound.
  package var from: Day?
  /// The first UTC day of install that no longer counts; `nil` for no bound.
  package var to: Day?
  /// The apps that are shown; none for all.
  package var apps: [AppID] = []
  /// The networks that are shown, in lower case; none for all.
  package var networks: [String] = []
  /// How many last digits of a source identifier tell campaigns apart.
  ///
  /// From SKAdNetwork 4 on a postback without a value has two digits always, so that campaigns that are told apart by
  /// more have their nulls somewhere else. Source: Apple, "Receiving postbacks in multiple conversion windows".
  package var digits = 2
  /// Whether rows are told apart by the day of install.
  package var byDay = false
  /// The event whose users are estimated; `nil` for revenue.
  package var event: String?
  /// How hidden values are estimated.
  package var estimator: Estimator = .tree
  /// Networks that report a hidden value as 0, in lower case; their zeroes count as hidden.
  package var zeroMeansNull: Set<String> = []
  /// What the draws follow from.
  package var seed: UInt64 = 1

  /// Asks for production revenue by campaign.
  package init() {}

  /// Returns the moment to reckon with for a while: the whole hour, so that the same question has the same answer.
  package static func hour(of now: Instant) -> Instant { now.startOfHour }
}

/// What a campaign is told by in estimates.
struct EstimatedCampaign: Hashable, Comparable, Sendable {
  let app: AppID
  let network: String
  let campaign: String
  let kind: String

  /// The name that the draws follow from.
  var name: String { "\(network) \(kind) \(campaign)" }

  static func < (a: Self, b: Self) -> Bool {
    (a.app.number, a.network, a.kind, a.campaign) < (b.app.number, b.network, b.kind, b.campaign)
  }
}
