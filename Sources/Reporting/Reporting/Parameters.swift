package import Arguments
package import Postbacks
import Values
package import Verification

// What several reports ask in the same words.

/// What arrived from one UTC day or moment up to another.
package struct Period<Bound: ParameterValue & Comparable & CustomStringConvertible>: Query {
  /// The first one that counts; `nil` for no bound.
  package var from: Bound?
  /// The first one that no longer counts; `nil` for no bound.
  package var to: Bound?

  package init() {}

  package static var parameters: [Parameter<Self>] {
    let bound = Bound.self == Day.self ? "UTC day" : "moment of arrival (UTC)"
    return [
      .init("from", \.from, "First \(bound) that counts."),
      .init("to", \.to, "First \(bound) that no longer counts.") { (query) throws(ParameterError) in
        guard let from = query.from, let to = query.to, to <= from else { return }
        throw ParameterError("to", "found \(to), which leaves nothing from \(from) on; give a later one.")
      },
    ]
  }
}

/// Whose postbacks count.
package struct Scope: Query {
  package var apps: [AppID] = []
  package var networks: [AdNetworkID] = []
  /// Figures of different environments are never added up.
  package var environment = Environment.production

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("app", \.apps, "App Store numbers of the apps that count; all where there is none."),
    .init("network", \.networks, "Ad networks that count; all where there is none."),
    .init("environment", \.environment, "Environment whose keys signed."),
  ]
}

/// What a row of estimates or nulls is about.
package enum Breakdown: String, CaseIterable, ParameterValue { case campaign, day }

extension Environment: ParameterValue {
  /// What a report on postbacks of this environment has to say first; none of production.
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
