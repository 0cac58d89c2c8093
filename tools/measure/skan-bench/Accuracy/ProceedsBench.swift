import EstimateReports
import Estimates
import System
import Values

/// Measures intervals of `skan report proceeds` where the product knows what a user's product knows: the books of all users by
/// day of payment, own installs, and own users.
///
/// One JSON line for each mapping and horizon. The same words give the same lines, whatever the number of threads.
struct ProceedsBench {
  /// Where databases are made; none of them is removed.
  let folder: String
  let options: AccuracyOptions

  private struct Score: Sendable {
    var worlds = 0
    var campaigns = (before: SplitScore.Tally(), bound: SplitScore.Tally())
    var organic = (before: SplitScore.Tally(), bound: SplitScore.Tally())
    var outsideWorst = 0
    /// What the division by age makes of the books by the truth, of each world.
    var totals: [Double] = []
  }

  /// Runs everything.
  ///
  /// - Throws: What reading the file or a report throws; ``BenchError/noUsers`` for a file without users.
  func run() throws {
    let start = wallMicroseconds()
    let app = try AppUsers(path: options.path, hours: 48)
    guard !app.users.isEmpty, app.currency != nil else { throw BenchError.noUsers }
    let seeds = options.firstSeed..<(options.firstSeed + options.seeds)
    for kind in [SplitTrial.Kind.hand16, .designed] where options.kind == nil || options.kind == kind {
      let results = try SeedRuns(threads: options.threads).map(seeds) { seed in
        guard let pool = ProceedsWorld.Pool(app, kind, seed: seed) else { throw BenchError.noUsers }
        let world = try ProceedsWorld(pool, path: "\(folder)/\(kind.rawValue)-\(seed).db", seed: seed)
        return try ProceedsWorld.horizons.indices.map { try score(world, horizon: $0) }
      }
      for (place, days) in ProceedsWorld.horizons.enumerated() { show(kind, days, results.map { $0[place] }) }
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }

  private func score(_ world: ProceedsWorld, horizon: Int) throws -> Score {
    var score = Score()
    score.worlds = 1
    let lines = try world.lines(horizon: horizon)
    let truths = world.truths.map { $0[horizon] }
    var installs = 0.0
    for line in lines {
      if line.part == .ages { installs += line.amount ?? 0 }
      guard let group = world.group(of: line), let amount = line.amount else { continue }
      installs += amount
      let truth = truths[group]
      if let worst = line.worstCase, truth < worst.low - 1e-6 || truth > worst.high + 1e-6 {
        score.outsideWorst += 1
      }
      guard let before = line.interval, let bound = line.amountInterval else { continue }
      if line.part == .organic {
        score.organic.before.add(truth, before, before)
        score.organic.bound.add(truth, bound, before)
      } else {
        score.campaigns.before.add(truth, before, before)
        score.campaigns.bound.add(truth, bound, before)
      }
    }
    score.totals = [installs / max(1e-9, truths.reduce(0, +))]
    return score
  }

  private func show(_ kind: SplitTrial.Kind, _ days: Int, _ scores: [Score]) {
    var sum = Score()
    for score in scores {
      sum.worlds += score.worlds
      sum.campaigns.before.merge(score.campaigns.before)
      sum.campaigns.bound.merge(score.campaigns.bound)
      sum.organic.before.merge(score.organic.before)
      sum.organic.bound.merge(score.organic.bound)
      sum.outsideWorst += score.outsideWorst
      sum.totals += score.totals
    }
    let count = Double(max(1, sum.totals.count))
    let bias = sum.totals.reduce(0, +) / count - 1
    let error = (sum.totals.reduce(0) { $0 + ($1 - 1) * ($1 - 1) } / count).squareRoot()
    print(
      """
      {"kind":"proceeds","mapping":"\(kind.rawValue)","days":\(days),"worlds":\(sum.worlds),\
      "campaigns":\(sum.campaigns.bound.json),"campaigns_before":\(sum.campaigns.before.json),\
      "organic":\(sum.organic.bound.json),"organic_before":\(sum.organic.before.json),\
      "outside_worst_case":\(sum.outsideWorst),"books_bias":\(fourDigits(bias)),"books_error":\(fourDigits(error))}
      """)
  }
}
