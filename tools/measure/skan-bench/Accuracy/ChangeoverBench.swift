import System

/// Measures ``ChangeoverTrial``: one JSON line for each pair of windows, kind of mapping and knowledge of own users.
struct ChangeoverBench {
  let options: AccuracyOptions

  /// Runs everything.
  ///
  /// - Throws: What reading the file throws.
  func run() throws {
    let start = wallMicroseconds()
    let app = try AppUsers(path: options.path, hours: 48)
    guard !app.users.isEmpty, app.currency != nil else { throw BenchError.noUsers }
    let seeds = options.firstSeed..<(options.firstSeed + options.seeds)
    for windows in ChangeoverTrial.windows {
      for isDesigned in [true, false] {
        let trial = ChangeoverTrial(app: app, windows: windows, isDesigned: isDesigned)
        let results = try SeedRuns(threads: options.threads).map(seeds) { trial.run(seed: $0) }
        for known in ChangeoverTrial.Known.allCases {
          let days = results.compactMap { $0?[known] }.joined()
          let truth = days.reduce(0) { $0 + $1.truth }
          let counted = days.reduce(0) { $0 + $1.counted }
          let wrong = days.reduce(0) { $0 + abs($1.counted - $1.truth) }
          let held = days.count { $0.low - 1e-6 <= $0.truth && $0.truth <= $0.high + 1e-6 }
          print(
            """
            {"kind":"changeover","mapping":"\(isDesigned ? "designed" : "hand 16")","before":\(windows.before),\
            "after":\(windows.after),"known":"\(known.rawValue)","seeds":[\(seeds.lowerBound),\(seeds.upperBound - 1)],\
            "days":\(days.count),"ratio":\(fourDigits(truth > 0 ? counted / truth : 0)),\
            "daily_error":\(fourDigits(truth > 0 ? wrong / truth : 0)),\
            "held":\(fourDigits(Double(held) / Double(max(1, days.count))))}
            """)
        }
      }
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }
}
