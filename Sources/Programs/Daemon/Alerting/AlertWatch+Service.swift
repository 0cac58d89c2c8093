import Alerts
import Intake
import Ledger
import Routing

extension AlertSnapshot {
  /// Of all kinds of alerts, none of which fires.
  static var quiet: AlertSnapshot {
    AlertSnapshot(
      kinds: AlertKind.allCases.map(\.rawValue), severities: AlertSeverity.allCases.map(\.rawValue))
  }
}

extension AlertWatch.Trouble {
  init(_ counters: Counters, _ ledger: PostbackLedger, _ access: Access) {
    self.init(
      lost: counters.lost, replacements: ledger.statistics.files.losses,
      turnedAway: access.turnedAway.all.map {
        .init(network: $0.network, hour: $0.hour, requests: $0.requests, status: $0.status)
      })
  }
}
