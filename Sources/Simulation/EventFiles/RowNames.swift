import Simulation
import Values

/// The texts that the numbers in packed rows stand for, in the order in which rows first have them.
///
/// Memory grows with the number of different events, campaigns, conversion tags and origins, and of users where those
/// are kept.
struct RowNames: Sendable {
  var events = ByteTable()
  var campaigns = ByteTable()
  var tags = ByteTable()
  /// The users, where their names are kept; no row has a number of them.
  var users = ByteTable()
  private(set) var currencies: [CurrencyCode] = []
  private var origins: [UserOrigin] = []
  private var originNumbers: [UserOrigin: UInt32] = [:]

  /// The numbers that other names have here.
  struct Numbers {
    let events: [UInt32]
    let campaigns: [UInt32]
    let tags: [UInt32]
    let origins: [UInt32]
    let currencies: [Int]
  }

  /// Starts without texts.
  ///
  /// - Parameter home: The currency of amounts that name none, if there is one; its number is 0.
  init(home: CurrencyCode?) {
    if let home { currencies = [home] }
  }

  var names: CohortNames {
    CohortNames(
      events: events.texts, currencies: currencies, campaigns: campaigns.texts, origins: origins,
      tags: tags.texts)
  }

  /// Returns the number of an origin, a new one where it has none.
  mutating func number(of origin: UserOrigin) -> UInt32 {
    if let number = originNumbers[origin] { return number }
    originNumbers[origin] = UInt32(origins.count)
    origins.append(origin)
    return UInt32(origins.count - 1)
  }

  /// Returns the number of a currency, a new one where it has none.
  mutating func number(of currency: CurrencyCode) -> Int {
    if let number = currencies.firstIndex(of: currency) { return number }
    currencies.append(currency)
    return currencies.count - 1
  }

  /// Returns the numbers of the names of rows that follow, new ones where they have none.
  mutating func numbers(of others: RowNames) -> Numbers {
    _ = users.numbers(of: others.users)
    return Numbers(
      events: events.numbers(of: others.events), campaigns: campaigns.numbers(of: others.campaigns),
      tags: tags.numbers(of: others.tags), origins: others.origins.map { number(of: $0) },
      currencies: others.currencies.map { number(of: $0) })
  }
}
