import Estimates
import System

/// Measures ``PlanTrial``: one JSON line for each law.
struct PlanBench {
  /// The path is that of an empty folder for ledgers.
  let options: AccuracyOptions

  /// Runs everything.
  ///
  /// - Throws: What a ledger throws.
  func run() throws {
    let start = wallMicroseconds()
    let seeds = options.firstSeed..<(options.firstSeed + options.seeds)
    for law in PlanLaw.allCases {
      let trial = PlanTrial(law: law, folder: options.path)
      show(law, try SeedRuns(threads: options.threads).map(seeds) { try trial.run(seed: $0) })
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }

  private func show(_ law: PlanLaw, _ worlds: [PlanTrial.World]) {
    let played = worlds.flatMap(\.played)
    // Of two models at most one can hold.
    let shares = played.filter { $0.share.count == 1 }.map { $0.share[0] }
    let widths = played.compactMap(\.width)
    let together = worlds.filter { $0.together.count == 1 }.map { $0.together[0] }
    let gained = played.count { $0.share[0].truth > $0.shareAsNow }
    print(
      """
      {"kind":"plans","law":"\(law.rawValue)","worlds":\(worlds.count),\
      "open":\(worlds.count(where: \.isOpen)),"changes":\(worlds.count(where: \.hasChange)),\
      "proposals":\(played.count),"merges":\(played.count(where: \.isMerge)),"values":\(played.count(where: \.isOfValues)),"gained":\(gained),\
      "share":\(text(shares)),"width":\(text(widths)),"together":\(text(together))}
      """)
  }

  /// How often predictions held, and the mean of how wide they are, of shares in points and of widths by their middle.
  private func text(_ all: [PlanTrial.Outcome]) -> String {
    let count = Double(max(1, all.count))
    let wide = all.reduce(0) { $0 + $1.predicted.interval.width }
    let relative = all.reduce(0) { $0 + $1.predicted.interval.width / max(1e-9, $1.predicted.mean) }
    return """
      {"count":\(all.count),"below":\(all.count(where: \.isBelow)),"above":\(all.count(where: \.isAbove)),\
      "wide":\(fourDigits(wide / count)),"relative":\(fourDigits(relative / count)),\
      "certain":\(all.count { $0.predicted.interval.width < 0.005 })}
      """
  }
}
