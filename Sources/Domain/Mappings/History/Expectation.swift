public import Postbacks
public import Values

/// What a postback means for its user, over all versions of the mapping that it can have been sent under.
public struct Expectation: Equatable, Sendable {
  /// How sure it is which version the device followed.
  public let dating: MappingHistory.Dating
  /// The meaning by each possible version, in the order of the versions; nothing for the time before the first.
  public let readings: [Reading]
  /// What the value means for the user, by itself.
  public let whole: Worth
  /// What of it other windows of the conversion do not hold already, so that it can be added to theirs.
  ///
  /// The money and events of a version that counts the window since install are in the first window already.
  public let additional: Worth
  /// Whether any version that is possible counts the window by itself, so that there is something to be added.
  public let isAdditional: Bool
  /// How long after first launch it was sent, over all versions that are possible; `nil` without one.
  public let delay: SendingDelay?

  public struct Reading: Hashable, Sendable {
    public let version: Int
    /// How likely it is that the device followed it.
    public let probability: Double
    public let meaning: Meaning
    /// How long after first launch such a postback is sent under it.
    public let delay: SendingDelay
  }

  /// What users with a value are worth and have done.
  public struct Worth: Equatable, Sendable {
    /// Revenue of the user, by currency; empty where no version has revenue.
    public let revenue: [RevenueEstimate]
    public let events: [EventEstimate]
  }

  /// How often a user did something.
  public struct EventEstimate: Equatable, Sendable {
    public let name: String
    public let probability: Double
    /// At least this often, where it happened.
    public let min: Int
    /// At most this often; `nil` without a limit.
    public let max: Int?
  }

  public enum Status: Hashable, Sendable {
    case decoded
    /// No version knows the value: something else set it.
    case unmapped
    case undated
  }

  public var status: Status {
    if readings.isEmpty { return .undated }
    return readings.allSatisfy { $0.meaning == .unmapped } ? .unmapped : .decoded
  }

  /// Revenue of the user, by currency; empty where no version has revenue.
  public var revenue: [RevenueEstimate] { whole.revenue }

  public var events: [EventEstimate] { whole.events }

  /// The same with other money, for example of another currency.
  public func mapRevenue(_ change: (RevenueEstimate) -> RevenueEstimate) -> Expectation {
    func changed(_ worth: Worth) -> Worth {
      Worth(revenue: worth.revenue.map(change), events: worth.events)
    }
    return Expectation(
      dating: dating, readings: readings, whole: changed(whole), additional: changed(additional),
      isAdditional: isAdditional, delay: delay)
  }

  /// Whether more than one version is possible.
  public var isMixed: Bool { if case .mixed = dating { true } else { false } }
}

extension Mapping {
  /// Whether a window's meaning is of that window alone, so that no other window includes it.
  fileprivate func counts(_ window: ConversionWindow) -> Bool {
    window == .first || coarse[window]?.totals == .window
  }
}

extension MappingHistory {
  /// What postbacks with a value mean for their users.
  ///
  /// Where several versions or several rules of one are possible, amounts are expected ones, weighted by the versions'
  /// probabilities and evenly by rule; low and high are the lowest and highest of all of them. A version that has
  /// nothing of a currency counts as nothing in it.
  ///
  /// - Parameters:
  ///   - timers: The timers that their devices can run by.
  ///   - type: The type of their conversions; with `nil`, they can be of any that the version has.
  public func expectation(
    of value: ConversionValue, version: ProtocolVersion, window: ConversionWindow, timers: DeviceTimers,
    arrival: Range<Instant>, type: ConversionType? = nil
  ) -> Expectation {
    let type = version.kind == .skan ? .install : type
    let dating = dating(
      of: value, version: version, window: window, timers: timers, arrival: arrival, type: type)
    let candidates: [Candidate] =
      switch dating {
      case .before: []
      case .certain(let index), .newest(let index): [Candidate(version: index, probability: 1)]
      case .mixed(let candidates): candidates
      }
    func delay(_ index: Int) -> SendingDelay? {
      let delays = sendingDelays(
        ofVersion: index, of: value, version: version, window: window, timers: timers, type: type)
      return delays.dropFirst().reduce(delays.first) { $0?.joined(with: $1) }
    }
    let readings = candidates.compactMap { candidate -> Expectation.Reading? in
      guard let index = candidate.version, let delay = delay(index) else { return nil }
      return Expectation.Reading(
        version: index, probability: candidate.probability,
        meaning: versions[index].decode(value, window: window, type: type), delay: delay)
    }
    let hasUnknown = candidates.contains { $0.version == nil }
    let whole = worth(views(of: readings) { _ in true }, hasUnknown: hasUnknown)
    let adding = Set(readings.map(\.version).filter { versions[$0].counts(window) })
    let isWhole = adding.count == readings.count
    return Expectation(
      dating: dating, readings: readings, whole: whole,
      additional: isWhole
        ? whole : worth(views(of: readings) { adding.contains($0.version) }, hasUnknown: hasUnknown),
      isAdditional: window == .first || !adding.isEmpty,
      delay: candidates.reduce(nil) { known, candidate in
        let delay = delay(candidate.version ?? 0)
        return delay.flatMap { known?.joined(with: $0) } ?? delay
      })
  }

