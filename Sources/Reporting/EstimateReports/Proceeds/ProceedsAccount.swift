import Estimates
import Ledger
import Postbacks
import Values

/// What an app's books have of installs of some days, up to some days after the install.
///
/// Books have the day of payment, estimates that of the install. Own users show how payments spread over the days since
/// install; by that and by installs a day, each day's payments divide into those of the asked installs within the horizon,
/// those of them later on, and those of installs before.
struct ProceedsAccount {
  let app: AppID
  let currency: CurrencyCode
  /// What was paid on the days, before anything was kept back.
  private(set) var gross = 0.0
  private(set) var commission = 0.0
  private(set) var refunds = 0.0
  private(set) var tax = 0.0
  /// Of ``gross``, what installs before these days paid.
  private(set) var earlierInstalls = 0.0
  /// Of ``gross``, what installs of these days paid later than the horizon.
  private(set) var afterHorizon = 0.0
  /// What installs of these days paid within the horizon after these days.
  private(set) var afterPeriod = 0.0
  /// All that was paid on the days and within the horizon after them, by whomever: no installs of the days paid more.
  private(set) var mostOfInstalls = 0.0
  /// Whether the books state for each day what was kept back.
  private(set) var statesKeptBack = true
  /// Days that are needed and that the books do not have.
  private(set) var missing: [Day] = []
  /// The variance of ``installs``, for all but the chance of what these installs pay within the horizon.
  private(set) var variance = 0.0
  /// The share of that chance that ``installs`` does not show, because users pay their part of it later or earlier.
  private(set) var hiddenChance = 0.0
  /// The mean of the squares of what own users pay within the horizon, by their mean.
  let clump: Double

  var proceeds: Double { gross - commission - refunds - tax }

  /// What installs of the days paid within the horizon.
  var installs: Double { gross - earlierInstalls - afterHorizon + afterPeriod }

  /// - Parameters:
  ///   - rows: The books of the app in one currency.
  ///   - ages: When users pay.
  ///   - installs: Installs a day.
  init(
    _ rows: [ProceedsRow], of app: AppID, in currency: CurrencyCode, days: Range<Day>, horizon: Int,
    ages: PaymentAges, installs: (Int) -> Double
  ) {
    self.app = app
    self.currency = currency
    clump = ages.clump(upTo: horizon)
    let books = Dictionary(rows.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
    let asked = Int(days.lowerBound.number)..<Int(days.upperBound.number)
    let laterClump = ages.clump(behind: horizon)
    let daily = ages.daily(PaymentAges.Shape.all)
    var withins = [Double](repeating: 0, count: daily.count)
    var (hidden, chance) = (0.0, 0.0)
    let earliest = asked.lowerBound - ages.farthest
    let counts = (earliest..<asked.upperBound + horizon).map(installs)
    // Who installs late on the last day pays within the horizon up to so many days behind it.
    for number in asked.lowerBound..<asked.upperBound + horizon {
      let day = Day(number: Int32(number))
      guard let row = books[day] else {
        missing.append(day)
        continue
      }
      let kept = [row.commission, row.refunds, row.tax].map { Double($0 ?? 0) / 1e6 }
      let paid = Double(row.proceeds) / 1e6 + kept.reduce(0, +)
      mostOfInstalls += max(0, paid)
      let divided = daily.map { daily in
        PaymentAges.shares(
          paidOn: number, installs: { counts[max(0, $0 - earliest)] }, daily: daily, horizon: horizon
        ) { asked.contains($0) }
      }
      for (place, shares) in divided.enumerated() { withins[place] += paid * shares.within }
      let shares = divided[0]
      // Which users pay a day's money is chance: so much of it is taken for that of others, or theirs for it.
      let (within, outside) = (shares.within, 1 - shares.within)
      hidden += max(0, paid) * within * outside * outside * clump
      chance += max(0, paid) * within * clump
      variance += max(0, paid) * outside * within * within * laterClump
      guard asked.contains(number) else {
        afterPeriod += paid * shares.within
        continue
      }
      gross += paid
      (commission, refunds, tax) = (commission + kept[0], refunds + kept[1], tax + kept[2])
      if row.commission == nil || row.refunds == nil || row.tax == nil { statesKeptBack = false }
      afterHorizon += paid * shares.later
      earlierInstalls += paid * (1 - shares.within - shares.later)
    }
    hiddenChance = chance > 0 ? (hidden / chance).squareRoot() : 0
    // What is taken for the days between known ages and behind them could as well be one of these.
    let paid = self.installs
    for within in withins.dropFirst() { variance += (within - paid) * (within - paid) / 3 }
    variance += paid * paid * ages.relativeVariance(behind: horizon)
  }
}
