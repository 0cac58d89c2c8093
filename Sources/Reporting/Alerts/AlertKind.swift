import Values

/// The things that are watched; the raw value is the code in files, alerts and metrics.
package enum AlertKind: String, Hashable, Sendable, CaseIterable {
  /// The share of withheld values of a campaign changed, or is too high.
  case nullShare = "null-share"
  /// Too many of the bodies that took one way are not believed.
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
        .init("days", 3, 1...14, "The days, today with them, whose share is compared."),
        .init("baseline-days", 28, 7...56, "The days before them that it is compared with."),
        .init("least-postbacks", 200, 1...1e9, "Postbacks that both parts need at least."),
        .init("least-change", 0.1, 0...1, "The smallest change of the share that matters."),
        .init("level", 0.9999, 0.5...0.999999, "How often the interval of the change holds."),
        .init("highest", 1, 0...1, "The share that is too high by itself; 1 for none."),
      ]
    case .invalidShare:
      [
        .init("hours", 24, 1...336, "The hours that count."),
        .init("least-bodies", 100, 1...1e9, "Bodies that are needed at least."),
        .init("highest", 0.2, 0...1, "The share of bodies that are not believed which is too high."),
      ]
    case .unmappedValues:
      [
        .init("days", 3, 1...14, "The days, today with them, that count."),
        .init("least-postbacks", 50, 1...1e9, "Postbacks with a fine value that are needed at least."),
        .init("highest", 0.02, 0...1, "The share of them without a meaning which is too high."),
      ]
    case .networkSilent, .allSilent: Self.silence
    case .copiesStopped:
      Self.silence + [
        .init("least-postbacks", 20, 1...1e9, "What has to come the other way in the meantime at least.")
      ]
    case .conflicts:
      [
        .init("days", 7, 1...14, "The days, today with them, that count."),
        .init("least-copies", 50, 1...1e9, "Further copies that are needed at least for a share."),
        .init("highest", 0.01, 0...1, "The share of contradicting copies which is too high."),
        .init("most", 1000, 1...1e12, "The number of contradicting copies which is too high by itself."),
      ]
    case .notStored:
      [
        .init("minutes", 10, 1...1440, "The minutes that count."),
        .init("most", 0, 0...1e12, "Bodies that may be answered 503 in them."),
      ]
    case .databaseSize: [.init("gigabytes", 64, 0...1e6, "The size which is too large.")]
    case .diskSpace: [.init("gigabytes", 2, 0...1e6, "The free space that is needed at least.")]
    case .clock: [.init("seconds", 120, 1...Double(Day.seconds), "The step back that is let pass.")]
    case .mappingRejected:
      [
        .init(
          "minutes", 5, 0...10_080, "The minutes that a mapping file may be rejected before it is an alert.")
      ]
    case .certificateEnd:
      [.init("days", 14, 0...365, "The days that the certificate has to be valid at least.")]
    case .backupAge:
      [.init("hours", 0, 0...8760, "The hours that the last copy by skan backup may be old; 0 for no alert.")]
    }
  }

  private static let silence: [AlertParameter] = [
    .init("baseline-days", 28, 7...56, "The days before the silence that tell what is regular."),
    .init("least-days", 14, 3...56, "Days of them on which something has to have come."),
    .init("false-alarms-a-year", 0.1, 0.001...100, "How many false alarms a network may give."),
    .init("least-hours", 6, 1...720, "The shortest silence that is told."),
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
