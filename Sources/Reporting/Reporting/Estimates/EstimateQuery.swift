package import Postbacks
package import Values
package import Verification

/// A question about nulls.
package struct EstimateQuery: Sendable {
  /// Whose keys signed the postbacks.
  package var environment: Environment = .production
  /// The first UTC day of arrival that counts; `nil` for no bound.
  package var from: Day?
  /// The first UTC day of arrival that no longer counts; `nil` for no bound.
  package var to: Day?
  /// The apps that are shown; none for all.
  package var apps: [AppID] = []
  /// The networks that are shown, in lower case; none for all.
  package var networks: [String] = []
  /// How many last digits of a source identifier distinguish campaigns.
  package var digits = 2
  /// Whether rows are by campaign and day of arrival.
  package var byDay = false
  /// Networks that report a withheld value as 0, in lower case; their zeroes count as nulls.
  package var zeroMeansNull: Set<String> = []
  /// The random seed.
  package var seed: UInt64 = 1

  package init() {}
}
