import Postbacks

/// What a population's counts mean under a crowd model.
///
/// A crowd is the conversions of one UTC day; the displaying app is taken to be one and the same. For tiers, the
/// campaigns that share the last two or three digits of their source identifiers share those crowds.
public struct Crowd: Sendable {
  /// The model.
  public let model: CrowdModel
  /// What the campaigns are called on the wire.
  public let directory: CampaignDirectory
  private let counts: CrowdCounts
  /// The conversions of each form of a source identifier and day.
  private let forms: [SourceIdentifier: [Int32: Int]]

  /// Sums up the counts of the whole population.
  public init(_ counts: CrowdCounts, model: CrowdModel) {
    self.model = model
    self.counts = counts
    directory = CampaignDirectory(Array(counts.conversions.keys))
    var forms: [SourceIdentifier: [Int32: Int]] = [:]
    for (name, days) in counts.conversions {
      for form in directory.sourceIdentifiers[name]?.forms ?? [] {
        forms[form, default: [:]].merge(days, uniquingKeysWith: +)
      }
    }
    self.forms = forms
  }

  /// Returns how many conversions a campaign has on a day.
  func size(_ campaign: String, day: Int32) -> Int { counts.conversions[campaign]?[day] ?? 0 }

  /// Returns the tier of a campaign on a day and how many digits are sent.
  func pick(_ rule: TierRule, _ campaign: String, day: Int32) -> (tier: Int, digits: Int) {
    let forms = directory.sourceIdentifiers[campaign]?.forms ?? []
    return rule.pick(forms.map { self.forms[$0]?[day] ?? 0 })
  }

  /// Returns how many users of a campaign and week end with each value.
  func values(_ campaign: String, week: Int32) -> [Int] { counts.values[campaign]?[week] ?? [] }
}

extension SourceIdentifier {
  /// The forms that can be sent: the last two digits, the last three, all four, as far as there are so many.
  var forms: [SourceIdentifier] { (2...text.utf8.count).compactMap { shortened(toLast: $0) } }
}
