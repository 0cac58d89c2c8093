import Estimates
import Ledger
import Postbacks
import Values

/// Of a network's postbacks either what it forwards or the devices' copies stopped, and the other goes on.
struct CopiesStoppedCriteria: SilentStreamCriteria {
  static let kind = AlertKind.copiesStopped
  static let scopes: [AlertScope.Part] = [.networks]

  var silence = SilenceCriteria()
  var leastPostbacks = 20

  static let parameters: [AlertParameter] =
    silenceParameters + [
      .init(
        "least-postbacks", \Self.leastPostbacks, 1...1_000_000_000,
        "Minimum number of postbacks from the other route meanwhile.")
    ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var networks: [String: [ArrivalHour]] = [:]
    for hour in facts.arrivals where hour.environment == .production && hour.count.valid > 0 {
      if let network = hour.network { networks[network, default: []].append(hour) }
    }
    var measures: [AlertMeasure] = []
    for (network, hours) in networks {
      guard let (rule, criteria) = rules.rule(Self.self, AlertScope(network: network)) else { continue }
      for direction in CopyDirection.allCases {
        let own = Set(hours.filter { direction.owns($0.origin.route) }.map(\.hour)).sorted()
        guard let silence = Silence(own, now: now.hour, criteria.silence) else { continue }
        let others = hours.filter { direction.opposite.owns($0.origin.route) && $0.hour >= silence.since }
          .reduce(0) { $0 + $1.count.valid }
        let scope = AlertScope(network: network, origin: direction.name)
        let isKnown =
          silence.activeDays >= criteria.silence.leastDays && others >= criteria.leastPostbacks
        let standing = AlertMeasure.AlertStatus(Double(silence.hours), above: silence.bound)
        measures.append(
          AlertMeasure(
            rule, scope, isKnown ? standing : .unknown, value: Double(silence.hours), bound: silence.bound,
            unit: Sentence("hours of silence"),
            Sentence(
              "\(name: network): \(direction.words) stopped \(silence.hours) hours ago, "
                + "\(Instant(hour: silence.since)), and \(grouped: others) postbacks came from the other route "
                + "since; the gaps before explain up to \(number: fixed(silence.bound, 0)) hours."),
            remedy: direction.remedy,
            command: facts.command(
              "report campaigns --by day,network",
              [("--network", network), ("--from", "\(Instant(hour: silence.since).day.before(7))")])))
      }
    }
    return measures
  }
}

/// The two ways by which an advertiser hears of a conversion.
private enum CopyDirection: CaseIterable {
  case copies, forwarded

  var opposite: Self { self == .copies ? .forwarded : .copies }

  func owns(_ route: Route) -> Bool {
    switch route {
    case .advertiserCopy, .networkAddress: self == .copies
    case .forwarded: self == .forwarded
    case .file: false
    }
  }

  var name: String { self == .copies ? "device-copies" : "forwarded" }
  var words: Sentence { self == .copies ? Sentence("device copies") : Sentence("network copies") }
  var remedy: Sentence {
    self == .copies
      ? Sentence(
        "Check NSAdvertisingAttributionReportEndpoint and AttributionCopyEndpoint in the app's newest version with "
          + "`skan plist check`, and the address behind them with `skan doctor --domain`.")
      : Sentence("Ask the network whether it still forwards; check its token and the address it posts to.")
  }
}
