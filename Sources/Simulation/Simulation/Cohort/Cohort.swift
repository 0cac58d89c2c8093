public import Postbacks
public import Values

/// Something a user did, with its texts as indices into ``CohortNames``; 24 bytes.
public struct CohortEvent: Equatable, Sendable {
  /// Its revenue, in millionths of the currency's unit; negative for a refund, 0 without a currency.
  public let micros: Int64
  /// Seconds since the first launch; what lies before it counts as at the first launch.
  public let secondsSinceInstall: Int32
  /// The event's name, an index into ``CohortNames/events``.
  public let name: Int32
  /// The currency, an index into ``CohortNames/currencies``; -1 when the event has nothing to do with money.
  public let currency: Int32
  /// The conversion tag that the app updates with, an index into ``CohortNames/tags``; -1 without a tag.
  ///
  /// The event that begins a conversion has the tag of that one.
  public let tag: Int32

  public init(
    secondsSinceInstall: Int32, name: Int32, currency: Int32 = -1, micros: Int64 = 0, tag: Int32 = -1
  ) {
    self.micros = micros
    self.secondsSinceInstall = secondsSinceInstall
    self.name = name
    self.currency = currency
    self.tag = tag
  }
}

public struct CohortUser: Equatable, Sendable {
  /// The user's number in every random draw; see ``Cohort/key(of:)``.
  public let key: UInt64
  /// When the app was launched first.
  public let installed: Instant
  /// The campaign of the user, an index into ``CohortNames/campaigns``; -1 for an organic user.
  public let campaign: Int32
  /// Where the user came from, an index into ``CohortNames/origins``; -1 where nothing is known of it.
  public let origin: Int32
  /// Where the user's events lie in ``Cohort/events``, by rising time.
  public let events: Range<Int32>

  public init(
    key: UInt64, installed: Instant, campaign: Int32, origin: Int32 = -1, events: Range<Int32>
  ) {
    self.key = key
    self.installed = installed
    self.campaign = campaign
    self.origin = origin
    self.events = events
  }
}

/// Where a user came from, as far as it is known.
public struct UserOrigin: Hashable, Sendable {
  /// The app that showed the ad.
  public let sourceApp: AppID?
  /// The country that the app was installed in, such as `DE`.
  public let country: String?
  /// What stands for the country and is neither a code nor a name; then ``country`` is unknown.
  public let unreadCountry: String?

  /// Nothing is known.
  public static let unknown = UserOrigin(sourceApp: nil, country: nil)

  public init(sourceApp: AppID?, country: String?, unreadCountry: String? = nil) {
    self.sourceApp = sourceApp
    self.country = country
    self.unreadCountry = unreadCountry
  }
}

/// The texts that the numbers in a cohort stand for.
public struct CohortNames: Equatable, Sendable {
  public var events: [String]
  public var currencies: [CurrencyCode]
  public var campaigns: [String]
  /// Where users came from.
  public var origins: [UserOrigin]
  /// Conversion tags; where there is any, the app updates conversions by their tags.
  public var tags: [String]

  public init(
    events: [String] = [], currencies: [CurrencyCode] = [], campaigns: [String] = [],
    origins: [UserOrigin] = [], tags: [String] = []
  ) {
    self.events = events
    self.currencies = currencies
    self.campaigns = campaigns
    self.origins = origins
    self.tags = tags
  }
}

/// A part of a population, small enough for memory; what is counted in several parts can be merged.
///
/// Cohorts need not share their names: results are kept by the text of a campaign, not by its index. All of one
/// user's events belong into one cohort.
public struct Cohort: Sendable {
  /// What the indices stand for.
  public let names: CohortNames
  /// The events of all users, one user after the other.
  public let events: [CohortEvent]
  public let users: [CohortUser]

  /// The moments that an install can have: some ten thousand years around ours.
  public static let installs = Instant(seconds: -400_000_000_000)...Instant(seconds: 400_000_000_000)

  /// Joins the columns.
  ///
  /// `nil` when an index or a range points outside of its table, or an install lies outside of ``installs``.
  public init?(names: CohortNames, events: [CohortEvent], users: [CohortUser]) {
    let isWhole =
      events.allSatisfy { event in
        names.events.indices.contains(Int(event.name))
          && (event.currency == -1 || names.currencies.indices.contains(Int(event.currency)))
          && (event.tag == -1 || names.tags.indices.contains(Int(event.tag)))
      }
      && users.allSatisfy { user in
        Self.installs.contains(user.installed) && user.events.lowerBound >= 0
          && Int(user.events.upperBound) <= events.count
          && (user.campaign == -1 || names.campaigns.indices.contains(Int(user.campaign)))
          && (user.origin == -1 || names.origins.indices.contains(Int(user.origin)))
      }
    guard isWhole else { return nil }
    self.names = names
    self.events = events
    self.users = users
  }

  /// Returns the number that stands for a user's name in every draw, the same on every machine.
  ///
  /// Source: Fowler, Noll, Vo, "FNV-1a", 64 bits.
  public static func key(of user: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in user.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// Returns the number that stands for a user's name in UTF-8; the same as for the text.
  public static func key(of user: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in user.indices { hash = (hash ^ UInt64(user[index])) &* 0x100_0000_01B3 }
    return hash
  }
}
