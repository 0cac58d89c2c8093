@testable import MappingFormats
@testable import Mappings
import Postbacks
import Values

/// What Meta's SDK does with a user's events.
///
/// Source: facebook-ios-sdk, `SKAdNetworkReporter` and `SKAdNetworkReporterV2`.
struct MetaReporter: Sendable {
  /// A call of Apple's interface.
  enum Update: Hashable, Sendable {
    case fine(Int, time: Int64)
    /// A coarse value, with the fine value that was sent last, or 0.
    case coarse(CoarseValue, fine: Int, time: Int64)
  }

  /// Something the app logged.
  struct Event: Hashable, Sendable {
    /// Seconds since install.
    let time: Int64
    /// The event's name.
    let name: String
    /// The currency, in whatever case; `nil` means the default one.
    let currency: String?
    let amount: Amount?

    init(time: Int64, name: String, currency: String? = nil, amount: Amount? = nil) {
      self.time = time
      self.name = name
      self.currency = currency
      self.amount = amount
    }
  }

  let configuration: MetaConfiguration
  /// Whether windows and coarse values are known, as from SKAdNetwork 4 on.
  let hasWindows: Bool
  private(set) var record = MetaRecord()
  /// The fine value that was sent last.
  private(set) var fine: Int?
  private(set) var coarse: CoarseValue?

  private let knownEvents: Set<String>

  /// Starts with a user of which nothing is known.
  init(_ configuration: MetaConfiguration, hasWindows: Bool) {
    self.configuration = configuration
    self.hasWindows = hasWindows
    knownEvents = configuration.fineEvents.union(configuration.coarseEvents).union(Self.standardEvents)
  }

  /// Adds an event and returns the calls that it leads to; one before install is in no window and leads to none.
  mutating func log(_ event: Event) -> [Update] {
    guard event.time >= 0 else { return [] }
    let isCutOff = MetaConfiguration.isCutOff(
      secondsSinceInstall: event.time, cutoffDays: configuration.cutoffDays)
    if !hasWindows, isCutOff { return [] }
    guard note(event) else { return [] }
    var updates: [Update] = []
    if !isCutOff,
      let rule = configuration.rules.first(where: { $0.value > fine ?? -1 && $0.holds(for: record) })
    {
      fine = rule.value
      updates.append(.fine(rule.value, time: event.time))
    }
    let window = MetaConfiguration.window(secondsSinceInstall: event.time)
    if hasWindows, let rules = configuration.coarse.first(where: { $0.window == window })?.rules,
      let rule = rules.first(where: { $0.holds(for: record) })
    {
      coarse = rule.value
      updates.append(.coarse(rule.value, fine: fine ?? 0, time: event.time))
    }
    return updates
  }

  /// Notes an event; `false` when nothing changed by it.
  private mutating func note(_ event: Event) -> Bool {
    guard knownEvents.contains(event.name) else { return false }
    let isNew = record.events.insert(event.name).inserted
    guard let amount = event.amount else { return isNew }
    // A currency that no fine rule names is booked as the default one without a rate.
    let named = event.currency?.uppercased() ?? configuration.defaultCurrency
    let currency = configuration.currencies.contains(named) ? named : configuration.defaultCurrency
    let sum = record.amounts[event.name]?[currency] ?? .zero
    record.amounts[event.name, default: [:]][currency] = sum.adding(amount).sum
    return true
  }

  /// The events that are noted even where no rule names them, so that a later configuration can.
  static let standardEvents: Set<String> = [
    "fb_mobile_level_achieved", "fb_mobile_add_payment_info", "fb_mobile_add_to_cart",
    "fb_mobile_add_to_wishlist", "fb_mobile_complete_registration", "fb_mobile_tutorial_completion",
    "fb_mobile_initiated_checkout", "fb_mobile_purchase", "fb_mobile_rate", "fb_mobile_search",
    "fb_mobile_spent_credits", "fb_mobile_achievement_unlocked", "fb_mobile_content_view", "Contact",
    "CustomizeProduct", "Donate", "FindLocation", "Schedule", "StartTrial", "SubmitApplication", "Subscribe",
    "AdImpression", "AdClick",
  ]
}
