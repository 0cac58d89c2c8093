package import Arguments
import Ledger
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
      switch dimension.terms.accepted {
      case .any: break
      case .form(let expectation, let holds):
        guard !holds(value) else { continue }
        throw ParameterError(
          "where", Sentence("found '\(name: value)' for \(code: name); use \(expectation)."))
      case .words(let words):
        guard !words.contains(value.lowercased()) else { continue }
        throw unfit(Sentence("\(code: name) is never '\(name: value)'"), value, words)
      }
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
