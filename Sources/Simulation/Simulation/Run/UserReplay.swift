import Mappings
import Postbacks
import Values

/// What one window of a conversion ends with, before the privacy threshold applies.
struct WindowEnd: Equatable, Sendable {
  /// The number of the conversion, from 0, the install.
  let conversion: Int
  let kind: Postbacks.Outcome
  /// Seconds from the install to the conversion.
  let start: Int64
  let window: ConversionWindow
  /// The fine value; -1 for none.
  let fine: Int8
  /// The step of the coarse value; -1 for none.
  let coarse: Int8
  /// When the postback is prepared, in seconds since the conversion.
  let prepared: Int64
  let revenue: Int64
  /// Revenue of the user in the window at its last update.
  let revenueAtUpdate: Int64
}

/// A call that set values, as in ``Mappings/ValueUpdate``; -1 means no value.
struct TracedUpdate: Equatable, Sendable {
  let time: Int64
  let window: Int
  let fine: Int8
  let coarse: Int8
  let lock: Bool
  let cause: RuleReference
}

/// An app that follows a mapping, with its device, replayed for one user after the other.
struct UserReplay {
  private(set) var ends: [WindowEnd] = []
  /// Whether a greater value came after the timer of SKAdNetwork 3 had run out.
  private(set) var isChainBroken = false
  /// Revenue of the user between the last rise and the last greater value that came too late.
  private(set) var lostByChain: Int64 = 0
  /// The calls that set values; kept only when asked for.
  private(set) var trace: [TracedUpdate] = []

  private let mapping: CompiledMapping
  private let cohort: Cohort
  private let rules: AttributionKitRules
  private let markers: [Postbacks.Outcome?]
  /// The index of the measured currency; -2 where the cohort has none of it.
  private let currency: Int32
  private let isTracing: Bool
  /// Whether every event counts for the install.
  private let isInstallAlone: Bool
  /// Whether the app is open at the events of each name; empty where it is at all of them.
  private let opens: [Bool]
  /// The events since the app was open last, by their places in the cohort.
  private var waiting: [Int] = []
  private let losses: UpdateLosses?
  /// What becomes of the updates of the conversion that is replayed; `nil` where all of them arrive.
  private var loss: UpdateLosses.Draws?
  /// The seconds since install in which a broken chain counts as a loss.
  private let horizon: Int64
  private var counters: MappingCounters
  /// The counters of re-engagements while ``counters`` are those of installs, and the other way round; `nil` where the
  /// same are for both.
  private var idleCounters: MappingCounters?
  private var countedType = ConversionType.install

  init(
    _ mapping: CompiledMapping, _ cohort: Cohort, currency: CurrencyCode, rules: AttributionKitRules,
    horizon: Int64 = .max, losses: UpdateLosses? = nil, appOpens: Set<String> = [], isTracing: Bool = false
  ) {
    self.mapping = mapping
    self.cohort = cohort
    self.rules = rules
    self.isTracing = isTracing
    self.horizon = horizon
    self.losses = losses
    markers = mapping.device == .aak ? rules.markers(cohort.names.events) : []
    // What begins a re-engagement opens the app, too.
    var opens = appOpens.isEmpty ? [] : cohort.names.events.map(appOpens.contains)
    if !opens.isEmpty { for index in markers.indices where markers[index] != nil { opens[index] = true } }
    self.opens = opens
    isInstallAlone = mapping.device != .aak || markers.isEmpty && cohort.names.tags.isEmpty
    self.currency = cohort.names.currencies.firstIndex(of: currency).map { Int32($0) } ?? -2
    counters = MappingCounters(mapping, names: cohort.names)
    idleCounters = mapping.forReengagements.map { MappingCounters($0, names: cohort.names) }
  }

  /// Replays one user from the first launch to the last event.
  mutating func replay(_ user: CohortUser) {
    ends.removeAll(keepingCapacity: true)
    trace.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    isChainBroken = false
    lostByChain = 0
    if mapping.device == .skan3 {
      loss = losses?.draws(user: user.key, conversion: 0)
      replayRaises(user)
    } else if isInstallAlone {
      loss = losses?.draws(user: user.key, conversion: 0)
      replayWindows(
        PlannedConversion(
          kind: .install, start: 0, end: .max,
          events: Int(user.events.lowerBound)..<Int(user.events.upperBound), share: nil), 0)
    } else {
      let plan = rules.plan(user, in: cohort, markers: markers)
      for (index, conversion) in plan.enumerated() {
        loss = losses?.draws(user: user.key, conversion: index)
        replayWindows(conversion, index)
      }
    }
  }

