import Campaigns
import Ledger
import Postbacks

/// What postbacks show above Apple's privacy thresholds alone.
struct ShownDetails: Hashable, Comparable, Sendable {
  var publisher: String?
  var country: String?

  static func < (a: Self, b: Self) -> Bool {
    isBefore(a.publisher, b.publisher) ?? isBefore(a.country, b.country) ?? false
  }

  /// Whether one text is before another one, after all of which comes none; `nil` where they are equal.
  private static func isBefore(_ one: String?, _ other: String?) -> Bool? {
    guard one != other else { return nil }
    guard let one, let other else { return one != nil }
    return one < other
  }

  /// Whether nothing that these show is otherwise there.
  func agree(with other: Self) -> Bool {
    (publisher == nil || publisher == other.publisher) && (country == nil || country == other.country)
  }
}

/// What distinguishes rows of estimates besides apps, networks, campaigns and times.
struct EstimateTraits: Hashable, Comparable, Sendable {
  var outcome: Outcome?
  /// What the row's campaigns are called, in the dimensions that were asked for.
  var label = CampaignLabel.none
  private var labelWords: [String] = []
  /// `nil` where rows are not distinguished by what only some postbacks show.
  var shown: ShownDetails?

  /// - Parameter match: What the campaign is called on the day.
  init(
    _ campaign: EstimatedCampaign, by dimensions: [EstimateDimension], _ match: () -> CampaignNames.Match
  ) {
    outcome = campaign.outcome
    let names = dimensions.ofNames
    guard !names.isEmpty else { return }
    label = CampaignLabel(match(), names)
    labelWords = label.key(names)
  }

  static func < (a: Self, b: Self) -> Bool {
    let (one, other) = (a.outcome?.rawValue ?? "", b.outcome?.rawValue ?? "")
    if one != other { return one < other }
    if a.labelWords != b.labelWords { return a.labelWords.lexicographicallyPrecedes(b.labelWords) }
    guard let own = a.shown, let others = b.shown else { return false }
    return own < others
  }
}
