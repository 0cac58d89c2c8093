import System
import Values

/// Measures ``DesignerTrial``: one JSON line for each target, number of values and size of campaigns.
struct DesignerBench {
  let options: AccuracyOptions

  /// Runs everything.
  ///
  /// - Throws: What reading the file throws.
  func run() throws {
    let start = wallMicroseconds()
    let app = try AppUsers(path: options.path, hours: 48)
    guard !app.users.isEmpty, app.currency != nil else { throw BenchError.noUsers }
    let trial = DesignerTrial(app: app, campaigns: options.campaigns)
    let seeds = options.firstSeed..<(options.firstSeed + options.seeds)
    var sums: [DesignerTrial.Cell: [DesignerTrial.Way: Double]] = [:]
    for result in try SeedRuns(threads: options.threads).map(seeds, { trial.run(seed: $0) }) {
      sums.merge(result) { $0.merging($1, uniquingKeysWith: +) }
    }
    for target in DesignerTrial.targets {
      for values in DesignerTrial.counts {
        for size in DesignerTrial.sizes {
          guard let ways = sums[DesignerTrial.Cell(target: target, values: values, size: size)] else {
            continue
          }
          let count = Double(options.seeds * options.campaigns)
          let errors = DesignerTrial.Way.allCases.compactMap { way in
            ways[way].map { "\"\(way.rawValue)\":\(fourDigits(($0 / count).squareRoot()))" }
          }
          print(
            """
            {"kind":"designer","target":\(target),"values":\(values),"installs":\(size),\
            "seeds":[\(seeds.lowerBound),\(seeds.upperBound - 1)],"campaigns":\(options.campaigns),\
            "rmse":{\(errors.joined(separator: ","))}}
            """)
        }
      }
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }
}
