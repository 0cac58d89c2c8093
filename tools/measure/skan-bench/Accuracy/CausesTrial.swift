import Campaigns
import EstimateReports
import Estimates
import Ledger
import Numerics
import Postbacks
import System
import Tables
import Values

/// What `skan report causes` calls sure of two weeks of installs of one law.
struct CausesTrial: Sendable {
  /// What is another one in the later week.
  enum Law: String, CaseIterable, Sendable {
    case nothing
    case fewInstalls = "nothing, few installs"
    /// A unit of the mapping's currency is worth three tenths more.
    case rates

    /// Installs of a campaign in a week, in the median.
    var installs: Double { self == .fewInstalls ? 15 : 150 }
  }

  /// What one report has.
  struct Result: Sendable {
    /// Whether a line is sure of whose cause nothing happened.
    let isWrong: Bool
    /// Whether the interval of such a line leaves 0 out.
    let isWrongAlone: Bool
    /// Whether what happened is sure; `nil` where nothing did.
    let isFound: Bool?
  }

  static let rise = 1.3
  private static let campaigns = 6
  private static let week = 7 * Day.seconds
  /// Seconds from an install to its first postback: two days until the window ends, and one to two more.
  private static func delay(_ random: inout SplitMix64) -> Int64 {
    3 * Day.seconds + Int64(random.fraction() * Double(Day.seconds))
  }

  /// A Monday.
  private static let start = Day(number: 20_773)

  let law: Law
  let folder: String

  /// Runs one seed.
  ///
  /// - Throws: What the ledger throws.
  func run(seed: Int) throws -> Result {
    var random = SplitMix64(seed: UInt64(seed) &* 1_000_003 &+ UInt64(law.installs))
    let path = "\(folder)/causes-\(law.rawValue)-\(seed).db"
    var world = try LedgerWorld(path: path, currency: law == .rates ? "EUR" : "USD")
    var installs: [LedgerWorld.Install] = []
    for campaign in 0..<Self.campaigns {
      let mean = law.installs * exponential(random.normal())
      let withheld = 0.6 * random.fraction()
      for week in [-1, 0] as [Int64] {
        for _ in 0..<random.poisson(mean) {
          let second = week * Self.week + Int64(random.fraction() * Double(Self.week))
          let user = LedgerWorld.User(&random)
          installs.append(
            LedgerWorld.Install(
              campaign: "52\(10 + campaign)", value: random.fraction() < withheld ? nil : user.value,
              arrivedAt: Self.start.start + 1000 * (second + Self.delay(&random))))
        }
      }
    }
    try world.store(installs)
    var report = CausesReport()
    report.scope.environment = .test
    report.period.from = Self.start
    report.period.to = Day(number: Self.start.number + 7)
    if law == .rates {
      report.currency = CurrencyCode("USD")
      let rates: [(day: Int32, rate: Double)] = [(-7, 1), (0, Self.rise)]
      try ReferenceStore(path: path).put(
        rates.map {
          RateRow(
            day: Day(number: Self.start.number + $0.day), currency: "EUR", quote: "USD",
            picos: Int64($0.rate * 1e12))
        })
    }
    let answer = try report.answer(
      from: ReportSource(reader: LedgerReader(path: path), now: Day(number: Self.start.number + 14).start))
    let lines = answer.rows
    // The whole change has what the rates changed, too.
    let others = lines.filter { law != .rates || !$0.isWhole && $0.cause != .exchangeRates }
    return Result(
      isWrong: others.contains(where: \.isSure),
      isWrongAlone: others.contains { line in
        line.amountInterval.ends.map { $0.low > .zero || $0.high < .zero } ?? false
      },
      isFound: law == .rates ? lines.contains { $0.cause == .exchangeRates && $0.isSure } : nil)
  }
}
