import Values

/// Where the numbers of a dimension come from, by which postbacks are counted, and what they stand for; -1 stands for none.
struct DimensionDefinition: Sendable {
  enum Codes: Sendable {
    /// Of the source, of which groups have one number for all its dimensions.
    case ofSource(@Sendable (PostbackFacts.Source) -> Int64)
    /// Of the day by the clock of the question, which copies have too.
    case ofDay(@Sendable (Day) -> Int64)
    /// Of the campaign's digits, as many as the question keeps, which copies have too.
    case ofCampaign
    /// Of columns of single postbacks, at once for all that were selected, in so many bits with a sign.
    case ofPostbacks([FactBlock.Column], bits: UInt64, @Sendable (FactSum, FactBlock) -> [Int64])

    /// What a column has, in which 0 stands for none.
    static func column(_ column: FactBlock.Column, bits: UInt64 = 32) -> Self {
      .ofPostbacks([column], bits: bits) { $0.column(column, $1) { $0 == 0 ? -1 : $0 } }
    }

    var ofSource: (@Sendable (PostbackFacts.Source) -> Int64)? {
      if case .ofSource(let code) = self { code } else { nil }
    }

    var columns: [FactBlock.Column] {
      switch self {
      case .ofSource, .ofDay: []
      case .ofCampaign: [.campaign]
      case .ofPostbacks(let columns, _, _): columns
      }
    }

    var bits: UInt64 { if case .ofPostbacks(_, let bits, _) = self { bits } else { 32 } }
  }

  let codes: Codes
  /// A number of a code in the order of rows; `nil` where rows are in the order of the texts, none first.
  let rank: (@Sendable (Int64) -> Int64)?
  let value: @Sendable (Int64, CampaignCodes) -> DimensionValue?

  init(
    _ codes: Codes, rank: (@Sendable (Int64) -> Int64)? = { $0 },
    _ value: @escaping @Sendable (Int64, CampaignCodes) -> DimensionValue?
  ) {
    (self.codes, self.rank, self.value) = (codes, rank, value)
  }
}
