import EventFiles
import FuzzLaws
import Simulation
import System
import Values

/// One user in words, so that users of differently numbered cohorts can be compared.
struct CohortText: Hashable, Comparable, CustomStringConvertible {
  let key: UInt64
  let campaign: String?
  let origin: UserOrigin?
  let events: [String]
  /// `nil` where it is not compared.
  var installed: Instant?

  static func < (a: Self, b: Self) -> Bool { (a.key, a.events.count) < (b.key, b.events.count) }

  var description: String { "\(key) \(campaign ?? "organic") \(origin, default: "") \(events)" }

  /// The users of a population, in an order that does not depend on the parts.
  static func users(_ population: Population, installs: Bool = false) throws -> [CohortText] {
    var users: [CohortText] = []
    try population.forEachCohort { cohort in
      for user in cohort.users {
        let events = user.events.map { index in
          let event = cohort.events[Int(index)]
          let money =
            event.currency < 0
            ? nil : Money(Amount(micros: event.micros), cohort.names.currencies[Int(event.currency)])
          return text(
            Int64(event.secondsSinceInstall), cohort.names.events[Int(event.name)], money,
            event.tag < 0 ? nil : cohort.names.tags[Int(event.tag)])
        }
        users.append(
          CohortText(
            key: user.key, campaign: user.campaign < 0 ? nil : cohort.names.campaigns[Int(user.campaign)],
            origin: user.origin < 0 ? nil : cohort.names.origins[Int(user.origin)],
            events: events, installed: installs ? user.installed : nil))
      }
    }
    return users.sorted()
  }

  /// The same users as the slow reader knows them.
  static func users(_ users: [UserEvents.User]) -> [CohortText] {
    let isOneCampaign = users.allSatisfy { $0.campaign == nil }
    return users.map { user in
      CohortText(
        key: Cohort.key(of: user.name), campaign: isOneCampaign ? "all-users" : user.campaign,
        origin: user.origin,
        events: user.events.map { text($0.secondsSinceInstall, $0.name, $0.revenue, $0.conversionTag) })
    }.sorted()
  }

  private static func text(_ seconds: Int64, _ name: String, _ money: Money?, _ tag: String?) -> String {
    "\(seconds) \(name) \(money.map(\.description) ?? "-")\(tag.map { " #\($0)" } ?? "")"
  }
}

extension PopulationReader {
  /// Reads bytes in chunks of a size.
  func read(_ bytes: [UInt8], chunk: Int = .max) throws -> Population {
    try read(Self.source(bytes, chunk: chunk))
  }

  /// Reads bytes in chunks of a size, and gives each user.
  func read(_ bytes: [UInt8], chunk: Int = .max, each visit: (UserHistory) -> Void) throws -> Population {
    try read(Self.source(bytes, chunk: chunk), each: visit)
  }

  private static func source(_ bytes: [UInt8], chunk: Int) -> () -> [UInt8]? {
    var rest = bytes[...]
    return {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
  }
}

/// Reads with the slow reader.
func slowUsers(_ bytes: [UInt8], currency: CurrencyCode) throws -> [UserEvents.User] {
  var file = EventFile(currency: currency)
  var events = UserEvents()
  // Line by line, so that the first mistake is met first.
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  for (index, line) in lines.enumerated() {
    let end: [UInt8] = index + 1 < lines.count ? [UInt8(ascii: "\n")] : []
    for row in try file.append(line + end) { try events.add(row) }
  }
  for row in try file.finish() { try events.add(row) }
  return try events.users()
}
