import Ledger
import Postbacks
import Values

/// What would have rows where a question has none, so that a slip in a name does not look like a quiet campaign.
struct CampaignAlternatives: Sendable {
  /// Networks with postbacks, all else being as asked.
  private(set) var networks: [String] = []
  /// Apps with postbacks, all else being as asked.
  private(set) var apps: [Int64] = []
  /// For each condition that alone leaves nothing, what there is of its dimension.
  private(set) var words: [(condition: Condition, words: [String])] = []
  /// Environments with postbacks, all else being as asked.
  private(set) var environments: [Environment] = []

  struct Condition {
    let dimension: String
    let isExcluded: Bool
    let patterns: [String]
  }

  /// None, because the question has rows.
  static let none = Self()

  private init() {}

  init(to query: CampaignQuery, _ reader: LedgerReader) throws(LedgerError) {
    func rows(
      _ dimensions: [CampaignDimension], _ change: (inout CampaignQuery) -> Void
    ) throws(LedgerError) -> [CampaignRow] {
      var other = query
      other.dimensions = dimensions
      change(&other)
      return try reader.campaigns(other, decodingFor: []) { _, _ in }.rows
    }
    if !query.networks.isEmpty {
      networks = try rows([.network]) { $0.networks = [] }.compactMap(\.network).sorted()
    }
    if !query.apps.isEmpty { apps = try rows([.app]) { $0.apps = [] }.compactMap { $0.app?.number } }
    for (index, condition) in query.conditions.enumerated() {
      let found = try rows([condition.dimension]) { $0.conditions.remove(at: index) }
      let words = found.map { $0[condition.dimension]?.text ?? CampaignDimension.none }
      add(words, condition.dimension.rawValue, condition.isExcluded, condition.patterns)
    }
    for environment in Environment.allCases where environment != query.environment {
      if try !rows([], { $0.environment = environment }).isEmpty { environments.append(environment) }
    }
  }

  /// Adds what there is of each condition on names that alone leaves nothing, by what campaigns are called.
  mutating func add(_ naming: CampaignNaming, _ matches: [CampaignNames.Match]) {
    for (index, condition) in naming.conditions.enumerated() {
      var others = naming.conditions
      others.remove(at: index)
      let found = matches.filter { match in others.allSatisfy { $0.admits(match) } }
      add(
        Set(found.map(condition.word)).sorted(), condition.dimension.rawValue, condition.isExcluded,
        condition.patterns)
    }
  }

  private mutating func add(
    _ words: [String], _ dimension: String, _ isExcluded: Bool, _ patterns: [String]
  ) {
    guard !words.isEmpty else { return }
    self.words.append(
      (Condition(dimension: dimension, isExcluded: isExcluded, patterns: patterns), words))
  }

  func sentences(to query: CampaignQuery) -> [Sentence] {
    var lines: [Sentence] = []
    if !networks.isEmpty {
      let meant = query.networks.lazy.compactMap { nearest(to: $0.canonical, among: networks) }.first
      lines.append(Self.asking(Sentence("other networks have some: \(Self.list(networks))"), meant))
    }
    if !apps.isEmpty { lines.append(Sentence("other apps have some: \(Self.list(apps.map { "\($0)" }))")) }
    for (condition, words) in words {
      let meant =
        condition.isExcluded
        ? nil : condition.patterns.lazy.compactMap { nearest(to: $0, among: words) }.first
      lines.append(
        Self.asking(Sentence("there are some of \(code: condition.dimension) \(Self.list(words))"), meant))
    }
    if !environments.isEmpty {
      lines.append(
        .joined(
          [
            Sentence("there are some of another environment:"),
            .either(environments.map { Sentence(name: $0.rawValue) }),
          ], by: " "))
    }
    return lines
  }

  /// The first few names, and how many more there are.
  private static func list(_ names: [String]) -> Sentence {
    let shown = 5
    let list = Sentence.joined(names.prefix(shown).map { Sentence(name: $0) }, by: ", ")
    return names.count > shown ? Sentence("\(list) and \(names.count - shown) more") : list
  }

  private static func asking(_ sentence: Sentence, _ meant: String?) -> Sentence {
    meant.map { .joined([sentence, Sentence("did you mean '\(name: $0)'?")], by: "; ") } ?? sentence
  }
}
