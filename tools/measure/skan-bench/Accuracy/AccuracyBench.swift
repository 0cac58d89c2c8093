import Estimates
import System
import Values

/// Measures how far estimates and install days are off, on campaigns made of the users of an events file.
///
/// One JSON line for the file, one for each scenario and estimator, one for each way to find install days. The same
/// words give the same lines, whatever the number of threads.
struct AccuracyBench {
  /// Codes of the tables that scenario E is tried with, beside the full one.
  private static let fewCodes = [8, 16]
  private static let dailyInstalls = [30.0, 100, 1000]
  /// Install days are quick to find, so that they are looked for more often than estimates are made.
  private static let daySeeds = 30

  let options: AccuracyOptions

  /// Runs everything.
  ///
  /// - Throws: What reading the file or an estimator throws; ``BenchError/noUsers`` for a file without users.
  func run() throws {
    let start = wallMicroseconds()
    let users = try AppUsers(path: options.path, hours: options.hours).users
    let amounts = users.map(\.amount)
    guard let tilted = TiltedUsers(amounts) else { throw BenchError.noUsers }
    print(
      """
      {"kind":"users","users":\(users.count),"paying":\(users.count { $0.amount > 0 }),\
      "hours":\(options.hours),"mean":\(fourDigits(users.reduce(0) { $0 + $1.amount } / Double(users.count))),\
      "campaigns":\(options.campaigns),"seeds":\(options.seeds),"draws":\(options.draws)}
      """)
    for scenario in Scenario.allCases {
      let sizes = scenario == .values ? Self.fewCodes.filter { $0 < options.codes } : []
      for codes in sizes + [options.codes] {
        let trial = EstimatorTrial(scenario, users: tilted, known: amounts, codes: codes, options: options)
        guard let trial else { throw BenchError.noUsers }
        try show(trial)
      }
    }
    for daily in Self.dailyInstalls {
      guard let trial = InstallDayTrial(users, daily: daily) else { throw BenchError.noUsers }
      try show(trial)
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }

  private func show(_ trial: EstimatorTrial) throws {
    var sum: EstimatorTrial.Result?
    for result in try SeedRuns(threads: options.threads).map(0..<options.seeds, { try trial.run(seed: $0) }) {
      guard var merged = sum else {
        sum = result
        continue
      }
      merged.installs += result.installs
      merged.nulls += result.nulls
      for index in merged.scores.indices { merged.scores[index].merge(result.scores[index]) }
      sum = merged
    }
    guard let sum else { return }
    for (estimator, score) in zip(trial.estimators, sum.scores) {
      print(
        """
        {"kind":"estimate","scenario":"\(trial.scenario.rawValue)","codes":\(trial.codes.lows.count),\
        "nulls":\(fourDigits(sum.nulls / max(1, sum.installs))),"learned":"\(words(sum.mechanism))",\
        "estimator":"\(estimator.name)",\(score.json)}
        """)
    }
  }

  private func show(_ trial: InstallDayTrial) throws {
    let results = try SeedRuns(threads: options.threads).map(0..<max(options.seeds, Self.daySeeds)) {
      trial.run(seed: $0)
    }
    for way in InstallDayTrial.Way.allCases {
      let all = results.reduce(0) { $0 + ($1.all[way] ?? 0) } / Double(results.count)
      let spike = results.reduce(0) { $0 + ($1.spike[way] ?? 0) } / Double(results.count)
      print(
        """
        {"kind":"days","daily":\(Int(trial.daily)),"seeds":\(results.count),"way":"\(way.rawValue)","error":\(fourDigits(all)),\
        "spike_error":\(fourDigits(spike))}
        """)
    }
  }

  /// What a law of the first seed is called.
  private func words(_ mechanism: NullMechanism?) -> String {
    switch mechanism {
    case .hard(let threshold): "hard threshold \(hundredths(threshold))"
    case .soft(let threshold, let slope): "soft threshold \(hundredths(threshold)) slope \(hundredths(slope))"
    case .share, nil: "none"
    }
  }
}
