import Estimates
import Ledger
import Mappings
import Postbacks
import Values

/// What the 64 values of one version of a mapping are worth, in money or in users of an event.
struct MappingWorth {
  /// The worth by value.
  let worth: CodeWorth
  /// How many of the advertiser's own users have each value; `nil` where none are known.
  let users: [Double]?

  /// - Parameter type: The type of the conversions; with `nil`, they can be of any.
  init(_ mapping: Mapping, type: ConversionType?, own: [ValueWorthRow], event: String?) {
    var known: [Int: KnownUsers] = [:]
    var counts = [Double](repeating: 0, count: 64)
    for row in own where counts.indices.contains(row.value) {
      counts[row.value] = Double(row.users)
      guard row.currency == mapping.currency.text else { continue }
      known[row.value] = KnownUsers(
        users: Int(row.users), sum: Double(row.micros) / 1e6, squares: row.squares, cubes: row.cubes,
        amounts: row.amounts.map { Double($0) / 1e6 })
    }
    worth = CodeWorth(mapping, type: type, own: known, event: event)
    users = counts.reduce(0, +) > 0 ? counts : nil
  }
}
