import Estimates
import Numerics
import Values

/// One scenario with one table of codes, estimated again and again on campaigns of known truth.
struct EstimatorTrial: Sendable {
  let scenario: Scenario
  /// The users that campaigns are made of.
  let users: TiltedUsers
  /// What the codes are worth, and how often they occur, among the users that the estimators know.
  let codes: SquareRootCodes
  let worth: CodeWorth
  let firstParty: [Double]
  let pool: UserPool
  let options: AccuracyOptions

  /// Prepares a trial; nil where there are no users.
  init?(
    _ scenario: Scenario, users: TiltedUsers, known: [Double], codes most: Int, options: AccuracyOptions
  ) {
    let codes = SquareRootCodes(known, most: most)
    let own = known.map { UserPool.User(code: codes.code(of: $0), amount: $0) }
    guard let pool = UserPool(users: own) else { return nil }
    var amounts = [[Double]](repeating: [], count: codes.lows.count)
    for user in own { amounts[user.code].append(user.amount) }
    let tail = ParetoTail(known)
    let ends = codes.lows.dropFirst() + [.infinity]
    let buckets = zip(amounts, zip(codes.lows, ends)).map { amounts, ends in
      amounts.isEmpty
        ? BucketWorth(mean: 0, spread: 0, low: 0, high: 0, users: 0)
        : BucketWorth(amounts: amounts, low: ends.0, high: ends.1, tail: tail)
    }
    self.scenario = scenario
    self.users = users
    self.codes = codes
    self.pool = pool
    self.options = options
    worth = CodeWorth(buckets: buckets, tail: tail)
    firstParty = amounts.map { Double($0.count) }
  }

  /// The estimators that are tried.
  var estimators: [ComparedEstimator] {
    // Under any other rule than its own the threshold's estimate has no meaning.
    scenario == .values ? ComparedEstimator.all : ComparedEstimator.all.filter { $0.name != "threshold" }
  }

  /// What comes of one seed.
  struct Result: Sendable {
    /// The scores, in the order of the estimators.
    var scores: [Score]
    /// Installs and the withheld ones.
    var installs = 0.0
    var nulls = 0.0
    /// The law that the fit finds in the campaigns' days; nil where it finds none.
    var mechanism: NullMechanism?
  }

  /// Runs one seed.
  ///
  /// - Throws: `EstimationError` where a fit fails.
  func run(seed: Int) throws -> Result {
    var random = SplitMix64(seed: UInt64(seed) &* 1_000_003 &+ UInt64(scenario.rawValue.utf8.first ?? 0))
    var made: [Scenario.Made] = []
    for number in 0..<options.campaigns {
      made.append(scenario.campaign("campaign \(number)", users: users, codes: codes, &random))
    }
    let set = try CampaignSet(campaigns: made.map(\.counts), worth: worth, firstParty: firstParty)
    var result = Result(scores: [])
    result.installs = set.campaigns.reduce(0) { $0 + $1.total }
    result.nulls = set.campaigns.reduce(0) { $0 + $1.nulls }
    if scenario != .values {
      let cells = set.campaigns.flatMap(\.cells).map {
        ThresholdFit.Cell(total: $0.revealedTotal + $0.nulls, revealed: $0.revealedTotal)
      }
      result.mechanism = ThresholdFit(cells)?.mechanism
    }
    for estimator in estimators {
      var score = Score()
      let totals = try estimator.totals(of: set)
      let seed = random.next()
      let model = PredictiveModel(
        of: set, from: try estimator.fit(to: set), count: options.draws, seed: seed)
      // No law that hides value by value can be learned from, so that E shows intervals as they are.
      let recalibration =
        model == nil || scenario == .values
        ? nil
        : try Recalibration.learned(
          for: estimator.fit, on: set, pool: pool, mechanism: result.mechanism, draws: options.draws,
          seed: random.next())
      for (index, campaign) in set.campaigns.enumerated() where campaign.total > 0 {
        let draws = model?.draws(of: campaign).total ?? []
        let wider = Interval(of: draws).flatMap { interval in
          recalibration?.apply(
            to: interval, priorMean: (set.appMean ?? 0) * campaign.total, nullShare: campaign.nullShare,
            least: campaign.worstCase(worth).low)
        }
        score.add(totals[index], truth: made[index].truth, draws: draws, wider: wider)
      }
      score.close()
      result.scores.append(score)
    }
    return result
  }
}
