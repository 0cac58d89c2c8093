public import Postbacks
import Values

/// One conversion on a user's device under a mapping: handles events in the order of time and returns the values that
/// the app sets.
public struct UserState: Sendable {
  public let mapping: Mapping
  public let type: ConversionType
  /// Whether a sum of money did not fit and was held at the end of the range.
  public var didSaturate: Bool { sinceInstall.didSaturate || inWindow.didSaturate }
  /// Whether an event came with a time before an earlier one's; it then counts at the time of that one.
  public private(set) var didReorder = false

  private let names: Set<String>
  private var now: Int64 = 0
  private var sinceInstall = Totals()
  private var inWindow = Totals()
  private var windows: [WindowState] = [WindowState(), WindowState(), WindowState()]
  /// When SKAdNetwork 3's timer runs out.
  private var timerEnd: Int64 = AppleTimers.riseTimer

  private struct WindowState {
    var fine: FineValue?
    var coarse: CoarseValue?
    var lockedAt: Int64?
    var wasUpdated = false
  }

  /// Starts before the first launch; for a re-engagement, before the user comes back.
  public init(_ mapping: Mapping, type: ConversionType = .install) {
    self.mapping = mapping
    self.type = type
    names = mapping.eventNames
  }

  /// Lets the user open the app for the first time.
  ///
  /// - Returns: The values that are set when nothing has happened yet, if a rule asks for no more.
  public mutating func launch() -> ValueUpdate? { update() }

  /// Lets the user do something.
  ///
  /// - Returns: The values that are set because of it, if they are others than before.
  public mutating func feed(_ event: UserEvent) -> ValueUpdate? {
    if event.secondsSinceInstall < now { didReorder = true }
    let time = max(now, event.secondsSinceInstall)
    if ConversionWindow(secondsSinceInstall: time) != ConversionWindow(secondsSinceInstall: now) {
      inWindow = Totals()
    }
    now = time
    sinceInstall.add(event, names: names)
    inWindow.add(event, names: names)
    return update()
  }

  private mutating func update() -> ValueUpdate? {
    guard mapping.device.hasWindows else { return raise() }
    guard let window = ConversionWindow(secondsSinceInstall: now),
      windows[window.rawValue].lockedAt == nil
    else { return nil }
    var state = windows[window.rawValue]
    var cause: RuleReference?
    var locks = false

    if window == .first, let end = mapping.fineEnd, now < end,
      let index = mapping.fineRule(for: sinceInstall, at: now, of: type)
    {
      let rule = mapping.fine[index]
      if !mapping.isRaiseOnly || rule.value >= state.fine ?? rule.value {
        if state.fine != rule.value || rule.coarse.map({ $0 != state.coarse }) ?? false || rule.lock {
          cause = .fine(index)
        }
        state.fine = rule.value
        state.coarse = rule.coarse ?? state.coarse
        locks = rule.lock
      }
    }
    if let rules = mapping.coarse[window],
      let index = rules.rule(
        for: rules.totals == .window ? inWindow : sinceInstall, at: now, of: type)
    {
      let rule = rules.rules[index]
      if !mapping.isRaiseOnly || rule.value.rank >= state.coarse?.rank ?? 0 {
        if state.coarse != rule.value || rule.lock { cause = cause ?? .coarse(window, index) }
        state.coarse = rule.value
        locks = locks || rule.lock
      }
    }
    guard let cause else { return nil }
    state.wasUpdated = true
    if locks { state.lockedAt = now }
    windows[window.rawValue] = state
    return ValueUpdate(
      time: now, window: window, fine: state.fine, coarse: state.coarse, lock: locks, cause: cause)
  }

  /// SKAdNetwork 3: the value only rises, and only as long as the timer runs.
  private mutating func raise() -> ValueUpdate? {
    guard now < timerEnd, mapping.fineEnd.map({ now < $0 }) ?? true,
      let index = mapping.fineRule(for: sinceInstall, at: now, of: type)
    else { return nil }
    let value = mapping.fine[index].value
    // First launch registers value 0, so that a rule for 0 changes no value and is reported once.
    guard value > windows[0].fine ?? FineValue.zero || (value == .zero && windows[0].fine == nil) else {
      return nil
    }
    if value > .zero { timerEnd = now + AppleTimers.riseTimer }
    windows[0].fine = value
    return ValueUpdate(
      time: now, window: .first, fine: value, coarse: nil, lock: false, cause: .fine(index))
  }

  /// The postbacks that the device will send, should nothing more happen.
  ///
  /// Up to SKAdNetwork 3 there is one, from 4.0 on one for each window that was updated.
  public var postbacks: [FinalPostback] {
    guard mapping.device.hasWindows else {
      return [postback(.first, fine: windows[0].fine ?? .zero, coarse: nil, preparedAt: timerEnd)]
    }
    return ConversionWindow.allCases.compactMap { window in
      let state = windows[window.rawValue]
      guard state.wasUpdated else { return nil }
      return postback(
        window, fine: state.fine, coarse: state.coarse,
        preparedAt: state.lockedAt ?? window.seconds.upperBound)
    }
  }

  private func postback(
    _ window: ConversionWindow, fine: FineValue?, coarse: CoarseValue?, preparedAt seconds: Int64
  ) -> FinalPostback {
    let delay = AppleTimers.randomDelay(version: mapping.device.version, window: window)
    return FinalPostback(
      window: window, fine: fine, coarse: coarse, sendEarliest: seconds + delay.lowerBound,
      sendLatest: seconds + delay.upperBound)
  }
}

extension Mapping {
  public struct Replay: Equatable, Sendable {
    /// The values that the app sets, in order.
    public let updates: [ValueUpdate]
    public let postbacks: [FinalPostback]
    /// Whether a sum of money did not fit and was held at the end of the range.
    public let didSaturate: Bool
    /// Whether events had to be put in order.
    public let didReorder: Bool
  }

  /// Lets one user launch the app and do some things, which are put in the order of time.
  ///
  /// - Parameters:
  ///   - events: What the user does; the time of a re-engagement's events counts from the moment of coming back.
  /// - Returns: The values that are set, and the postbacks.
  public func replay(_ events: [UserEvent], type: ConversionType = .install) -> Replay {
    var state = UserState(self, type: type)
    let order = events.indices.ordered {
      (events[$0].secondsSinceInstall, $0) < (events[$1].secondsSinceInstall, $1)
    }
    let updates = [state.launch()] + order.map { state.feed(events[$0]) }
    return Replay(
      updates: updates.compactMap { $0 }, postbacks: state.postbacks, didSaturate: state.didSaturate,
      didReorder: order != Array(events.indices))
  }
}

extension FineValue {
  static var zero: FineValue { FineValue(0) ?? .highest }
  private static var highest: FineValue { preconditionFailure("Zero is a conversion value.") }
}
