/// The conversions of this device: report what the user does to it, and make the calls that it returns.
///
/// ```swift
/// var conversions = try AppConversions(mapping: AppMapping(document: bytes), store: store)
/// let purchase = AppEvent(name: "purchase", time: now, micros: 4_990_000, currency: "EUR")
/// for update in try conversions.launch(at: now) + conversions.record(purchase) {
///   // Make the call, then:
///   try conversions.confirm(update)
/// }
/// ```
///
/// The state is saved before an update is returned. If the app ends before it confirms the update, the next
/// ``launch(at:)`` returns it again, as long as its window lasts.
///
/// **Time** never runs backwards: after the clock was set back, events count at the latest time seen so far, until the
/// clock is past it again. No window reopens, and the timer of SKAdNetwork 3 does not start again. After the clock was
/// set ahead, the windows that it passed stay closed, because a wrong clock looks the same as a device that lay
/// in a drawer: there are fewer updates, and none in a wrong window of the mapping.
///
/// **A conversion keeps its version** of the mapping to its end, as the server decodes it. A version that is handed in
/// later counts for re-engagements that begin later.
///
/// **A state that cannot be read** is started anew: its counters begin at nothing, and what was sent, which is saved a
/// second time, is a floor that no update goes below. Where both are unreadable, or the document of the conversion is
/// gone, what was sent under which mapping is not known; that conversion then gets no further update.
///
/// When an error is thrown, nothing was counted, and the same call can be made again.
public struct AppConversions<Store: StateStore> {
  /// How the state of an earlier launch was read.
  public enum Recovery: Hashable, Sendable {
    /// Whole, or there was none.
    case none
    /// Its counters were lost; what was sent is known.
    case restarted
    /// Everything was lost; the conversion gets no further update.
    case lost
  }

  /// Milliseconds since 1970 of 9999-12-31T23:59:59.999Z, the latest time that is accepted.
  private static var latestTime: Int64 { 253_402_300_799_999 }

  /// The version that conversions which begin now follow.
  public private(set) var mapping: AppMapping
  /// How the state of an earlier launch was read.
  public private(set) var recovery = Recovery.none
  /// How the app's re-engagements are set up.
  public let reengagements: ReengagementRules
  private var store: Store
  private var state = AppState()
  private var versions: [UInt64: AppMapping] = [:]
  /// What is saved as ``AppState/sentItem``.
  private var savedSent: [UInt8] = []

  /// Takes up what an earlier launch saved.
  ///
  /// - Parameters:
  ///   - mapping: The version in force: the newest document from the server, or else the one that the app was built with.
  ///   - store: Where the state is.
  ///   - reengagements: How the app's re-engagements are set up in its `Info.plist`.
  /// - Throws: What the store throws.
  public init(
    mapping: AppMapping, store: Store, reengagements: ReengagementRules = ReengagementRules()
  ) throws {
    self.mapping = mapping
    self.store = store
    self.reengagements = reengagements
    try takeUp()
  }

  /// Hands in a newer version, for conversions that begin from now on.
  public mutating func use(_ mapping: AppMapping) { self.mapping = mapping }

  /// Lets the app start; the first time, the conversion of the install begins.
  ///
  /// - Parameter time: Milliseconds since 1970 by the device's clock.
  /// - Returns: The first update, if a rule applies to users without any event; later, unconfirmed updates.
  /// - Throws: What the store throws.
  public mutating func launch(at time: Int64) throws -> [AppUpdate] {
    try change { conversions in
      let isFirst = conversions.state.conversions.isEmpty
      let now = conversions.advance(to: time)
      return isFirst ? conversions.begin(.install, tag: nil, at: now) : conversions.repeatedUpdates(at: now)
    }
  }

  /// Lets the user come back through an ad, which begins a conversion of its own under AdAttributionKit.
  ///
  /// Nothing begins under SKAdNetwork, or while a cooldown lasts. The first call of all begins the conversion of the
  /// install, as ``launch(at:)`` does.
  ///
  /// - Parameters:
  ///   - tag: The value of `AdAttributionKitReengagementOpen` in the address that opened the app, at most 64 bytes;
  ///     `nil` for a longer one or where there is none.
  ///   - time: Milliseconds since 1970 by the device's clock.
  /// - Returns: The first update, if a rule applies to users without any event.
  /// - Throws: What the store throws.
  public mutating func reengage(tag: String?, at time: Int64) throws -> [AppUpdate] {
    try change { conversions in
      let isFirst = conversions.state.conversions.isEmpty
      let now = conversions.advance(to: time)
      if isFirst { return conversions.begin(.install, tag: nil, at: now) }
      guard conversions.mapping.device == .aak, !conversions.isCoolingDown(at: now) else { return [] }
      return conversions.begin(.reengagement, tag: tag.flatMap { $0.utf8.count <= 64 ? $0 : nil }, at: now)
    }
  }

