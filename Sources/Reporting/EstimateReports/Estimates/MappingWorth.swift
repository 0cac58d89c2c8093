import Estimates
import Ledger
import Mappings
import Postbacks
import Values

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
