import Estimates
import Mappings
import Numerics
import System
import Values

/// Measures intervals of what users pay long after the time that their values count.
///
/// One JSON line for each mapping, horizon, law of campaigns, way of withholding and number of groups that own users are known to be of. The
/// same words give the same lines, whatever the number of threads.
struct HorizonBench {
  /// How campaigns of more quality differ from those of less.
  enum Law: String, CaseIterable, Sendable {
    /// By rank of what users pay up to the horizon: within values too, as intervals allow for.
    case ranks
    /// More payers, and rather of high amounts, within values too; intervals know nothing of this law.
    case payers
    /// By rank of the value: users of a value are alike in all campaigns.
    case values
    /// Not at all.
    case nothing

    func scores(_ users: [UserPool.User]) -> [Double]? {
      switch self {
      case .ranks: return nil
      case .payers: return TiltedUsers.scores(users.map(\.amount))
      case .values:
        var below = [Double](repeating: 0, count: 65)
        for user in users { below[user.code + 1] += 1 / Double(users.count) }
        for code in below.indices.dropFirst() { below[code] += below[code - 1] }
        return users.map { 12.0.squareRoot() * ((below[$0.code] + below[$0.code + 1]) / 2 - 0.5) }
      case .nothing: return users.map { _ in 0 }
      }
    }
  }

  static let horizons = [7, 30, 90]
  private static let fewestUsers = 400
  /// How many groups own users are drawn into, as campaigns are.
  private static let groups = [0, 20]

  let options: AccuracyOptions

  /// Runs everything.
  ///
  /// - Throws: What reading the file or an estimator throws; ``BenchError/noUsers`` for a file without users.
  func run() throws {
    let start = wallMicroseconds()
    let app = try AppUsers(path: options.path, hours: 48)
    guard !app.users.isEmpty, app.currency != nil else { throw BenchError.noUsers }
    let seeds = options.firstSeed..<(options.firstSeed + options.seeds)
    for kind in [SplitTrial.Kind.designed, .hand16] where options.kind == nil || options.kind == kind {
      let split = UserSplit(app: app, seed: UInt64(options.firstSeed))
      guard let mapping = kind.mapping(split) else { continue }
      let halves = split.play(mapping)
      for days in Self.horizons {
        let amounts = app.amounts(days: days)
        let users = (halves.own + halves.others).compactMap { user in
          amounts[user.key].map { UserPool.User(code: user.code, amount: $0) }
        }
        guard users.count >= Self.fewestUsers else { continue }
        for law in Law.allCases {
          var test = BackTest(mapping, users, isOfFirstWindow: false, campaigns: options.campaigns)
          if law != .ranks { test.scores = { law.scores($0) ?? [] } }
          for groups in Self.groups {
            test.drawnGroups = groups
            for withholding in BackTest.Withholding.allCases where groups == 0 || withholding == .nothing {
              var sum = BackTest.Score()
              let scores = try SeedRuns(threads: options.threads).map(seeds) { [test] in
                try test.run(withholding, seed: UInt64($0))
              }
              for case let score? in scores { sum += score }
              show(kind, days, law, groups, withholding, sum)
            }
          }
        }
      }
    }
    print("{\"kind\":\"end\",\"seconds\":\(hundredths((wallMicroseconds() - start) / 1e6))}")
  }

  private func show(
    _ kind: SplitTrial.Kind, _ days: Int, _ law: Law, _ groups: Int, _ withholding: BackTest.Withholding,
    _ score: BackTest.Score
  ) {
    func part(_ count: Int, of whole: Int) -> String { fourDigits(Double(count) / Double(max(1, whole))) }
    print(
      """
      {"kind":"horizon","mapping":"\(kind.rawValue)","days":\(days),"law":"\(law.rawValue)",\
      "groups":\(groups),\
      "withheld":"\(withholding.rawValue)","own_users":\(score.ownUsers / max(1, options.seeds)),\
      "campaigns":\(score.campaigns),"below":\(part(score.below, of: score.campaigns)),\
      "above":\(part(score.above, of: score.campaigns)),"totals":\(score.totals),\
      "totals_held":\(part(score.totalsHeld, of: score.totals)),"bias":\(fourDigits(score.bias ?? 0)),\
      "width":\(fourDigits(score.widths / max(1e-9, score.truth)))}
      """)
  }
}