  /// Counts an event; the first one begins the conversion of the install where ``launch(at:)`` did not.
  ///
  /// - Parameter event: The event; its time can lie before earlier ones', and then counts as theirs.
  /// - Returns: The updates to make now, in this order.
  /// - Throws: What the store throws.
  public mutating func record(_ event: AppEvent) throws -> [AppUpdate] {
    try change { conversions in
      let isFirst = conversions.state.conversions.isEmpty
      let now = conversions.advance(to: event.time)
      var updates = isFirst ? conversions.begin(.install, tag: nil, at: now) : []
      if let index = conversions.index(for: event) {
        let seconds = (now - conversions.state.conversions[index].start) / 1000
        if let version = conversions.version(of: index) {
          conversions.state.conversions[index].count(event, at: seconds, under: version)
          if let update = conversions.state.conversions[index].update(under: version) {
            updates.append(update)
          }
        }
      }
      return updates
    }
  }

  /// Lets an install of a random share show, in a coarse value of a later window, whether another source attributes it
  /// too, such as AdServices or a consented identifier.
  ///
  /// It takes a mapping with a window whose low value has the event `overlap-no`, and whose high value has `overlap-yes`.
  /// Call it at each launch once the answer is known: an install stays in the share or outside of it, and the value is set
  /// while the window lasts.
  ///
  /// - Parameters:
  ///   - share: The part of installs that show it, 0 through 1.
  ///   - time: Milliseconds since 1970 by the device's clock.
  /// - Returns: The updates to make now, in this order.
  /// - Throws: What the store throws.
  public mutating func recordOverlap(isAttributed: Bool, share: Double, at time: Int64) throws -> [AppUpdate]
  {
    let first = state.conversions.isEmpty ? try launch(at: time) : []
    guard let start = state.conversions.last?.start, OverlapShare.includes(start: start, share: share) else {
      return first
    }
    let name = isAttributed ? OverlapShare.attributed : OverlapShare.notAttributed
    return first + (try record(AppEvent(name: name, time: time)))
  }

  /// Takes note that the device accepted an update.
  public mutating func confirm(_ update: AppUpdate) throws {
    guard
      let index = state.conversions.firstIndex(where: { $0.isUnconfirmed && $0.isLast(update) })
    else { return }
    _ = try change { conversions in
      conversions.state.conversions[index].isUnconfirmed = false
      return []
    }
  }

  /// The size of the state in the store now, in bytes, both items together.
  public var stateBytes: Int { state.encoded(withCounters: true).count + savedSent.count }

  public var savedStore: Store { store }

  // MARK: Conversions

  private mutating func advance(to time: Int64) -> Int64 {
    state.latest = max(state.latest, min(max(0, time), Self.latestTime))
    return state.latest
  }

  private mutating func begin(_ type: AppConversionType, tag: String?, at now: Int64) -> [AppUpdate] {
    if !reengagements.areOverlapping { state.conversions = [] }
    state.conversions.removeAll { (now - $0.start) / 1000 >= AppTimers.windowEnds[2] }
    var conversion = AppConversion(
      type: type, tag: tag, mapping: mapping.id, start: now,
      counters: Array(repeating: 0, count: mapping.counters.keys.count))
    let update = conversion.update(under: mapping)
    state.conversions.append(conversion)
    versions[mapping.id] = versions[mapping.id] ?? mapping
    return update.map { [$0] } ?? []
  }

  private func isCoolingDown(at now: Int64) -> Bool {
    guard let last = state.conversions.last else { return false }
    let hours =
      last.type == .install ? reengagements.installCooldownHours : reengagements.reengagementCooldownHours
    return (now - last.start) / 1000 < Int64(min(max(0, hours), 720)) * 3600
  }

  /// The conversion that an event counts for: the one of its tag, or the most recent one.
  private func index(for event: AppEvent) -> Int? {
    let newest = state.conversions.indices.last
    guard let tag = event.conversionTag, let newest, version(of: newest)?.device == .aak else {
      return newest
    }
    return state.conversions.lastIndex { $0.tag == tag }
  }

  private func version(of index: Int) -> AppMapping? { versions[state.conversions[index].mapping] }

