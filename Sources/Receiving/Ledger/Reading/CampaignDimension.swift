import Postbacks
public import Values

/// What the rows of a campaign report are distinguished by.
///
/// One that is computed takes a case and its ``definition`` here, and its `terms` in the report on campaigns.
public enum CampaignDimension: String, Hashable, Sendable, CaseIterable {
  case day, week, month, app, network, campaign, version, window, outcome, interaction, publisher, country
  case marketplace, tier

  /// The word for a postback that lacks it, in conditions.
  public static let none = "none"

  var definition: DimensionDefinition {
    switch self {
    case .day: .init(.ofDay { Int64($0.number) }) { code, _ in .day(Day(code: code)) }
    case .week: .init(.ofDay { Int64($0.monday.number) }) { code, _ in .day(Day(code: code)) }
    case .month: .init(.ofDay { Int64($0.startOfMonth.number) }) { code, _ in .month(Day(code: code)) }
    case .app: .init(.ofSource { $0.app }) { code, _ in AppID(code).map { .app($0) } }
    case .network: .init(.ofSource { $0.network }) { code, names in names.networks[code].map { .word($0) } }
    case .campaign:
      .init(.ofCampaign, rank: { CampaignDigits(number: $0 >> 1).rank | ($0 & 1) << 56 }) { code, _ in
        Campaign(digits: CampaignDigits(number: code >> 1).text, isSourceIdentifier: code & 1 == 1)
          .map { .campaign($0) }
      }
    case .version:
      .init(.ofSource { $0.version }) { code, _ in
        decoded(code, by: \ProtocolVersion.code).map { .version($0) }
      }
    case .window:
      .init(.ofSource { $0.window }) { code, _ in ConversionWindow(rawValue: Int(code)).map { .window($0) } }
    case .outcome:
      .init(.ofSource { $0.outcome }) { code, _ in decoded(code, by: \Outcome.code).map { .outcome($0) } }
    case .interaction:
      .init(.ofPostbacks([.detail], bits: 4) { $0.column(.detail, $1) { $0 / PostbackFacts.slots - 1 } }) {
        code, _ in decoded(code, by: \AdInteraction.code).map { .interaction($0) }
      }
    case .publisher:
      .init(.column(.publisher), rank: nil) { code, names in names.publishers[code].map { .word($0) } }
    case .country:
      .init(.column(.country, bits: 24), rank: nil) { code, _ in PostbackFacts.country(code).map { .word($0) }
      }
    case .marketplace:
      .init(.column(.marketplace), rank: nil) { code, names in names.marketplaces[code].map { .word($0) } }
    case .tier:
      .init(.ofPostbacks([.campaign, .country, .publisher], bits: 4) { $0.tiers($1) }) { code, _ in
        PostbackTier(rawValue: Int(code)).map { .number($0.rawValue) }
      }
    }
  }

  /// Whether only single postbacks have it, so that the totals of campaigns do not.
  public var isOfPostbacks: Bool { if case .ofPostbacks = definition.codes { true } else { false } }

  /// Whether the day of arrival decides it.
  public var isOfDays: Bool { if case .ofDay = definition.codes { true } else { false } }

  /// What a day has in it; `nil` where no day decides it.
  public func value(on day: Day) -> DimensionValue? {
    guard case .ofDay(let code) = definition.codes else { return nil }
    return definition.value(code(day), .none)
  }
}

extension Day {
  fileprivate init(code: Int64) { self.init(number: Int32(truncatingIfNeeded: code)) }
}
