import Postbacks
import Values

extension InstallCells {
  /// The least share that has arrived of a date of a row's dates, by app and the first of these dates; none where rows are of all
  /// dates.
  ///
  /// It is of all dates that postbacks have arrived of, and not of the days of cells: of very many campaigns, one cell has all
  /// days of a row under one of them.
  func arrived(inRowsOf report: EstimateReport) -> [AppID: [Day: Double]] {
    var arrived: [AppID: [Day: Double]] = [:]
    for (app, days) in completeness {
      let last = knownDays[app]?.upperBound
      for (day, share) in days.ordered(by: { $0.key < $1.key }) where report.isShown(day) {
        guard let first = EstimateGroup.first(of: day, by: report.by) else { continue }
        let least = arrived[app]?[first]
        // A date counts from its first postback on; a row has one date at least.
        if least != nil, let last, day > last { continue }
        arrived[app, default: [:]][first] = min(least ?? 1, share)
      }
    }
    return arrived
  }
}
