import Ledger
import Postbacks
import System
import Values
import Verification

/// How long a stream has been silent, and how long that can be by chance.
///
/// The stream's own gaps tell. Beyond their median, gaps are taken to end at a constant rate, as those of any stream
/// that no clock drives do; so the gap that is exceeded a stated number of times in a year follows from their mean
/// excess. The mean is raised by its standard error, because it is known from few gaps. The bound is never below one
/// and a half times the longest gap that there was, for streams that a clock does drive, and never above three times.
/// Source: Davison and Smith, "Models for exceedances over high thresholds", 1990.
struct Silence {
  /// When the last hour in which something came had its end, in hours since 1970-01-01T00:00:00Z.
  let since: Int64
  /// Hours since then; 0 at least.
  let hours: Int64
  /// Hours that chance alone can take.
  let bound: Double
  /// Days before the silence on which something came.
  let activeDays: Int

  /// Measures a stream.
  ///
  /// - Parameters:
  ///   - active: The hours in which something came, in order, none twice.
  ///   - now: The hour it is.
  ///   - rule: A rule of one of the kinds of silence.
  init?(_ active: [Int64], now: Int64, _ rule: AlertRule) {
    guard let last = active.last else { return nil }
    let start = last - Int64(rule["baseline-days"]) * 24
    let recent = active.filter { $0 > start }
    let gaps = zip(recent, recent.dropFirst()).map { $1 - $0 }.sorted()
    guard let longest = gaps.last else { return nil }
    since = last + 1
    hours = max(0, now - since)
    activeDays = Set(recent.map { $0 / 24 }).count
    let median = gaps[gaps.count / 2]
    let excesses = gaps.filter { $0 > median }.map { Double($0 - median) }
    let years = Double(recent[recent.count - 1] - recent[0] + 1) / (365 * 24)
    var reach = Double(median)
    if !excesses.isEmpty {
      let number = Double(excesses.count)
      let mean = excesses.reduce(0, +) / number * (1 + 1 / number.squareRoot())
      reach += mean * max(0, naturalLogarithm(number / years / rule["false-alarms-a-year"]))
    }
    bound = max(rule["least-hours"], min(3 * Double(longest), max(1.5 * Double(longest), reach)))
  }
}

extension AlertFacts {
  /// Judges whether networks, or all of them together, went silent.
  func silences(_ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var networks: [String: Set<Int64>] = [:]
    for hour in arrivals where hour.environment == .production && hour.count.valid > 0 {
      if let network = hour.network { networks[network, default: []].insert(hour.hour) }
    }
    var measures: [AlertMeasure] = []
    for (network, hours) in networks {
      let scope = AlertScope(network: network)
      if let rule = rules.rule(.networkSilent, scope) {
        measures += [silence(Silence(hours.sorted(), now: now.hour, rule), rule, scope)]
      }
    }
    if let rule = rules.rule(.allSilent), !networks.isEmpty {
      let all = networks.values.reduce(into: Set()) { $0.formUnion($1) }
      measures.append(silence(Silence(all.sorted(), now: now.hour, rule), rule, AlertScope()))
    }
    return measures
  }

  private func silence(_ silence: Silence?, _ rule: AlertRule, _ scope: AlertScope) -> AlertMeasure {
    let name = scope.network.map { printable($0) } ?? "All networks together"
    let isKnown = silence.map { Double($0.activeDays) >= rule["least-days"] } ?? false
    guard let silence, isKnown else {
      return AlertMeasure(
        rule, scope, .unknown, value: Double(silence?.hours ?? 0), bound: silence?.bound ?? 0,
        unit: "hours of silence", "\(name): too few days with postbacks for a baseline.", remedy: "",
        command: "")
    }
    return AlertMeasure(
      rule, scope, AlertMeasure.AlertStatus(Double(silence.hours), above: silence.bound),
      value: Double(silence.hours), bound: silence.bound, unit: "hours of silence",
      "\(name): no valid postback for \(silence.hours) hours, since \(Instant(hour: silence.since)); "
        + "the gaps before explain up to \(fixed(silence.bound, 0)) hours.",
      remedy: scope.network == nil
        ? "Check the address in the app's Info.plist, DNS, the certificate and the proxy; `skan doctor` "
          + "checks them."
        : "Ask the network whether campaigns run and forwarding works; check its token and the service's log.",
      command: command(
        "report campaigns --by day,network",
        [
          ("--network", scope.network),
          ("--from", "\(Instant(hour: silence.since).day.before(Int32(rule["baseline-days"])))"),
        ]))
  }

  /// Judges whether devices' copies and what networks forward still go together.
  func stoppedCopies(_ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var networks: [String: [ArrivalHour]] = [:]
    for hour in arrivals where hour.environment == .production && hour.count.valid > 0 {
      if let network = hour.network { networks[network, default: []].append(hour) }
    }
    var measures: [AlertMeasure] = []
    for (network, hours) in networks {
      guard let rule = rules.rule(.copiesStopped, AlertScope(network: network)) else { continue }
      for direction in CopyDirection.allCases {
        let own = Set(hours.filter { direction.owns($0.origin.route) }.map(\.hour)).sorted()
        guard let silence = Silence(own, now: now.hour, rule) else { continue }
        let others = hours.filter { direction.opposite.owns($0.origin.route) && $0.hour >= silence.since }
          .reduce(0) { $0 + $1.count.valid }
        let scope = AlertScope(network: network, origin: direction.name)
        let isKnown =
          Double(silence.activeDays) >= rule["least-days"] && Double(others) >= rule["least-postbacks"]
        let standing = AlertMeasure.AlertStatus(Double(silence.hours), above: silence.bound)
        measures.append(
          AlertMeasure(
            rule, scope, isKnown ? standing : .unknown, value: Double(silence.hours), bound: silence.bound,
            unit: "hours of silence",
            "\(printable(network)): \(direction.words) stopped \(silence.hours) hours ago, "
              + "\(Instant(hour: silence.since)), and \(grouped(others)) postbacks came from the other route "
              + "since; the gaps before explain up to \(fixed(silence.bound, 0)) hours.",
            remedy: direction.remedy,
            command: command(
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
  var words: String { self == .copies ? "device copies" : "network copies" }
  var remedy: String {
    self == .copies
      ? "Check NSAdvertisingAttributionReportEndpoint in the app's newest version, and the address behind it."
      : "Ask the network whether it still forwards; check its token and the address it posts to."
  }
}
