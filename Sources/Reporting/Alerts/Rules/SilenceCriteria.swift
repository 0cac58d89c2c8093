import Estimates
import Ledger
import Postbacks
import Values

struct SilenceCriteria: Equatable, Sendable {
  var baselineDays = 28
  var leastDays = 14
  var falseAlarmsAYear = 0.1
  var leastHours = 6
}

extension Silence {
  /// Measures a stream by what a rule sets; `active` are the hours in which something came, in order, none twice.
  init?(_ active: [Int64], now: Int64, _ criteria: SilenceCriteria) {
    self.init(
      active, now: now, baselineDays: criteria.baselineDays, falseAlarmsAYear: criteria.falseAlarmsAYear,
      leastHours: criteria.leastHours)
  }
}

/// Criteria of an alert that fires after a silence.
protocol SilentStreamCriteria: AlertCriteria {
  var silence: SilenceCriteria { get set }
}

extension SilentStreamCriteria {
  static var silenceParameters: [AlertParameter] {
    [
      .init(
        "baseline-days", \Self.silence.baselineDays, 7...56,
        "Number of baseline days before the silence."),
      .init(
        "least-days", \Self.silence.leastDays, 3...56, "Minimum number of baseline days with postbacks."),
      .init(
        "false-alarms-a-year", \Self.silence.falseAlarmsAYear, 0.001...100,
        "Expected number of false alarms per network."),
      .init("least-hours", \Self.silence.leastHours, 1...720, "Shortest silence to report."),
    ]
  }

  /// The baseline, and a silence of the same length after it.
  var arrivalDays: Int { 2 * silence.baselineDays }
}

extension SilenceCriteria {
  /// Judges a silence of one network or, without one in the scope, of all.
  func measure(_ silence: Silence?, _ rule: AlertRule, _ scope: AlertScope, _ facts: AlertFacts)
    -> AlertMeasure
  {
    let name = scope.network.map { Sentence(name: $0) } ?? Sentence("All networks together")
    let isKnown = silence.map { $0.activeDays >= leastDays } ?? false
    guard let silence, isKnown else {
      return AlertMeasure(
        rule, scope, .unknown, value: Double(silence?.hours ?? 0), bound: silence?.bound ?? 0,
        unit: Sentence("hours of silence"),
        Sentence("\(name): too few days with postbacks for a baseline."), remedy: Sentence(""), command: "")
    }
    return AlertMeasure(
      rule, scope, AlertMeasure.AlertStatus(Double(silence.hours), above: silence.bound),
      value: Double(silence.hours), bound: silence.bound,
      unit: Sentence("hours of silence"),
      Sentence(
        "\(name): nothing valid for \(silence.hours) hours, since \(Instant(hour: silence.since)); by the gaps "
          + "before, up to \(number: fixed(silence.bound, 0)) hours can be chance."),
      remedy: scope.network == nil
        ? Sentence(
          "Check the address in the app's Info.plist, DNS, the certificate and the proxy; `skan doctor` looks at them."
        )
        : Sentence(
          "Ask the network whether campaigns run and forwarding works; check its token and the service's log."
        ),
      command: facts.command(
        "report campaigns --by day,network",
        [
          ("--network", scope.network),
          ("--from", "\(Instant(hour: silence.since).day.before(Int32(baselineDays)))"),
        ]))
  }
}

extension AlertFacts {
  /// The hours in which something valid of production came, by network.
  var activeHours: [String: Set<Int64>] {
    var networks: [String: Set<Int64>] = [:]
    for hour in arrivals where hour.environment == .production && hour.count.valid > 0 {
      if let network = hour.network { networks[network, default: []].insert(hour.hour) }
    }
    return networks
  }
}
