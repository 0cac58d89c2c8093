import System
import Values

/// Measures intervals on campaigns of users that the worths were not learned of.
///
/// One JSON line for each mapping and scenario. The same words give the same lines, whatever the number of threads.
struct SplitBench {
  /// Revenue of the first window counts.
  private static let hours = 48

  let options: AccuracyOptions

  /// Runs everything.
  ///
  /// - Throws: What reading the file or an estimator throws; ``BenchError/noUsers`` for a file without users.
  func run() throws {
    let start = wallMicroseconds()
    let app = try AppUsers(path: options.path, hours: Self.hours)
    guard !app.users.isEmpty, app.currency != nil else { throw BenchError.noUsers }
    let seeds = options.firstSeed..<(options.firstSeed + options.seeds)
    for kind in SplitTrial.Kind.allCases where options.kind == nil || options.kind == kind {
      let trial = SplitTrial(app: app, kind: kind, scenarios: options.scenarios, options: options)
      let results = try SeedRuns(threads: options.threads).map(seeds) { try trial.run(seed: $0) }
      for scenario in options.scenarios {
        var sum = SplitScore()
        for result in results { if let score = result[scenario] { sum.merge(score) } }
        print(
          """
          {"kind":"split","mapping":"\(kind.rawValue)","scenario":"\(scenario)","users":\(app.users.count),\
          "seeds":[\(seeds.lowerBound),\(seeds.upperBound - 1)],"campaigns":\(options.campaigns),\
          "draws":\(options.draws),\(sum.json)}
          """)
      }
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }
}
