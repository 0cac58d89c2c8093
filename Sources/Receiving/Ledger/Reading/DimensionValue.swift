public import Postbacks
public import Values

/// What a row of a campaign report has in a dimension.
public enum DimensionValue: Hashable, Sendable {
  case day(Day)
  /// The first day of a month.
  case month(Day)
  case app(AppID)
  case campaign(Campaign)
  case version(ProtocolVersion)
  case window(ConversionWindow)
  case outcome(Outcome)
  case interaction(AdInteraction)
  case number(Int)
  case word(String)

  /// The value as reports and conditions write it.
  public var text: String {
    switch self {
    case .day(let day): day.description
    case .month(let day): day.monthText
    case .app(let app): "\(app.number)"
    case .campaign(let campaign): campaign.text
    case .version(let version): version.rawValue
    case .window(let window): "\(window.rawValue + 1)"
    case .outcome(let outcome): outcome.rawValue
    case .interaction(let interaction): interaction.rawValue
    case .number(let number): "\(number)"
    case .word(let word): word
    }
  }
}
