import System

/// Measures ``CausesTrial``: one JSON line for each law.
struct CausesBench {
  /// The path is that of an empty folder for ledgers.
  let options: AccuracyOptions

  /// Runs everything.
  ///
  /// - Throws: What a ledger throws.
  func run() throws {
    let start = wallMicroseconds()
    let seeds = options.firstSeed..<(options.firstSeed + options.seeds)
    for law in CausesTrial.Law.allCases {
      let trial = CausesTrial(law: law, folder: options.path)
      let results = try SeedRuns(threads: options.threads).map(seeds) { try trial.run(seed: $0) }
      let count = Double(results.count)
      let found = results.compactMap(\.isFound)
      print(
        """
        {"kind":"causes","law":"\(law.rawValue)","reports":\(results.count),\
        "wrong":\(fourDigits(Double(results.count { $0.isWrong }) / count)),\
        "wrong_alone":\(fourDigits(Double(results.count { $0.isWrongAlone }) / count)),\
        "found":\(found.isEmpty ? "null" : fourDigits(Double(found.count { $0 }) / Double(found.count)))}
        """)
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }
}
