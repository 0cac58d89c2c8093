import System
import Values

/// The runs of every variant over the parts of a study's users, for several threads at a time.
final class VariantRuns: Sendable {
  /// What came of the parts that are done, of one variant.
  private struct Sums: Sendable {
    var total: RunSums
    /// Campaigns with users in several parts, by their places.
    var shared: [Int: RunSums] = [:]
    var organicUsers = 0
    var organicRevenue = MoneySum.zero
    var others: [MoneySum]
    var errors: [Double?]
    var places: [Range<Int>]
  }

  private let simulators: [Simulator]
  private let crowds: [Crowd]
  private let parts: UserParts
  private let currencies: [CurrencyCode]
  private let runs: Int
  private let spool = WordSpool()
  private let sums: [Guarded<Sums>]

  init(_ simulators: [Simulator], _ crowds: [Crowd], _ parts: UserParts, runs: Int) {
    self.simulators = simulators
    self.crowds = crowds
    self.parts = parts
    currencies = parts.currencies
    self.runs = runs
    let count = parts.order.campaigns.count
    let empty = Sums(
      total: RunSums(runs: runs), others: Array(repeating: .zero, count: parts.currencies.count),
      errors: Array(repeating: nil, count: count), places: Array(repeating: 0..<0, count: count))
    sums = simulators.map { _ in Guarded(empty) }
  }

  /// Runs every variant on one part.
  ///
  /// - Throws: `FileError` where a file cannot be read or written.
  func run(_ index: Int) throws(FileError) {
    let part = parts.order.parts[index]
    let cohort = try parts.cohort(at: index)
    guard !cohort.users.isEmpty else { return }
    for (variant, simulator) in simulators.enumerated() {
      let replayed = ReplayedUsers(simulator, cohort)
      var total = RunSums(runs: runs)
      var campaigns = part.campaigns.map { _ in RunSums(runs: runs) }
      var organic = (users: 0, revenue: MoneySum.zero)
      // Organic users send nothing, so that every run has the same of them.
      for run in 0..<(part.campaigns.isEmpty ? 1 : runs) {
        let work = simulator.run(cohort, replayed, crowd: crowds[variant], run: run)
        if run == 0 { organic = (work.organicUsers, work.organicRevenue) }
        for (place, outcome) in work.outcomes().enumerated() { campaigns[place].add(outcome, run: run) }
      }
      for campaign in campaigns { total.merge(campaign) }
      var errors: [Double?] = []
      var lengths: [Int] = []
      var words: [UInt64] = []
      if !part.isShared {
        for campaign in campaigns {
          let summary = campaign.summary
          let start = words.count
          words += summary.words
          errors.append(summary.meanError)
          lengths.append(words.count - start)
        }
      }
      let range = try spool.append(words)
      sums[variant].withLock { sums in
        // Organic users have no windows, and so none that add up.
        if !part.campaigns.isEmpty { sums.total.merge(total) }
        sums.organicUsers += organic.users
        sums.organicRevenue += organic.revenue
        for (currency, sum) in replayed.others.enumerated() { sums.others[currency] += sum }
        guard !part.isShared else {
          for (place, campaign) in zip(part.campaigns, campaigns) {
            sums.shared[place, default: RunSums(runs: runs)].merge(campaign)
          }
          return
        }
        var start = range.lowerBound
        for (index, place) in part.campaigns.enumerated() {
          sums.errors[place] = errors[index]
          sums.places[place] = start..<start + lengths[index]
          start += lengths[index]
        }
      }
    }
  }

  /// What came of every variant, once all parts are run.
  ///
  /// - Throws: `FileError` where a file cannot be written.
  func outcomes() throws(FileError) -> [VariantOutcome] {
    var outcomes: [VariantOutcome] = []
    for variant in sums.indices {
      var sums = sums[variant].withLock { $0 }
      for (place, campaign) in sums.shared {
        let summary = campaign.summary
        sums.errors[place] = summary.meanError
        sums.places[place] = try spool.append(summary.words)
      }
      var others: [CurrencyCode: MoneySum] = [:]
      for (currency, sum) in zip(currencies, sums.others) where sum != .zero {
        others[currency, default: .zero] += sum
      }
      outcomes.append(
        VariantOutcome(
          campaigns: parts.order.campaigns, total: sums.total.summary, organicUsers: sums.organicUsers,
          organicRevenue: sums.organicRevenue, otherRevenue: others, errors: sums.errors, spool: spool,
          places: sums.places))
    }
    return outcomes
  }
}
