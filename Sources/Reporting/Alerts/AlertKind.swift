/// The things that are watched; the raw value is the code in files, alerts and metrics.
package enum AlertKind: String, Hashable, Sendable, CaseIterable {
  /// The share of withheld values of a campaign changed, or is too high.
  case nullShare = "null-share"
  /// Too many of the bodies that took one way are rejected.
  case invalidShare = "invalid-share"
  /// Fine values come that no version of the app's mapping knows.
  case unmappedValues = "unmapped-values"
  /// A network that used to send sends nothing.
  case networkSilent = "network-silent"
  /// Nobody sends anything.
  case allSilent = "all-silent"
  /// Of a network's postbacks either what it forwards or the devices' copies ceased, and the other goes on.
  case copiesStopped = "copies-stopped"
  /// Valid copies contradict each other.
  case conflicts
  /// The service could not store postbacks.
  case notStored = "not-stored"
  /// The database is large.
  case databaseSize = "database-size"
  /// The disk is almost full.
  case diskSpace = "disk-space"
  /// The clock was set back, or postbacks are of the future.
  case clock
  /// A mapping file is rejected, and what is in force is not what its author believes.
  case mappingRejected = "mapping-rejected"
  /// The certificate of TLS ends soon.
  case certificateEnd = "certificate-end"
  /// The last copy of the database is old.
  case backupAge = "backup-age"

  /// How much it matters where the rules do not say.
  package var severity: AlertSeverity {
    switch self {
    case .allSilent, .notStored, .diskSpace, .clock: .critical
    case .nullShare, .invalidShare, .unmappedValues, .networkSilent, .copiesStopped, .conflicts,
      .databaseSize, .mappingRejected, .certificateEnd, .backupAge:
      .warning
    }
  }

  /// By what a rule of this kind can be limited to a part.
  package var scopes: [AlertScope.Part] {
    switch self {
    case .nullShare: [.apps, .networks, .campaigns]
    case .unmappedValues: [.apps, .networks]
    case .networkSilent, .copiesStopped, .conflicts: [.networks]
    case .invalidShare: [.origins]
    case .allSilent, .notStored, .databaseSize, .diskSpace, .clock, .mappingRejected, .certificateEnd,
      .backupAge:
      []
    }
  }

  /// The numbers that a rule of this kind can set.
  package var parameters: [AlertParameter] {
    switch self {
    case .nullShare:
      [
        .init("days", 3, 1...14, "Number of recent days to compare, including today."),
        .init("baseline-days", 28, 7...56, "Number of baseline days before them."),
        .init("least-postbacks", 200, 1...1e9, "Minimum number of postbacks in each period."),
        .init("least-change", 0.1, 0...1, "Minimum change of the share."),
        .init("level", 0.9999, 0.5...0.999999, "Confidence level of the interval of the change."),
        .init("highest", 1, 0...1, "Maximum share; 1: no limit."),
      ]
    case .invalidShare:
      [
        .init("hours", 24, 1...336, "Number of hours to examine."),
        .init("least-bodies", 100, 1...1e9, "Minimum number of bodies."),
        .init("highest", 0.2, 0...1, "Maximum share of rejected bodies."),
      ]
    case .unmappedValues:
      [
        .init("days", 3, 1...14, "Number of days to examine, including today."),
        .init("least-postbacks", 50, 1...1e9, "Minimum number of postbacks with a fine value."),
        .init("highest", 0.02, 0...1, "Maximum share of unmapped values."),
      ]
    case .networkSilent, .allSilent: Self.silence
    case .copiesStopped:
      Self.silence + [
        .init("least-postbacks", 20, 1...1e9, "Minimum number of postbacks from the other route meanwhile.")
      ]
    case .conflicts:
      [
        .init("days", 7, 1...14, "Number of days to examine, including today."),
        .init("least-copies", 50, 1...1e9, "Minimum number of further copies for a share."),
        .init("highest", 0.01, 0...1, "Maximum share of conflicting copies."),
        .init("most", 1000, 1...1e12, "Maximum number of conflicting copies."),
      ]
    case .notStored:
      [
        .init("minutes", 10, 1...1440, "Number of minutes to examine."),
        .init("most", 0, 0...1e12, "Maximum number of bodies answered 503."),
      ]
    case .databaseSize: [.init("gigabytes", 64, 0...1e6, "Maximum size.")]
    case .diskSpace: [.init("gigabytes", 2, 0...1e6, "Minimum free space.")]
    case .clock: [.init("seconds", 120, 1...86_400, "Largest backward clock step to ignore.")]
    case .mappingRejected:
      [
        .init(
          "minutes", 5, 0...10_080, "Minutes that a mapping file may stay rejected.")
      ]
    case .certificateEnd:
      [.init("days", 14, 0...365, "Minimum remaining validity of the certificate.")]
    case .backupAge:
      [.init("hours", 0, 0...8760, "Maximum age of the last copy by skan backup; 0: no alert.")]
    }
  }

  private static let silence: [AlertParameter] = [
    .init("baseline-days", 28, 7...56, "Number of baseline days before the silence."),
    .init("least-days", 14, 3...56, "Minimum number of baseline days with postbacks."),
    .init("false-alarms-a-year", 0.1, 0.001...100, "Expected number of false alarms per network."),
    .init("least-hours", 6, 1...720, "Shortest silence to report."),
  ]
}

/// How much an alert matters.
package enum AlertSeverity: String, Hashable, Sendable, CaseIterable {
  /// Somebody should look.
  case warning
  /// Somebody should look now.
  case critical
}

/// A number that rules of one kind can set.
package struct AlertParameter: Hashable, Sendable {
  /// Its name in the rules file.
  package let name: String
  /// What holds where the rule does not say.
  package let standard: Double
  /// What is allowed.
  package let range: ClosedRange<Double>
  /// What it means.
  package let meaning: String

  init(_ name: String, _ standard: Double, _ range: ClosedRange<Double>, _ meaning: String) {
    self.name = name
    self.standard = standard
    self.range = range
    self.meaning = meaning
  }

  /// Whether only whole numbers make sense.
  package var isWhole: Bool {
    ["days", "minutes", "hours", "postbacks", "bodies", "copies", "most", "seconds"].contains {
      name == $0 || name.hasSuffix("-\($0)")
    }
  }
}
