import EstimateReports
import System

/// Measures ``ReturnTrial``: one JSON line for each law.
struct ReturnBench {
  /// The path is that of an empty folder for ledgers.
  let options: AccuracyOptions

  /// Runs everything.
  ///
  /// - Throws: What a ledger throws.
  func run() throws {
    let start = wallMicroseconds()
    let seeds = options.firstSeed..<(options.firstSeed + options.seeds)
    for law in ReturnTrial.Law.allCases {
      let trial = ReturnTrial(law: law, folder: options.path)
      let cases = try SeedRuns(threads: options.threads).map(seeds) { try trial.run(seed: $0) }.joined()
      func share(_ count: Int, of whole: Int) -> String { fourDigits(Double(count) / Double(max(1, whole))) }
      let known = cases.filter { $0.low != nil && $0.high != nil }
      let decided = cases.filter { $0.verdict == .yes || $0.verdict == .no }
      let wrong = decided.count { ($0.verdict == .yes) != ($0.truth >= 1) }
      print(
        """
        {"kind":"returns","law":"\(law.rawValue)","campaigns":\(cases.count),"without":\(cases.count - known.count),\
        "below":\(share(known.count { $0.truth < ($0.low ?? 0) }, of: known.count)),\
        "above":\(share(known.count { $0.truth > ($0.high ?? 0) }, of: known.count)),\
        "decided":\(share(decided.count, of: cases.count)),"wrong":\(share(wrong, of: cases.count)),\
        "unmatched_wrong":\(share(cases.count { ($0.unmatched >= 1) != ($0.truth >= 1) }, of: cases.count))}
        """)
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }
}
