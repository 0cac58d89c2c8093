import Postbacks
import Values

/// What a population's counts mean under a privacy threshold model.
///
/// A group is the conversions of one UTC day. For tiers, the campaigns that share the last two or three digits of their
/// source identifiers share those groups, and groups are separate by the app that showed the ad, where it is known;
/// those of AdAttributionKit by the country of the install, too. The other models are rules of thumb about campaigns.
/// Source: Apple, "Receiving postbacks in multiple conversion windows", of either framework.
public struct Crowd: Sendable {
  public let model: CrowdModel
  /// What the campaigns are called on the wire.
  public let directory: CampaignDirectory
  /// The conversions of each campaign and day.
  private let sizes: [String: [Int32: Int]]
  /// The users of each campaign and week, by the number of its Monday and by their final value.
  private let values: [String: [Int32: [Int]]]
  /// The conversions of each form of a source identifier, origin and day.
  private let forms: [Form: [Int32: Int]]

  private struct Form: Hashable {
    let source: SourceIdentifier
    let origin: UserOrigin
  }

  /// - Parameter share: The share of all users that were counted, above 0 and at most 1; groups are those of all.
  public init(_ counts: CrowdCounts, model: CrowdModel, share: Double = 1) {
    self.model = model
    values = counts.values.mapValues { weeks in weeks.mapValues { $0.map { Self.whole($0, share) } } }
    var sizes: [String: [Int32: Int]] = [:]
    for (group, days) in counts.conversions {
      sizes[group.campaign, default: [:]].merge(days, uniquingKeysWith: +)
    }
    self.sizes = sizes.mapValues { days in days.mapValues { Self.whole($0, share) } }
    directory = CampaignDirectory(Array(sizes.keys))
    var forms: [Form: [Int32: Int]] = [:]
    for (group, days) in counts.conversions {
      for source in directory.sourceIdentifiers[group.campaign]?.forms ?? [] {
        forms[Form(source: source, origin: group.origin), default: [:]].merge(days, uniquingKeysWith: +)
      }
    }
    self.forms = forms.mapValues { days in days.mapValues { Self.whole($0, share) } }
  }

  /// How large a group is of which some users were drawn by chance, as one of them sees it.
  ///
  /// Besides that user there are as many more as the share makes of the others. Dividing all of them by the share would take a lone user
  /// for a group.
  private static func whole(_ drawn: Int, _ share: Double) -> Int {
    drawn < 2 || share >= 1 ? drawn : 1 + Int(Int64(nearest: Double(drawn - 1) / share))
  }

  /// Returns how many conversions a campaign has on a day.
  func size(_ campaign: String, day: Int32) -> Int { sizes[campaign]?[day] ?? 0 }

  /// Returns the tier of a group on a day and how many digits are sent.
  func pick(_ rule: TierRule, _ group: CrowdGroup, day: Int32) -> (tier: Int, digits: Int) {
    let sources = directory.sourceIdentifiers[group.campaign]?.forms ?? []
    return rule.pick(sources.map { forms[Form(source: $0, origin: group.origin)]?[day] ?? 0 })
  }

  /// Returns how many users of a campaign and week end with each value.
  func values(_ campaign: String, week monday: Day) -> [Int] { values[campaign]?[monday.number] ?? [] }
}

/// The users who convert through one campaign and are of one origin; the groups of a model are sums of these.
struct CrowdGroup: Hashable, Sendable {
  let campaign: String
  /// Where they come from, as far as the model and the version look at it.
  let origin: UserOrigin
}

/// How many users a campaign has on each day, gathered in a first pass; parts can be merged in any order.
public struct CrowdCounts: Equatable, Sendable {
  /// Conversions by group and UTC day of conversion, counted in days since 1970-01-01.
  var conversions: [CrowdGroup: [Int32: Int]] = [:]
  /// Users by campaign, Monday of the week of conversion and final value; only gathered for ``CrowdModel/value(_:)``.
  public internal(set) var values: [String: [Int32: [Int]]] = [:]

  /// The places of ``values``: 64 fine values, then three coarse ones of each window.
  static let valuePlaces = 64 + 9

  public init() {}

  /// Adds the counts of other users.
  public mutating func merge(_ other: CrowdCounts) {
    conversions.merge(other.conversions) { $0.merging($1, uniquingKeysWith: +) }
    values.merge(other.values) { mine, theirs in
      mine.merging(theirs) { a, b in
        var sum = a
        sum.add(b)
        return sum
      }
    }
  }
}

extension SourceIdentifier {
  /// The forms that can be sent: the last two digits, the last three, all four, as far as there are so many.
  var forms: [SourceIdentifier] { (2...text.utf8.count).compactMap { shortened(toLast: $0) } }
}
