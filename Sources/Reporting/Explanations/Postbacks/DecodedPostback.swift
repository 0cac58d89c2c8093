package import Ledger
package import MappingLibrary
package import Mappings
import Postbacks
package import Values

/// A stored postback with what its value means for the user.
package struct DecodedPostback: Sendable {
  package let postback: PostbackRow
  /// The meaning by its mapping; `nil` where the app has no mapping or the postback can have no value.
  package let expectation: Expectation?
  package let status: Status
  /// Whether its money and events add up with those of the conversion's other windows, and are not in there already.
  ///
  /// Where that is so under some of the versions that are possible only, money and events are those to be added.
  package let addsUp: Bool
  private let history: MappingHistory?

  /// What can become of a value; the raw value is the word in exports.
  package enum Status: String, Sendable {
    case decoded, unmapped, zero, null, impossible
    case noneExpected = "none-expected"
    case noMapping = "no-mapping"
  }

  fileprivate init(_ postback: PostbackRow, _ expectation: Expectation?, _ history: MappingHistory?) {
    self.postback = postback
    addsUp = expectation?.isAdditional ?? (postback.window == .first)
    self.history = history
    let hasMeaning =
      switch postback.value {
      case .fine, .coarse: postback.outcome != .assist
      case .absent, .rejected: false
      }
    self.expectation = hasMeaning ? expectation : nil
    status =
      switch (postback.outcome, postback.value, expectation?.status) {
      case (.assist, _, _): .noneExpected
      case (_, .absent, _): .null
      case (_, .rejected, _): .impossible
      case (_, _, .decoded):
        expectation?.readings.allSatisfy { $0.meaning == .zero } == true ? .zero : .decoded
      case (_, _, .unmapped): .unmapped
      case (_, _, .undated), (_, _, nil): .noMapping
      }
  }

  /// When the app can have been launched first: as the timers, locks and hours of the mappings that are possible allow,
  /// or without a mapping as Apple's timers alone do.
  package var launch: (earliest: Instant, latest: Instant) {
    if let delay = expectation?.delay {
      return (
        postback.receivedAt + -Int64(delay.longest * 3_600_000),
        postback.receivedAt + -Int64(delay.shortest * 3_600_000)
      )
    }
    return AppleTimers.firstLaunch(
      version: postback.version, window: postback.window, timers: postback.environment.timers,
      receivedAt: postback.receivedAt)
  }

  /// What is known of the user: where it adds up, the part that other windows do not hold already.
  package var worth: Expectation.Worth? { addsUp ? expectation?.additional : expectation?.whole }

  /// How sure the version of the mapping is: `certain`, `mixed`, `newest` for the newest of several that a device used
  /// for development can have followed, or nothing where none was in force.
  package var certainty: String? {
    switch expectation?.dating {
    case .certain: "certain"
    case .mixed: "mixed"
    case .newest: "newest"
    case .before, nil: nil
    }
  }

  /// Whether several versions of the mapping can have sent it.
  package var isMixed: Bool { expectation?.isMixed ?? false }

  package struct Version: Sendable {
    package let name: String
    package let from: Instant
    package let probability: Double
    /// The rules that can have set the value; `nil` where the version has none for it.
    package let label: Sentence?
  }

  package var versions: [Version] {
    guard let history, let expectation else { return [] }
    return expectation.readings.map { reading in
      let mapping = history.versions[reading.version]
      var label: Sentence?
      if case .rules(let rules) = reading.meaning {
        label = .joined(rules.map { mapping.title(of: $0.rule) }, by: " | ")
      }
      return Version(
        name: mapping.name, from: mapping.effectiveFrom, probability: reading.probability, label: label)
    }
  }
}

/// Decodes postbacks one by one, deciding each kind of value only once.
package struct PostbackDecoder {
  /// Kinds that are remembered; a month of hours of all values of an app is fewer.
  private static let capacity = 1 << 16

  private struct Kind: Hashable {
    let app: AppID
    let framework: PostbackKind
    let hasWindows: Bool
    let window: ConversionWindow
    let timers: DeviceTimers
    let value: ConversionValue
    let type: ConversionType?
    let hour: Int64
  }

  private let catalog: MappingCatalog
  private var known: [Kind: Expectation] = [:]

  package init(_ catalog: MappingCatalog) { self.catalog = catalog }

  package mutating func decode(_ postback: PostbackRow) -> DecodedPostback {
    let timers = postback.environment.timers
    let type = postback.outcome.conversionType
    let kind = Kind(
      app: postback.app, framework: postback.version.kind, hasWindows: postback.version.hasWindows,
      window: postback.window, timers: timers,
      value: postback.value, type: type, hour: postback.receivedAt.hour)
    let history = catalog.histories[postback.app]
    if let found = known[kind] { return DecodedPostback(postback, found, history) }
    let expectation = catalog.expectation(
      of: postback.value, app: postback.app, version: postback.version, window: postback.window,
      timers: timers, receivedAt: postback.receivedAt, type: type)
    if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
    known[kind] = expectation
    return DecodedPostback(postback, expectation, history)
  }
}

extension LedgerReader {
  /// Visits postbacks with what their values mean, in order of arrival, until `visit` returns false.
  func forEachDecoded(
    _ query: PostbackQuery, after row: Int64, _ visit: (DecodedPostback) -> Bool
  ) throws(LedgerError) {
    try consistently { () throws(LedgerError) in
      var decoder = PostbackDecoder(try MappingCatalog(from: self))
      try forEachPostback(query, after: row) { visit(decoder.decode($0)) }
    }
  }
}

extension PostbackRow {
  package var fine: Int64? { if case .fine(let value) = value { Int64(value.number) } else { nil } }

  package var coarse: String? { if case .coarse(let value) = value { value.rawValue } else { nil } }
}
