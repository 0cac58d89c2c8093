public import Postbacks
public import Values

/// What came of one campaign's users.
public struct CampaignOutcome: Equatable, Sendable {
  public internal(set) var installs = 0
  /// Conversions that sent at least one winning postback.
  public internal(set) var reported = 0
  /// Re-engagements and redownloads that earned a postback; AdAttributionKit only.
  public internal(set) var laterConversions = 0
  /// Users with a greater value that came within the horizon, but after SKAdNetwork 3's timer had run out.
  public internal(set) var chainsBroken = 0
  /// Revenue of those users between their last rise and their last greater value that came too late.
  public internal(set) var lostByChain = MoneySum.zero
  /// Total revenue of all users.
  public internal(set) var revenueEver = MoneySum.zero
  /// Revenue of all users within the horizon: the truth that reports are compared with.
  public internal(set) var revenue = MoneySum.zero
  /// The first, second and third window.
  public internal(set) var windows = [WindowOutcome(), WindowOutcome(), WindowOutcome()]
  /// Whether each window's worth adds up with the others': not where its values include everything since install.
  public internal(set) var addsUp = [true, false, false]
  /// The truth by day of install, UTC.
  public internal(set) var installDays: [Day: InstallDay] = [:]

  public init() {}

  public subscript(window: ConversionWindow) -> WindowOutcome { windows[window.rawValue] }

  public var winners: Int { windows.reduce(0) { $0 + $1.postbacks } }
  public var nonWinners: Int { windows.reduce(0) { $0 + $1.nonWinners } }
  /// What the final values are worth before any is withheld, of windows that add up.
  public var captured: MoneySum { sum(\.captured) }
  /// True revenue of users when their values were set last, window by window; of all windows.
  public var capturedReal: MoneySum { windows.reduce(.zero) { $0 + $1.revenueAtUpdate } }
  /// What the values shown are worth, of windows that add up.
  public var visible: MoneySum { sum(\.visible) }
  /// What the values shown are worth at least, of windows that add up.
  public var visibleLow: MoneySum { sum(\.visibleLow) }
  /// What the values shown are worth at most, of windows that add up.
  public var visibleHigh: MoneySum { sum(\.visibleHigh) }
  /// (captured - revenue) / revenue; `nil` without revenue.
  public var capturedError: Double? { error(of: captured) }
  /// (capturedReal - revenue) / revenue; `nil` without revenue.
  public var capturedRealError: Double? { error(of: capturedReal) }
  /// (visible - revenue) / revenue; `nil` without revenue.
  public var visibleError: Double? { error(of: visible) }
  /// The share of users whose chain broke; `nil` without users.
  public var chainBrokenShare: Double? { installs == 0 ? nil : Double(chainsBroken) / Double(installs) }

  public var delays: DelayHistogram {
    var all = DelayHistogram()
    for window in windows { all.merge(window.delays) }
    return all
  }

  private func sum(_ part: KeyPath<WindowOutcome, MoneySum>) -> MoneySum {
    zip(windows, addsUp).reduce(.zero) { $1.1 ? $0 + $1.0[keyPath: part] : $0 }
  }

  private func error(of sum: MoneySum) -> Double? {
    revenue.micros == 0
      ? nil : Double(sum.micros - revenue.micros) / Double(revenue.micros.magnitude)
  }

  /// Adds what came of other users.
  public mutating func merge(_ other: CampaignOutcome) {
    installs += other.installs
    reported += other.reported
    laterConversions += other.laterConversions
    chainsBroken += other.chainsBroken
    lostByChain += other.lostByChain
    revenueEver += other.revenueEver
    revenue += other.revenue
    for index in windows.indices { windows[index].merge(other.windows[index]) }
    addsUp = other.addsUp
    installDays.merge(other.installDays) { $0.merged(with: $1) }
  }
}

/// The truth of one day's installs.
public struct InstallDay: Equatable, Sendable {
  public internal(set) var installs = 0
  /// Their revenue within the horizon.
  public internal(set) var revenue = MoneySum.zero

  /// Returns the sum of two.
  public func merged(with other: InstallDay) -> InstallDay {
    var sum = self
    sum.installs += other.installs
    sum.revenue += other.revenue
    return sum
  }
}