  /// The conversions that the user makes: when, in seconds since install.
  func starts(of user: CohortUser) -> [Int64] {
    markers.isEmpty ? [0] : rules.plan(user, in: cohort, markers: markers).map(\.start)
  }

  // MARK: SKAdNetwork 3

  private mutating func replayRaises(_ user: CohortUser) {
    counters.reset()
    var device = SKAdNetwork3Device()
    // What the app has set; where updates get lost, the device has less.
    var set = 0
    // Registering sets 0 already, so that a rule for 0 is reported once and changes nothing.
    var isZeroTold = false
    var total: Int64 = 0
    var inTime: Int64 = 0
    var atUpdate: Int64 = 0
    raise(&device, &set, &isZeroTold)
    let cohort = self.cohort
    let events = cohort.events.span
    for index in Int(user.events.lowerBound)..<Int(user.events.upperBound) {
      let event = events[index]
      let seconds = max(Int64(event.secondsSinceInstall), counters.now)
      if event.currency == currency { total = total.addingHeld(event.micros) }
      guard isOpen(at: event) else {
        waiting.append(index)
        if seconds < device.timerEnd { inTime = total }
        continue
      }
      if !waiting.isEmpty {
        // The app counts one after the other, and updates the value where one asks for it.
        for earlier in waiting {
          counters.feed(events[earlier], at: seconds)
          if seconds < device.timerEnd, raise(&device, &set, &isZeroTold) { atUpdate = total }
        }
        waiting.removeAll(keepingCapacity: true)
      }
      counters.feed(event, at: seconds)
      guard seconds < device.timerEnd else {
        guard seconds < min(mapping.fineEnd, horizon) else { break }
        let rule = counters.fineRule()
        if rule >= 0, Int(mapping.fine[rule].value) > device.value {
          isChainBroken = true
          lostByChain = total.subtractingHeld(atUpdate)
        }
        continue
      }
      inTime = total
      if raise(&device, &set, &isZeroTold) { atUpdate = total }
    }
    ends.append(
      WindowEnd(
        conversion: 0, kind: .install, start: 0, window: .first, fine: Int8(device.value), coarse: -1,
        prepared: device.timerEnd, revenue: inTime, revenueAtUpdate: atUpdate))
  }

  @inline(__always)
  private func isOpen(at event: CohortEvent) -> Bool { opens.isEmpty || opens[Int(event.name)] }

  @discardableResult @inline(__always)
  private mutating func raise(
    _ device: inout SKAdNetwork3Device, _ set: inout Int, _ isZeroTold: inout Bool
  ) -> Bool {
    guard counters.now < mapping.fineEnd else { return false }
    let rule = counters.fineRule()
    guard rule >= 0 else { return false }
    let value = Int(mapping.fine[rule].value)
    let isCall = value > set
    set = max(set, value)
    if isCall, loss?.isNextLost() == true { return false }
    let isRise = isCall && device.update(to: value, at: counters.now) == .raised
    if isRise || value == 0 && device.value == 0 && !isZeroTold {
      isZeroTold = true
      if isTracing {
        trace.append(
          TracedUpdate(
            time: counters.now, window: 0, fine: Int8(value), coarse: -1, lock: false, cause: .fine(rule)))
      }
    }
    return isRise
  }

  // MARK: Windows

