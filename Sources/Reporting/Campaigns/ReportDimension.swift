package import Arguments
package import Ledger

/// What rows of a campaign report are grouped by.
package enum ReportDimension: Equatable, ParameterValue {
  case stored(CampaignDimension)
  /// What people call their campaigns.
  case named(NameDimension)

  static let all = CampaignDimension.allCases.map(Self.stored) + NameDimension.allCases.map(Self.named)

  package static let kind = ValueKind.choice(all.map(\.parameterText))
  package static let placeholder = "NAME"

  package init?(parameter text: String) {
    guard let found = Self.all.first(where: { $0.parameterText == text }) else { return nil }
    self = found
  }

  package var parameterText: String {
    switch self {
    case .stored(let dimension): dimension.rawValue
    case .named(let dimension): dimension.rawValue
    }
  }
}

/// What imported names have of a campaign.
package enum NameDimension: String, CaseIterable, Sendable {
  case name
  case adSet = "ad-set"
  case creative
  case country = "named-country"
}

/// What a row's campaigns are called, in the dimensions that were asked for.
package struct CampaignLabel: Hashable {
  /// What stands for digits that several names fit.
  package static let ambiguous = "ambiguous"

  private var words: [NameDimension: String] = [:]

  package static let none = Self()

  private init() {}

  package init(_ match: CampaignNames.Match, _ dimensions: [NameDimension]) {
    for dimension in dimensions {
      switch match {
      case .unknown: break
      case .ambiguous: words[dimension] = Self.ambiguous
      case .known(let row): words[dimension] = row.word(dimension)
      }
    }
  }

  package subscript(dimension: NameDimension) -> String? { words[dimension] }

  /// The same with only some dimensions.
  func keeping(_ dimensions: [NameDimension]) -> Self {
    var label = self
    label.words = words.filter { dimensions.contains($0.key) }
    return label
  }

  /// The words of some dimensions, none as an empty one.
  package func key(_ dimensions: [NameDimension]) -> [String] { dimensions.map { words[$0] ?? "" } }
}

extension CampaignNameRow {
  func word(_ dimension: NameDimension) -> String? {
    switch dimension {
    case .name: name
    case .adSet: adSet
    case .creative: creative
    case .country: country
    }
  }
}