  /// One rule of one version, or nothing where the version has none, with its weight.
  private typealias View = (weight: Double, rule: Interpretation?)

  /// The rules of the versions that count; the others weigh as they do, and have no effect.
  private func views(
    of readings: [Expectation.Reading], where counts: (Expectation.Reading) -> Bool
  ) -> [View] {
    readings.flatMap { reading -> [View] in
      guard case .rules(let rules) = reading.meaning, counts(reading) else {
        return [(reading.probability, nil)]
      }
      return rules.map { (reading.probability / Double(rules.count), $0) }
    }
  }

  private func worth(_ views: [View], hasUnknown: Bool) -> Expectation.Worth {
    Expectation.Worth(revenue: revenue(of: views, hasUnknown: hasUnknown), events: events(of: views))
  }

  private func revenue(of views: [View], hasUnknown: Bool) -> [RevenueEstimate] {
    if views.count == 1, !hasUnknown { return views[0].rule?.revenue ?? [] }
    var currencies: [CurrencyCode] = []
    for estimate in views.flatMap({ $0.rule?.revenue ?? [] }) where !currencies.contains(estimate.currency) {
      currencies.append(estimate.currency)
    }
    return currencies.map { currency in
      let nothing = RevenueEstimate(currency: currency, low: .zero, representative: .zero, high: .zero)
      let estimates =
        views.map { view in
          (view.weight, view.rule?.revenue.first { $0.currency == currency } ?? nothing)
        } + (hasUnknown ? [(0, nothing)] : [])
      let lows = estimates.map(\.1.low)
      let highs = estimates.map(\.1.high)
      let mean = estimates.reduce(0.0) { $0 + $1.0 * Double($1.1.representative.micros) }
      return RevenueEstimate(
        currency: currency, low: lows.contains(nil) ? nil : lows.compactMap { $0 }.min(),
        representative: Amount(micros: Int64(nearest: mean)),
        high: highs.contains(nil) ? nil : highs.compactMap { $0 }.max())
    }
  }

  private func events(of views: [View]) -> [Expectation.EventEstimate] {
    var names: [String] = []
    for event in views.flatMap({ $0.rule?.events ?? [] })
    where event.count.max != 0 && !names.contains(event.name) { names.append(event.name) }
    return names.compactMap { name in
      let holding = views.compactMap { view in
        view.rule?.events.first { $0.name == name && $0.count.max != 0 }.map { (view.weight, $0.count) }
      }
      // A count from 0 does not show whether it happened.
      let sure = holding.filter { $0.1.min > 0 }
      guard !sure.isEmpty else { return nil }
      let maxima = sure.map(\.1.max)
      return Expectation.EventEstimate(
        name: name, probability: Swift.min(1, sure.reduce(0) { $0 + $1.0 }),
        min: sure.map(\.1.min).min() ?? 1, max: maxima.contains(nil) ? nil : maxima.compactMap { $0 }.max())
    }
  }
}
