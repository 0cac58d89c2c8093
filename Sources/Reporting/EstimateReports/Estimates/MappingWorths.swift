import Estimates
import Ledger
import MappingLibrary
import Mappings
import MeasuredUsers
import Postbacks
import Values

/// What the values of every version of every mapping are worth.
struct MappingWorths: Sendable {
  private var worths: [InstallCells.Scheme: MappingWorth] = [:]
  /// Of how many campaigns the own users of a version are at most who show how far users of a value differ.
  private(set) var ownCampaigns = 0
  /// Whether what own users paid adds up to more than the largest amount somewhere.
  private(set) var didSaturate = false
  private var horizons: [InstallCells.Scheme: Set<WorthHorizon>] = [:]

  init(
    _ catalog: MappingCatalog, _ rows: [ValueWorthRow], within: [WithinValueRow], horizon: WorthHorizon,
    event: String?
  ) {
    for (app, history) in catalog.histories {
      for (version, mapping) in history.versions.enumerated() {
        let own = rows.filter { $0.app == app && $0.effectiveFrom == mapping.effectiveFrom }
        let within = WithinValueLaw(
          within.filter {
            $0.app == app && $0.effectiveFrom == mapping.effectiveFrom && $0.horizon == horizon
          })
        ownCampaigns = max(ownCampaigns, within.groups)
        didSaturate = didSaturate || own.contains { $0.horizon == horizon && $0.didSaturate }
        let types: [ConversionType?] = mapping.isByConversionType ? ConversionType.allCases + [nil] : [nil]
        for type in types {
          let scheme = InstallCells.Scheme(app: app, version: version, type: type)
          // Own users came by an install; they do not show what a re-engagement's value is worth.
          let own = type == .reengagement ? [] : own
          worths[scheme] = MappingWorth(
            mapping, type: type, own: own, within: within, horizon: horizon, event: event)
          horizons[scheme] = Set(own.map(\.horizon))
        }
      }
    }
  }

  /// `nil` where no own user is known for the horizon.
  subscript(scheme: InstallCells.Scheme) -> MappingWorth? { worths[scheme] }

  /// What a postback with a value is worth on average.
  func mean(_ scheme: InstallCells.Scheme, _ value: ConversionValue, _ meaning: Meaning) -> Double {
    switch value {
    case .fine(let value): self[scheme]?.worth.buckets[Int(value.number)].mean ?? 0
    case .coarse(let value): self[scheme]?.mean(of: value, meaning) ?? 0
    case .absent, .rejected: 0
    }
  }

  /// Whether own users of any mapping version of these apps, or of all if there are none, are known for the horizon.
  func knowHorizon(of apps: [AppID]) -> Bool {
    worths.keys.contains { apps.isEmpty || apps.contains($0.app) }
  }

  /// The days since install for which own users are known.
  func horizons(of scheme: InstallCells.Scheme) -> [Int] {
    (horizons[scheme] ?? []).compactMap { if case .days(let days) = $0 { days } else { nil } }.sorted()
  }
}

/// What the values of one version of a mapping are worth, in money or in users of an event.
struct MappingWorth: Sendable {
  let worth: CodeWorth
  /// How many of the advertiser's own users have each value; `nil` where none are known.
  let users: [Double]?
  private let coarse: [CoarseValue: Double]
  /// What an own user is worth on average; `nil` where the mapping states what values are worth.
  private let mean: Double?
  private let event: String?

  /// `nil` where no own user is known for a horizon of which the mapping has nothing.
  ///
  /// - Parameters:
  ///   - type: The type of the conversions; with `nil`, they can be of any.
  ///   - own: What is known of own users under it.
  ///   - within: How far campaigns differ within a value, by groups of own users.
  ///   - horizon: Up to when revenue counts.
  ///   - event: The event that is counted; `nil` for revenue.
  init?(
    _ mapping: Mapping, type: ConversionType?, own: [ValueWorthRow], within: WithinValueLaw = .unknown,
    horizon: WorthHorizon, event: String?
  ) {
    var counts = [Double](repeating: 0, count: 64)
    for row in own where row.horizon == .firstWindow && counts.indices.contains(row.value) {
      counts[row.value] = Double(row.users)
    }
    users = counts.reduce(0, +) > 0 ? counts : nil
    self.event = event
    let rows = own.filter { $0.horizon == horizon && $0.currency == mapping.currency.text && $0.users > 0 }
    let fine = rows.filter { counts.indices.contains($0.value) }
    if fine.isEmpty, horizon != .firstWindow { return nil }
    worth = CodeWorth(
      mapping, type: type, own: Dictionary(fine.map { ($0.value, KnownUsers($0)) }, uniquingKeysWith: { $1 }),
      event: event, isOfFirstWindow: horizon == .firstWindow, within: within)
    coarse = Dictionary(
      uniqueKeysWithValues: zip(CoarseValue.allCases, 0...).compactMap { value, step in
        rows.first { $0.value == ValueWorthRow.firstCoarseValue + step }.map { (value, KnownUsers($0).mean) }
      })
    let everyone = fine.reduce(0) { $0 + $1.users }
    mean =
      horizon == .firstWindow
      ? nil : fine.reduce(0) { $0 + Double($1.micros) } / 1e6 / Double(max(1, everyone))
  }

  func mean(of value: CoarseValue, _ meaning: Meaning) -> Double {
    guard event == nil else { return CodeWorth.mean(of: meaning, event: event) }
    return coarse[value] ?? mean ?? CodeWorth.mean(of: meaning, event: nil)
  }
}

extension KnownUsers {
  init(_ row: ValueWorthRow) {
    self.init(
      users: Int(row.users), sum: Double(row.micros) / 1e6, squares: row.squares, cubes: row.cubes,
      amounts: row.amounts.map { Double($0) / 1e6 })
  }
}
