package import Arguments
package import Ledger
package import Postbacks
package import Values

// Parameters that several reports share.

/// What arrived from one UTC day or moment up to another.
package struct Period<Bound: ParameterValue & Comparable & CustomStringConvertible>: Query, Equatable {
  /// The first one included; `nil` for no bound.
  package var from: Bound?
  /// The first one excluded; `nil` for no bound.
  package var to: Bound?

  package init() {}

  package static var parameters: [Parameter<Self>] {
    let bound = Bound.self == Day.self ? "UTC day" : "moment of arrival (UTC)"
    return [
      .init("from", \.from, "First \(bound) to include."),
      .init("to", \.to, "First \(bound) to exclude.") { (query) throws(ParameterError) in
        try query.checkOrder()
      },
    ]
  }

  /// - Throws: ``ParameterError`` where the period ends before or when it begins.
  package func checkOrder() throws(ParameterError) {
    guard let from, let to, to <= from else { return }
    throw ParameterError(
      "to", "found \(to), and the range from \(from) up to it is empty. Give one after \(from).")
  }
}

/// The apps, networks and environment whose postbacks a report includes.
package struct Scope: Query {
  package var apps: [AppID] = []
  package var networks: [AdNetworkID] = []
  /// Figures of different environments are never added up.
  package var environment = Environment.production

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all")),
    .init("network", \.networks, "Ad networks to include.", as: .init(defaultNote: "all")),
    .init("environment", \.environment, "Environment whose keys signed the postbacks."),
  ]
}

/// What a row of estimates or nulls is about.
package enum Breakdown: String, CaseIterable, ParameterValue { case campaign, day }

extension Environment: ParameterValue {
  /// The note with which a report on postbacks of this environment begins; none for production.
  var notes: [String] { self == .production ? [] : ["\(rawValue) postbacks, not part of any real figure"] }
}

extension AppID: ParameterValue {
  package static var kind: ValueKind { .integer(0...(.max)) }
  package static var placeholder: String { "ID" }
  package init?(parameter text: String) {
    guard let number = Int64(text) else { return nil }
    self.init(number)
  }
  package var parameterText: String { "\(number)" }
}

extension AdNetworkID: ParameterValue {
  package static var kind: ValueKind { .text }
  package static var placeholder: String { "ID" }
  package init?(parameter text: String) { self.init(text) }
  package var parameterText: String { canonical }
}

extension CurrencyCode: ParameterValue {
  package static var kind: ValueKind { .form("a currency code of ISO 4217, such as USD") }
  package static var placeholder: String { "CODE" }
  package init?(parameter text: String) { self.init(anyCase: text) }
  package var parameterText: String { text }
}

extension CampaignDimension: ParameterValue {}
