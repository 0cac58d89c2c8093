/// One conversion on this device: what happened since its begin, and what the app set.
struct AppConversion: Hashable, Sendable {
  struct Window: Hashable, Sendable {
    /// The fine value; -1 where none was set.
    var fine: Int8 = -1
    /// The step of the coarse value; -1 where none was set.
    var coarse: Int8 = -1
    var isLocked = false
    var wasUpdated = false
  }

  var type: AppConversionType
  var tag: String?
  /// The version of the mapping that it follows to its end.
  var mapping: UInt64
  /// Milliseconds since 1970.
  var start: Int64
  /// Seconds since the begin of the last event.
  var now: Int64 = 0
  /// The second at which the timer of SKAdNetwork 3 runs out.
  var riseEnd = AppTimers.riseTimer
  var windows = [Window(), Window(), Window()]
  var counters: [Int64]
  /// Whether the app did not confirm the last update.
  var isUnconfirmed = false
  /// Whether the counters were lost and began anew, so that what was sent before is a floor.
  var isRestarted = false

  /// The conversion without what only counts.
  var sent: AppConversion {
    var sent = self
    (sent.now, sent.counters, sent.isUnconfirmed) = (0, [], false)
    return sent
  }

  /// Counts an event that happens that many seconds after the begin.
  mutating func count(_ event: AppEvent, at seconds: Int64, under mapping: AppMapping) {
    let time = max(now, seconds)
    if AppTimers.window(at: time) != AppTimers.window(at: now) { mapping.counters.clearWindow(&counters) }
    now = time
    mapping.counters.add(event, to: &counters)
  }

  /// The call that is due; `nil` where the values that were set are still the right ones.
  mutating func update(under mapping: AppMapping) -> AppUpdate? {
    let update = mapping.device.hasWindows ? set(mapping) : raise(mapping)
    if update != nil { isUnconfirmed = true }
    return update
  }

  /// The last call of the window of a moment, which an app makes again if it has not confirmed it.
  func repeated(at seconds: Int64, under mapping: AppMapping) -> AppUpdate? {
    guard mapping.device.hasWindows else {
      return seconds < riseEnd && windows[0].fine >= 0 ? call(0, under: mapping, lock: false) : nil
    }
    let window = AppTimers.window(at: seconds)
    guard window < 3, windows[window].wasUpdated else { return nil }
    return call(window, under: mapping, lock: windows[window].isLocked)
  }

  /// Whether a call is the last one of this conversion.
  func isLast(_ update: AppUpdate) -> Bool {
    guard update.conversionStart == start, update.conversionTag == tag, update.conversionType == type else {
      return false
    }
    let state = windows[update.window - 1]
    return Int8(update.fine ?? -1) == state.fine && (update.coarse?.rank ?? -1) == state.coarse
      && windows[update.window...].allSatisfy { !$0.wasUpdated }
  }

  private mutating func set(_ mapping: AppMapping) -> AppUpdate? {
    let window = AppTimers.window(at: now)
    guard window < 3, !windows[window].isLocked else { return nil }
    let onlyRises = mapping.isRaiseOnly || isRestarted
    var state = windows[window]
    var (isDue, locks) = (false, false)
    if window == 0, let end = mapping.fineEnd, now < end,
      let rule = mapping.fine.first(where: { $0.holds(counters, at: now, for: type) }),
      !onlyRises || rule.value >= state.fine
    {
      var coarse = rule.coarse?.rank ?? state.coarse
      if isRestarted { coarse = max(coarse, state.coarse) }
      isDue = state.fine != rule.value || coarse != state.coarse || rule.lock
      state.fine = rule.value
      state.coarse = coarse
      locks = rule.lock
    }
    if let rule = mapping.coarse[window].first(where: { $0.holds(counters, at: now, for: type) }),
      !onlyRises || rule.value >= state.coarse
    {
      isDue = isDue || state.coarse != rule.value || rule.lock
      state.coarse = rule.value
      locks = locks || rule.lock
    }
    guard isDue else { return nil }
    state.wasUpdated = true
    state.isLocked = locks
    windows[window] = state
    return call(window, under: mapping, lock: locks)
  }

  /// SKAdNetwork 3: the value only rises, and only as long as the timer runs.
  private mutating func raise(_ mapping: AppMapping) -> AppUpdate? {
    guard now < riseEnd, mapping.fineEnd.map({ now < $0 }) ?? true,
      let rule = mapping.fine.first(where: { $0.holds(counters, at: now, for: type) })
    else { return nil }
    let known = windows[0].fine
    // First launch registers value 0, so that a rule for 0 changes no value and is reported once.
    guard rule.value > max(known, 0) || (rule.value == 0 && known < 0) else { return nil }
    if rule.value > 0 { riseEnd = now + AppTimers.riseTimer }
    windows[0].fine = rule.value
    windows[0].wasUpdated = true
    return call(0, under: mapping, lock: false)
  }

  private func call(_ window: Int, under mapping: AppMapping, lock: Bool) -> AppUpdate {
    let state = windows[window]
    return AppUpdate(
      device: mapping.device, conversionType: type, conversionTag: tag, window: window + 1,
      fine: state.fine < 0 ? nil : Int(state.fine), coarse: AppCoarseValue(rank: state.coarse), lock: lock,
      secondsSinceConversion: now, conversionStart: start)
  }
}
