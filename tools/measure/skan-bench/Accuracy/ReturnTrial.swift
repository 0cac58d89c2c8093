import Campaigns
import EstimateReports
import Ledger
import Numerics
import Postbacks
import System
import Tables
import Values

/// Returns of campaigns whose spend is known of some of their days, beside what users of exactly these days paid.
///
/// The report has the postbacks, the mapping and the rows of spend; it infers install days from arrivals.
struct ReturnTrial: Sendable {
  /// Of which days spend is known.
  enum Law: String, CaseIterable, Sendable {
    case allDays = "all days"
    case someDays = "single days"
    case firstWeek = "first of two weeks"
  }

  /// A campaign's return.
  struct Case: Sendable {
    let truth: Double
    /// What all installs paid by the same spend: the quotient of two sums of other days.
    let unmatched: Double
    let low: Double?
    let high: Double?
    let verdict: ReturnVerdict?
  }

  private static let campaigns = 8
  private static let days: Int32 = 14
  private static let daily = 60.0
  private static let first = Day(number: 20_500)
  /// True returns, of which two reach one and two do not.
  private static let returns = [0.5, 0.85, 1.2, 2]

  let law: Law
  let folder: String

  /// Runs one seed.
  ///
  /// - Throws: What the ledger throws.
  func run(seed: Int) throws -> [Case] {
    var random = SplitMix64(seed: UInt64(seed) &* 1_000_003 &+ 0x5E)
    let path = "\(folder)/returns-\(law.rawValue)-\(seed).db"
    var world = try LedgerWorld(path: path)
    var installs: [LedgerWorld.Install] = []
    var spend: [SpendRow] = []
    var known: [String: (paid: Double, all: Double, spend: Double)] = [:]
    for index in 0..<Self.campaigns {
      let campaign = "52\(10 + index)"
      let mean = Self.daily * exponential(0.7 * random.normal())
      let cost = LedgerWorld.User.mean / Self.returns[index % Self.returns.count]
      var sums = (paid: 0.0, all: 0.0, spend: 0.0)
      for day in 0..<Self.days {
        let count = random.poisson(mean)
        let isPaid =
          switch law {
          case .allDays: true
          case .someDays: day == 3 || random.fraction() < 0.3
          case .firstWeek: day < 7
          }
        for _ in 0..<count {
          let user = LedgerWorld.User(&random)
          let installed = Int64(Double(Day.seconds) * (Double(day) + random.fraction()))
          // SKAdNetwork 4: the end of the window, and Apple's delay.
          let delay = 48 * Hour.seconds + Int64(Double(Day.seconds) * (1 + random.fraction()))
          installs.append(
            LedgerWorld.Install(
              campaign: campaign, value: user.value,
              arrivedAt: Self.first.start + 1000 * (installed + delay)))
          sums.all += user.amount
          if isPaid { sums.paid += user.amount }
        }
        guard isPaid else { continue }
        let paid = (cost * Double(count) * 100).rounded() / 100
        sums.spend += paid
        spend.append(
          SpendRow(
            day: Day(number: Self.first.number + day), network: LedgerWorld.network, campaign: campaign,
            app: LedgerWorld.app, currency: "USD", micros: Int64((paid * 1e6).rounded()), environment: .test))
      }
      known[campaign] = sums
    }
    try world.store(installs)
    try ReferenceStore(path: path).put(spend)
    var report = EstimateReport()
    report.scope.environment = .test
    report.digits = 4
    report.period.from = Self.first
    report.period.to = Day(number: Self.first.number + Self.days)
    let answer = try report.answer(
      from: ReportSource(
        reader: LedgerReader(path: path), now: Day(number: Self.first.number + Self.days + 10).start))
    return answer.rows.compactMap { row in
      guard let sums = row.digits.flatMap({ known[$0] }), sums.spend > 0 else { return nil }
      let bounds = row.returnsInterval?.ends
      return Case(
        truth: sums.paid / sums.spend, unmatched: sums.all / sums.spend, low: bounds?.low.units,
        high: bounds?.high.units, verdict: row.verdict)
    }
  }
}