  private mutating func replayWindows(_ conversion: PlannedConversion, _ number: Int) {
    changeCounters(for: conversion.kind.conversionType ?? .install)
    counters.reset()
    waiting.removeAll(keepingCapacity: true)
    // What the app has set; where updates get lost, the device that sends the postbacks has less.
    var app = WindowedDevice()
    var device = WindowedDevice()
    var revenue: InlineArray<3, Int64> = [0, 0, 0]
    var atUpdate: InlineArray<3, Int64> = [0, 0, 0]
    var firstUpdate = Int64.max
    if set(on: &app, &device) { firstUpdate = 0 }
    let cohort = self.cohort
    let events = cohort.events.span
    for index in conversion.events {
      let event = events[index]
      if let share = conversion.share, !share.includes(event, at: index) { continue }
      let seconds = max(Int64(event.secondsSinceInstall), 0) - conversion.start
      guard isOpen(at: event) else {
        waiting.append(index)
        // Its money is the user's in the window in which it came, whether the app ever learns of it or not.
        let window = ConversionWindow.allCases.count { $0.seconds.upperBound <= max(seconds, counters.now) }
        guard window < 3 else { break }
        if event.currency == currency { revenue[window] = revenue[window].addingHeld(event.micros) }
        continue
      }
      if !waiting.isEmpty {
        for earlier in waiting {
          counters.feed(events[earlier], at: seconds)
          if counters.window < 3, set(on: &app, &device) {
            atUpdate[counters.window] = revenue[counters.window]
            firstUpdate = min(firstUpdate, counters.now)
          }
        }
        waiting.removeAll(keepingCapacity: true)
      }
      counters.feed(event, at: seconds)
      let window = counters.window
      guard window < 3 else { break }
      if event.currency == currency { revenue[window] = revenue[window].addingHeld(event.micros) }
      if set(on: &app, &device) {
        atUpdate[window] = revenue[window]
        firstUpdate = min(firstUpdate, counters.now)
      }
    }
    if conversion.kind == .reengagement, firstUpdate >= AppleTimers.reengagementDeadline { return }
    if conversion.end < .max { device.end(at: conversion.end - conversion.start) }
    for window in ConversionWindow.allCases {
      guard let prepared = device.prepared(window) else { continue }
      let slot = device[window]
      ends.append(
        WindowEnd(
          conversion: number, kind: conversion.kind, start: conversion.start, window: window, fine: slot.fine,
          coarse: slot.coarse, prepared: prepared, revenue: revenue[window.rawValue],
          revenueAtUpdate: atUpdate[window.rawValue]))
    }
  }

  private mutating func changeCounters(for type: ConversionType) {
    guard type != countedType, let other = idleCounters else { return }
    idleCounters = counters
    counters = other
    countedType = type
  }

  /// Lets the app call the device where a rule asks for other values than those that it has set; whether the device
  /// takes them.
  @inline(__always)
  private mutating func set(on app: inout WindowedDevice, _ device: inout WindowedDevice) -> Bool {
    let window = counters.window
    guard window < 3, !app[window].isLocked else { return false }
    var fine = app[window].fine
    var coarse = app[window].coarse
    var cause: RuleReference?
    var locks = false
    if window == 0, counters.now < mapping.fineEnd {
      let index = counters.fineRule()
      if index >= 0 {
        let rule = mapping.fine[index]
        if !mapping.isRaiseOnly || rule.value >= fine {
          if fine != rule.value || (rule.coarse >= 0 && rule.coarse != coarse) || rule.lock {
            cause = .fine(index)
          }
          fine = rule.value
          if rule.coarse >= 0 { coarse = rule.coarse }
          locks = rule.lock
        }
      }
    }
    let index = counters.coarseRule()
    if index >= 0 {
      let rule = mapping.coarse[window][index]
      if !mapping.isRaiseOnly || rule.value >= coarse {
        if coarse != rule.value || rule.lock {
          cause = cause ?? .coarse(ConversionWindow.allCases[window], index)
        }
        coarse = rule.value
        locks = locks || rule.lock
      }
    }
    guard let cause else { return false }
    app.update(fine: fine, coarse: coarse, lock: locks, at: counters.now, window: window)
    // The app does not learn that a call came to nothing, and makes the next one when another value is due.
    if loss?.isNextLost() == true { return false }
    let isCounted = device.update(fine: fine, coarse: coarse, lock: locks, at: counters.now, window: window)
    if isTracing {
      trace.append(
        TracedUpdate(
          time: counters.now, window: window, fine: fine, coarse: coarse, lock: locks, cause: cause))
    }
    return isCounted
  }
}
