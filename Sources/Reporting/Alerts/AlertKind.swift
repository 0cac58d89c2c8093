/// The things that are watched; the raw value is the code in files, alerts and metrics.
package enum AlertKind: String, Hashable, Sendable, CaseIterable {
  /// The share of withheld values of a campaign changed, or is too high.
  case nullShare = "null-share"
  /// Too many of the bodies that took one way are rejected.
  case invalidShare = "invalid-share"
  /// A network that is known forwards what is rejected.
  case forwardRejected = "forward-rejected"
  /// Requests for a network that is known are turned away before a body is read.
  case networkTurnedAway = "network-turned-away"
  /// Fine values come that no version of the app's mapping knows.
  case unmappedValues = "unmapped-values"
  case networkSilent = "network-silent"
  case allSilent = "all-silent"
  /// Of a network's postbacks either what it forwards or the devices' copies stopped, and the other goes on.
  case copiesStopped = "copies-stopped"
  case conflicts
  /// The service could not store postbacks.
  case notStored = "not-stored"
  /// The files of the database were removed or replaced while the service used them.
  case databaseReplaced = "database-replaced"
  case databaseSize = "database-size"
  case diskSpace = "disk-space"
  /// The clock was set back, or postbacks are of the future.
  case clock
  /// A mapping file is rejected, and what is in force is not what its author believes.
  case mappingRejected = "mapping-rejected"
  case certificateEnd = "certificate-end"
  /// The last copy of the database is old.
  case backupAge = "backup-age"
  /// A relay has not passed postbacks on for long.
  case relayBehind = "relay-behind"
  /// A campaign's return on spend is surely below what it should reach.
  case returnBelowTarget = "return-below-target"
  /// Fewer postbacks of windows 2 or 3 arrive of a network than its installs before let expect.
  case laterPostbacksLost = "later-postbacks-lost"
  /// A campaign's signed installs do not look earned.
  case unearnedPattern = "unearned-pattern"

  var criteria: any AlertCriteria.Type {
    switch self {
    case .nullShare: NullShareCriteria.self
    case .invalidShare: InvalidShareCriteria.self
    case .forwardRejected: ForwardRejectedCriteria.self
    case .networkTurnedAway: NetworkTurnedAwayCriteria.self
    case .unmappedValues: UnmappedValuesCriteria.self
    case .networkSilent: NetworkSilentCriteria.self
    case .allSilent: AllSilentCriteria.self
    case .copiesStopped: CopiesStoppedCriteria.self
    case .conflicts: ConflictsCriteria.self
    case .notStored: NotStoredCriteria.self
    case .databaseReplaced: DatabaseReplacedCriteria.self
    case .databaseSize: DatabaseSizeCriteria.self
    case .diskSpace: DiskSpaceCriteria.self
    case .clock: ClockCriteria.self
    case .mappingRejected: MappingRejectedCriteria.self
    case .certificateEnd: CertificateEndCriteria.self
    case .backupAge: BackupAgeCriteria.self
    case .relayBehind: RelayBehindCriteria.self
    case .returnBelowTarget: ReturnCriteria.self
    case .laterPostbacksLost: LaterPostbacksCriteria.self
    case .unearnedPattern: UnearnedPatternCriteria.self
    }
  }

  /// Whether only a running service knows what alerts of the kind are judged by.
  package var isSeenByServiceOnly: Bool {
    switch self {
    case .notStored, .databaseReplaced, .certificateEnd, .networkTurnedAway: true
    default: false
    }
  }

  /// How much it matters by default.
  package var severity: AlertSeverity { criteria.severity }
  /// By what a rule of this kind can be limited to a part.
  package var scopes: [AlertScope.Part] { criteria.scopes }
  /// The numbers that a rule of this kind can set.
  package var parameters: [AlertParameter] { criteria.parameters }
}

package enum AlertSeverity: String, Hashable, Sendable, CaseIterable {
  case warning
  case critical
}
