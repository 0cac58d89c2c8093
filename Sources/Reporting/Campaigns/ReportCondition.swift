package import Arguments
import Ledger
import Postbacks
import Values

/// A condition of a campaign report as people write it, such as `country=US,DE` or `publisher!=none`.
package struct ReportCondition: ParameterValue, Equatable {
  package static let kind = ValueKind.form(
    .either([Sentence(name: "DIMENSION=VALUE,..."), Sentence(name: "DIMENSION!=VALUE,...")]))
  package static let placeholder = "CONDITION"
  package static let separator: Character = ";"

  package let parameterText: String

  package init?(parameter text: String) {
    guard text.contains("=") else { return nil }
    parameterText = text
  }

  enum Meaning: Hashable {
    case stored(CampaignCondition)
    /// What people call their campaigns.
    case named(NameCondition)
  }

  /// What it names.
  ///
  /// - Throws: ``ParameterError`` for a dimension or a value that there cannot be, with the nearest one.
  func meaning() throws(ParameterError) -> Meaning {
    let parts = parameterText.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isExcluded = parts[0].hasSuffix("!")
    let name = String(isExcluded ? parts[0].dropLast() : parts[0])
    let values = parts[1].split(separator: ",").map(String.init)
    guard let found = ReportDimension(parameter: name) else {
      throw unfit(
        Sentence("there is no dimension '\(name: name)'"), name, ReportDimension.all.map(\.parameterText))
    }
    guard !values.isEmpty else {
      throw ParameterError(
        "where", Sentence("found '\(name: parameterText)', which names no value; add one or more."))
    }
    let dimension: CampaignDimension
    switch found {
    case .named(let dimension):
      return .named(NameCondition(dimension: dimension, isExcluded: isExcluded, patterns: values))
    case .stored(let stored): dimension = stored
    }
    for value in values where !value.contains("*") {
      guard let words = dimension.words else {
        if let form = dimension.form, !form.holds(value) {
          throw ParameterError(
            "where", Sentence("found '\(name: value)' for \(code: name); use \(form.expectation)."))
        }
        continue
      }
      guard !words.contains(value.lowercased()) else { continue }
      throw unfit(Sentence("\(code: name) is never '\(name: value)'"), value, words)
    }
    return .stored(CampaignCondition(dimension, isExcluded: isExcluded, values))
  }

  private func unfit(_ found: Sentence, _ word: String, _ words: [String]) -> ParameterError {
    let kind = ValueKind.choice(words)
    guard let meant = nearest(to: word, among: words) else {
      return ParameterError("where", Sentence("\(found); use \(kind.expectation)."))
    }
    return ParameterError(
      "where", Sentence("\(found); use \(kind.expectation). Did you mean '\(code: meant)'?"))
  }
}

extension CampaignDimension {
  /// All words of the dimension, in lower case; `nil` where there are any number.
  fileprivate var words: [String]? {
    switch self {
    case .version: ProtocolVersion.allCases.map(\.rawValue)
    case .window: ConversionWindow.allCases.map { "\($0.rawValue + 1)" }
    case .outcome: Outcome.allCases.map(\.rawValue)
    case .interaction: AdInteraction.allCases.map(\.rawValue) + [Self.none]
    case .tier: PostbackTier.allCases.map(\.text) + [Self.none]
    case .day, .week, .month, .app, .network, .campaign, .publisher, .country, .marketplace: nil
    }
  }

  /// What words of the dimension look like; `nil` for any text.
  fileprivate var form: (expectation: Sentence, holds: (String) -> Bool)? {
    switch self {
    case .day:
      (Sentence("a day such as 2026-11-21, or a pattern such as 2026-11-*"), { Day($0) != nil })
    case .week:
      (Sentence("the Monday of a week, such as 2026-11-16"), { Day($0).map { $0 == $0.monday } ?? false })
    case .month: (Sentence("a month such as 2026-11"), { Day($0 + "-01") != nil })
    case .app: (Sentence("an App Store number"), { Int64($0).map { $0 >= 0 } ?? false })
    case .campaign:
      (
        Sentence("the digits of a campaign, or a pattern such as 52*"),
        { Int64($0).map { $0 >= 0 } ?? false }
      )
    case .country:
      (
        Sentence("two letters such as US, \(code: Country.other) or \(code: Self.none)"),
        {
          [Country.other, Self.none].contains($0.lowercased())
            || Country.word(for: $0.uppercased()) != Country.other
        }
      )
    case .network, .version, .window, .outcome, .interaction, .publisher, .marketplace, .tier: nil
    }
  }
}
