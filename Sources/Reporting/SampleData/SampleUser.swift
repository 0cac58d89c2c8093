package import Mappings
package import Values

/// A user of the sample data: when it installed, by which campaign, and what it did.
package struct SampleUser {
  /// How an app earns money.
  package enum Kind: Sendable { case game, subscription, ads }

  let name: String
  let installed: Instant
  /// `nil` for one without an ad.
  let campaign: SampleStory.Campaign?
  let events: [UserEvent]

  private static let prices: [(upTo: Double, micros: Int64)] = [
    (0.5, 990_000), (0.78, 4_990_000), (0.92, 9_990_000), (0.98, 19_990_000), (1, 49_990_000),
  ]

  /// Makes up a user.
  ///
  /// - Parameter quality: How likely it pays, as a multiple of the average.
  init(
    _ name: String, of kind: Kind, in currency: CurrencyCode, installed: Instant,
    by campaign: SampleStory.Campaign?, quality: Double, _ random: inout SplitMix64
  ) {
    (self.name, self.installed, self.campaign) = (name, installed, campaign)
    events = Self.events(of: kind, in: currency, quality: quality, &random)
  }

  /// What a user does, by rising time.
  ///
  /// - Parameter quality: How likely it pays, as a multiple of the average.
  package static func events(
    of kind: Kind, in currency: CurrencyCode, quality: Double, _ random: inout SplitMix64
  ) -> [UserEvent] {
    var events: [UserEvent] = []
    func add(_ event: String, _ seconds: Double, _ micros: Int64? = nil) {
      events.append(
        UserEvent(
          secondsSinceInstall: Int64(seconds), name: event,
          revenue: micros.map { Money(micros: $0, currency: currency) }))
    }
    add("first_open", 0)
    switch kind {
    case .game:
      var time = 600.0
      while random.happens(0.62), time < 30 * 86_400 {
        time += wait(hours: 9, &random)
        add("ad_revenue", time, 10_000 + Int64(70_000 * random.fraction()))
      }
      guard random.happens(min(0.11 * quality, 0.9)) else { return events }
      time = 900
      repeat {
        time += wait(hours: 14, &random)
        let part = random.fraction()
        add("purchase", time, prices.first { part <= $0.upTo }?.micros ?? 990_000)
      } while random.happens(0.45)
    case .subscription:
      if random.happens(min(0.34 * quality, 0.9)) {
        add("trial_start", 300 + wait(hours: 0.4, &random))
        if random.happens(0.4) {
          // A trial of seven days turns into money by itself; the app sees it when it is opened next.
          add("subscribe", 7 * 86_400 + wait(hours: 10, &random), 9_990_000)
        }
      } else if random.happens(min(0.05 * quality, 0.5)) {
        add("subscribe", 600 + wait(hours: 6, &random), random.happens(0.3) ? 59_990_000 : 9_990_000)
      }
    case .ads:
      var time = 120.0
      while random.happens(min(0.7 * quality.squareRoot(), 0.92)), time < 8 * 86_400 {
        time += wait(hours: 7, &random)
        add("ad_revenue", time, 20_000 + Int64(180_000 * random.fraction()))
      }
    }
    return events
  }

  /// A time with a long tail, without a logarithm: the sum of halvings.
  private static func wait(hours: Double, _ random: inout SplitMix64) -> Double {
    var time = random.fraction() * hours
    while random.happens(0.5) { time += hours }
    return (time * 3600).rounded(.down)
  }
}
