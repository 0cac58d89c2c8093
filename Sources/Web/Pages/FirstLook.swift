import Ledger
import Markup
import Postbacks
import Values

/// What a page shows whose address chooses neither environment nor days: those that have data.
struct FirstLook {
  /// What was chosen in place of the usual.
  struct Choice {
    /// The environment, where production has no postback and this one has.
    let environment: Environment?
    /// The last day with a postback, where the usual days have none.
    let lastDay: Day?
  }

  private(set) var address: PageAddress
  /// `nil` where all is as usual.
  private(set) var choice: Choice?

  /// The parameters of the days of a page.
  private static let days: Set<String> = ["from", "through", "last"]
  /// The length of the usual days, which end today.
  private static let usualDays: Int32 = 28

  init(_ screen: Screen, _ address: PageAddress, _ reader: LedgerReader, now: Instant) throws {
    self.address = address
    guard screen.parameterNames.contains("environment") else { return }
    var environment = Environment.production
    var chosen: Environment?
    let filled = try reader.environmentsWithConversions()
    if let name = address["environment"].first(where: { !$0.isEmpty }) {
      guard let known = Environment(rawValue: name) else { return }
      environment = known
    } else {
      if !filled.contains(.production), let other = Self.order.first(where: filled.contains) {
        (environment, chosen) = (other, other)
        self.address = self.address.with("environment", other.rawValue)
      }
    }
    var lastDay: Day?
    if screen.parameterNames.contains("last"),
      !address.items.contains(where: { Self.days.contains($0.name) && !$0.value.isEmpty })
    {
      var conversions = ConversionChoice()
      conversions.environment = environment
      conversions.apps = address["app"].flatMap { $0.split(separator: ",") }.compactMap {
        Int64($0).flatMap { AppID($0) }
      }
      // Mostly the last conversion of all is of these, which costs no look at the facts.
      let newest = try reader.newestConversion(until: now)?.day
      let isRecent = newest.map { $0.number > now.day.number - Self.usualDays } ?? false
      if !(isRecent && filled == [environment] && conversions.apps.isEmpty),
        let last = try reader.lastDay(of: conversions, until: now.day)?.day,
        last.number <= now.day.number - Self.usualDays
      {
        lastDay = last
        self.address = self.address.with("through", last.description)
      }
    }
    if chosen != nil || lastDay != nil { choice = Choice(environment: chosen, lastDay: lastDay) }
  }

  /// Environments besides production, the most useful first.
  private static let order: [Environment] = [.claimed, .test, .development]
}
