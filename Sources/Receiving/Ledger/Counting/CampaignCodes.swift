/// The names of the numbers of dimensions, while postbacks are counted.
struct CampaignCodes {
  static let none = Self(networks: [:], publishers: [:], marketplaces: [:])

  /// The names by their numbers in the tables.
  let networks: [Int64: String]
  let publishers: [Int64: String]
  let marketplaces: [Int64: String]

  /// The places of different codes of a dimension, in the order of rows.
  func order(_ dimension: CampaignDimension, _ codes: [Int64]) -> [Int] {
    guard let rank = dimension.definition.rank else {
      let texts = codes.map { dimension.definition.value($0, self)?.text ?? "" }
      return codes.indices.sorted {
        texts[$0] == texts[$1]
          ? codes[$0] < codes[$1] : texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8)
      }
    }
    let ranks = codes.map(rank)
    return codes.indices.sorted { ranks[$0] < ranks[$1] }
  }

  func word(of dimension: CampaignDimension, _ code: Int64) -> String {
    dimension.definition.value(code, self)?.text ?? CampaignDimension.none
  }
}
