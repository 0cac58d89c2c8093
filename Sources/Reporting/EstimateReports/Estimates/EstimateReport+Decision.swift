import Estimates
import Values

extension EstimateReport {
  /// Days after the install by which most first postbacks have come: Apple sends them after two days and one to two more.
  package static let daysToArrive: Int32 = 5
  /// A longer time until a verdict is not stated: no campaign goes on as it is for so long.
  static let mostDaysToDecide = 365.0
}

extension EstimateReport.Row {
  /// About how many days it takes until the return is surely above or below its target, if the days to come are like
  /// those with spend; `nil` where it is decided, and where it would take more than a year or own users leave open too
  /// much of what values are worth.
  package var daysToDecide: Int? {
    guard verdict == .undecided, let compared, let paidDays = compared.days, let today else { return nil }
    let spend = Double(compared.spend.micros) / 1e6
    guard let times = compared.sum.timesToDecide(target.ratio * spend) else { return nil }
    let days = Double(paidDays.upperBound.number - paidDays.lowerBound.number + 1)
    // What installs on one more day is known when its postbacks have arrived.
    let more = times > 1 ? days * (times - 1) : 0
    let toArrive = Double(
      max(0, paidDays.upperBound.number + EstimateReport.daysToArrive - today.number))
    let wait = max(1, toArrive) + more.rounded(.up)
    return wait <= EstimateReport.mostDaysToDecide ? Int(wait) : nil
  }
}
