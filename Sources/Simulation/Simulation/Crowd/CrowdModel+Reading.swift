/// A text that names no privacy threshold model.
public enum CrowdModelDefect: Error, Equatable, Sendable {
  /// The word before the colon is not known.
  case unknownModel(String)
  /// The numbers behind the colon are missing, too many, or out of range.
  case badNumbers(model: String, numbers: String)

  /// The reason as a sentence, with what would be right.
  public var sentence: String {
    let allowed =
      "none, hard:120, logistic:45 or logistic:45,0.35, tiers or tiers:10,45,200, value:5, "
      + CrowdModel.presets.map(\.name).joined(separator: ", ")
    return switch self {
    case .unknownModel(let word): "there is no privacy threshold model '\(word)'; use \(allowed)"
    case .badNumbers(let model, let numbers):
      "'\(numbers)' is invalid after '\(model)'; numbers are above 0 and at most a billion, and tiers "
        + "do not fall; use \(allowed)"
    }
  }
}

extension CrowdModel {
  private static let largest = 1_000_000_000

  /// Reads a model: a name, or a word with its numbers, like `logistic:45,0.35`.
  ///
  /// - Throws: ``CrowdModelDefect`` when the text names no model.
  public init(_ text: String) throws(CrowdModelDefect) {
    if let preset = Self.presets.first(where: { $0.name == text }) {
      self = preset.model
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let model = parts[0]
    guard ["none", "hard", "logistic", "tiers", "value"].contains(model) else {
      throw .unknownModel(text)
    }
    let read = parts.count > 1 ? Self.model(model, numbers: parts[1]) : Self.model(model)
    guard let read else { throw .badNumbers(model: model, numbers: parts.count > 1 ? parts[1] : "") }
    self = read
  }

  private static func model(_ word: String) -> CrowdModel? {
    switch word {
    case "none": CrowdModel.none
    case "tiers": .tiers(.standard)
    default: nil
    }
  }

  private static func model(_ word: String, numbers text: String) -> CrowdModel? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let whole = words.compactMap { Int($0) }.filter { (1...largest).contains($0) }
    let isWhole = whole.count == words.count
    switch (word, words.count) {
    case ("hard", 1) where isWhole: return .hard(HardThreshold(installsPerDay: whole[0]))
    case ("value", 1) where isWhole: return .value(ValueAnonymity(users: whole[0]))
    case ("tiers", 3) where isWhole: return TierRule(whole[0], whole[1], whole[2]).map { .tiers($0) }
    case ("logistic", 1...2):
      // Comparing with a range also rejects what is not a number.
      let numbers = words.compactMap { Double(String($0)) }.filter { $0 > 0 && $0 <= Double(largest) }
      guard numbers.count == words.count else { return nil }
      return .logistic(
        numbers.count == 1
          ? LogisticReveal(median: numbers[0]) : LogisticReveal(median: numbers[0], slope: numbers[1]))
    default: return nil
    }
  }
}