  private func repeatedUpdates(at now: Int64) -> [AppUpdate] {
    state.conversions.indices.compactMap { index in
      let conversion = state.conversions[index]
      guard conversion.isUnconfirmed, let version = version(of: index) else { return nil }
      return conversion.repeated(at: (now - conversion.start) / 1000, under: version)
    }
  }

  // MARK: Saving

  /// Changes the state and saves it, or changes nothing.
  private mutating func change(_ body: (inout Self) -> [AppUpdate]) throws -> [AppUpdate] {
    let (before, versionsBefore) = (state, versions)
    let updates = body(&self)
    do {
      try save(since: before)
    } catch {
      (state, versions) = (before, versionsBefore)
      throw error
    }
    return updates
  }

  private mutating func save(since before: AppState) throws {
    guard state != before else { return }
    var (bytes, sent) = (state.encoded(withCounters: true), sentBytes(since: before))
    // The oldest conversions are given up; their windows end with what was set.
    while bytes.count + sent.count > AppState.mostBytes, state.conversions.count > 1 {
      state.conversions.removeFirst()
      (bytes, sent) = (state.encoded(withCounters: true), sentBytes(since: before))
    }
    let used = Set(state.conversions.map(\.mapping))
    for id in used.subtracting(before.conversions.map(\.mapping)) {
      guard let version = versions[id] else { continue }
      try store.save(sealed(version.document), as: AppState.documentItem(id))
    }
    try store.save(bytes, as: AppState.stateItem)
    // Second, so that it never knows of an update that the state does not know of.
    if sent != savedSent {
      try store.save(sent, as: AppState.sentItem)
      savedSent = sent
    }
    for id in Set(before.conversions.map(\.mapping)).subtracting(used) {
      try store.remove(AppState.documentItem(id))
      versions[id] = nil
    }
  }

  /// What was sent; the bytes that are saved already where only the time and the counters went on.
  private func sentBytes(since before: AppState) -> [UInt8] {
    let isSame = state.conversions.map(\.sent) == before.conversions.map(\.sent)
    return isSame && !savedSent.isEmpty ? savedSent : state.encoded(withCounters: false)
  }

  // MARK: Taking up

  private mutating func takeUp() throws {
    let bytes = try store.load(AppState.stateItem)
    let sent = try store.load(AppState.sentItem)
    guard bytes != nil || sent != nil else { return }
    if let known = bytes.flatMap({ AppState($0, withCounters: true) }) {
      state = known
    } else if let known = sent.flatMap({ AppState($0, withCounters: false) }) {
      state = known
      recovery = .restarted
    } else {
      state.conversions = [AppConversion(type: .install, tag: nil, mapping: 0, start: 0, counters: [])]
      recovery = .lost
    }
    // The state stays what it is in memory until something happens; then both items are saved.
    let isSentWhole = sent.flatMap { AppState($0, withCounters: false) } != nil
    savedSent = recovery == .none && isSentWhole ? sent ?? [] : []
    let isRestart = recovery == .restarted
    for index in state.conversions.indices {
      guard let version = try loadVersion(state.conversions[index].mapping) else {
        recovery = .lost
        continue
      }
      let count = version.counters.keys.count
      guard isRestart || state.conversions[index].counters.count != count else { continue }
      state.conversions[index].counters = Array(repeating: 0, count: count)
      state.conversions[index].isRestarted = true
      if recovery == .none { recovery = .restarted }
    }
  }

  private mutating func loadVersion(_ id: UInt64) throws -> AppMapping? {
    if let known = versions[id] { return known }
    let document = try store.load(AppState.documentItem(id)).flatMap(unsealed)
    var version = document.flatMap { $0 == mapping.document ? mapping : try? AppMapping(document: $0) }
    if version?.id != id, mapping.id == id {
      version = mapping
      try store.save(sealed(mapping.document), as: AppState.documentItem(id))
    }
    guard let version, version.id == id else { return nil }
    versions[id] = version
    return version
  }
}

extension AppConversions: Sendable where Store: Sendable {}

/// How an app's re-engagements are set up in its `Info.plist`.
///
/// Source: Apple, "AdAttributionKitConfigurations".
public struct ReengagementRules: Hashable, Sendable {
  /// Whether older conversions go on beside a newer one: `EligibleForAdAttributionKitOverlappingConversions`.
  public var areOverlapping = false
  /// Hours after an install in which no re-engagement begins, 0 through 720.
  public var installCooldownHours = 0
  /// Hours after a re-engagement in which no other begins, 0 through 720.
  public var reengagementCooldownHours = 0

  /// Makes the rules of an app that configures nothing.
  public init() {}
}
