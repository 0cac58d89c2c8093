import Arguments
import Campaigns
import Ledger
import Values

/// What rows of estimates are about; each is the sum of parts of campaigns, whose draws belong to one world, so that the
/// interval of a sum holds what its parts have in common.
///
/// Apple shows countries and publishers above its privacy thresholds alone, and never with a withheld value. Postbacks that do
/// not show them have rows of their own: nothing shows to which of the others they belong.
package enum EstimateDimension: String, CaseIterable, ParameterValue {
  case app, network, campaign, day, week, month, outcome, publisher, country, name
  case adSet = "ad-set"
  case creative
  case namedCountry = "named-country"

  /// The same as the report on campaigns has it, under the same word.
  var stored: [CampaignDimension] {
    self == .campaign
      ? [.app, .network, .campaign] : CampaignDimension(rawValue: rawValue).map { [$0] } ?? []
  }

  /// What imported names have of it; `nil` where it is not of names.
  var named: NameDimension? {
    switch self {
    case .name: .name
    case .adSet: .adSet
    case .creative: .creative
    case .namedCountry: .country
    case .app, .network, .campaign, .day, .week, .month, .outcome, .publisher, .country: nil
    }
  }

  /// Whether not all postbacks show it.
  var isPartlyShown: Bool { self == .publisher || self == .country }

  /// Whether single postbacks have it, and their ledger's campaigns do not.
  var isOfPostbacks: Bool { self == .outcome || isPartlyShown }
}

extension [EstimateDimension] {
  /// Whether what is paid can be divided by all of them.
  var areOfSpend: Bool { !contains(where: \.isOfPostbacks) }

  /// Whether anything but apps, networks, campaigns and times distinguishes rows.
  var haveTraits: Bool { contains { $0.isOfPostbacks || $0.named != nil } }

  /// What not all postbacks show, in words; `nil` where all show everything.
  var partlyShownText: Sentence? {
    let found = [EstimateDimension.publisher, .country].filter { contains($0) }
    return found.isEmpty ? nil : .either(found.map { Sentence(.init(stringLiteral: $0.rawValue)) })
  }

  var ofNames: [NameDimension] { compactMap(\.named) }

  /// Those of single postbacks, each once.
  var ofPostbacks: [CampaignDimension] {
    [EstimateDimension.outcome, .publisher, .country].filter { contains($0) }.flatMap(\.stored)
  }
}
