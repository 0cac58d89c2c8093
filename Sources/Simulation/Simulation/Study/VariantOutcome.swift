public import System
public import Values

/// What came of one variant of a study over all runs, with the campaigns' figures in a file where they are many.
public struct VariantOutcome: Sendable {
  /// The campaigns, that with the most users first, equal ones by name.
  public let campaigns: [String]
  /// All campaigns together.
  public let total: RunSummary
  /// Users of no campaign; the same in every run.
  public let organicUsers: Int
  /// Their revenue within the horizon.
  public let organicRevenue: MoneySum
  /// Total revenue of all users in other currencies.
  public let otherRevenue: [CurrencyCode: MoneySum]
  /// The error of each campaign; see ``RunSummary/meanError``.
  let errors: [Double?]
  private let spool: WordSpool
  /// Where the figures of each campaign lie.
  private let places: [Range<Int>]

  /// The most words that are read at once.
  private static let most = 1 << 16

  init(
    campaigns: [String], total: RunSummary, organicUsers: Int, organicRevenue: MoneySum,
    otherRevenue: [CurrencyCode: MoneySum], errors: [Double?], spool: WordSpool, places: [Range<Int>]
  ) {
    self.campaigns = campaigns
    self.total = total
    self.organicUsers = organicUsers
    self.organicRevenue = organicRevenue
    self.otherRevenue = otherRevenue
    self.errors = errors
    self.spool = spool
    self.places = places
  }

  /// Gives the campaigns in order, at most so many.
  ///
  /// - Throws: What `body` throws, or `FileError` where the file cannot be read.
  public func forEachCampaign(
    most: Int = .max, _ body: (_ campaign: String, _ figures: RunSummary) throws -> Void
  ) throws {
    let count = min(most, campaigns.count)
    var next = 0
    while next < count {
      // Those that were done together lie side by side.
      var end = next + 1
      while end < count, places[end].lowerBound == places[end - 1].upperBound,
        places[end].upperBound - places[next].lowerBound <= Self.most
      {
        end += 1
      }
      let start = places[next].lowerBound
      let words = try spool.read(start..<places[end - 1].upperBound)
      for place in next..<end {
        let range = places[place].lowerBound - start..<places[place].upperBound - start
        guard let figures = RunSummary(words: words[range]) else {
          throw ScratchFile.damage()
        }
        try body(campaigns[place], figures)
      }
      next = end
    }
  }
}

extension VariantOutcome {
  /// Joins outcomes that are in memory, one for each run, at least one.
  public init(_ runs: [SimulationOutcome]) throws(FileError) {
    let names = runs.reduce(into: Set<String>()) { $0.formUnion($1.campaigns.keys) }
    let rows = names.sorted().map { name in
      (name: name, figures: RunSummary(runs.map { $0.campaigns[name] ?? CampaignOutcome() }))
    }.ordered { ($1.figures.sum.installs, $0.name) < ($0.figures.sum.installs, $1.name) }
    let spool = WordSpool()
    var places: [Range<Int>] = []
    for row in rows { places.append(try spool.append(row.figures.words)) }
    self.init(
      campaigns: rows.map(\.name), total: RunSummary(runs.map(\.total)), organicUsers: runs[0].organicUsers,
      organicRevenue: runs[0].organicRevenue, otherRevenue: runs[0].otherRevenue,
      errors: rows.map(\.figures.meanError), spool: spool, places: places)
  }
}
