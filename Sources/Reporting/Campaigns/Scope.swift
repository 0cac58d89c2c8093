package import Arguments
package import Postbacks
package import Values

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

extension Environment: ParameterValue {
  /// The note with which a report on postbacks of this environment begins; none for production.
  package var notes: [Sentence] {
    self == .production
      ? [] : [Sentence("\(code: rawValue) postbacks, not part of any real figure").onPages(nil)]
  }
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
