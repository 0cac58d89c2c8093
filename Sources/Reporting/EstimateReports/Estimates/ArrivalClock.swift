import Estimates
import Values

/// The bins of arrival, from the day of the first postback on, by the clock of a zone.
///
/// Moments are as if that clock showed UTC.
struct ArrivalClock {
  let origin: Instant
  let bins: Int
  /// How much of the last bin is over.
  let lastBinShare: Double

  private let originHour: Int
  private let zone: ReportingZone
  private let firstHour: Int32
  /// The bin of each hour from the first one on; none for UTC, where they follow from the hour.
  private let places: [Int]

  /// - Parameters:
  ///   - firstHour: Hours since 1970, UTC, of the first postback.
  ///   - lastHour: The hour of the last one.
  init(firstHour: Int32, lastHour: Int32, now: Instant, _ zone: ReportingZone) {
    func shown(_ moment: Instant) -> Instant { moment + 1000 * zone.offset(at: moment) }
    let last = shown(Instant(hour: Int64(lastHour)))
    let origin = shown(Instant(hour: Int64(firstHour))).day.start
    // What came until now is all there is; days that can still get postbacks are not complete.
    let end = shown(now) > last ? shown(now) : last + 3_600_000
    let binLength = Int64(DelayKernel.binHours) * 3_600_000
    let passed = Double(end.milliseconds - origin.milliseconds) / Double(binLength)
    let bins = Int(nearest: passed.rounded(.up))
    originHour = Int(origin.milliseconds / 3_600_000)
    lastBinShare = passed - Double(bins - 1)
    places =
      zone.isUTC
      ? []
      : (firstHour...lastHour).map { hour in
        let since = shown(Instant(hour: Int64(hour))).milliseconds - origin.milliseconds
        // A clock that is put back shows an hour twice.
        return min(max(0, Int(since / binLength)), bins - 1)
      }
    (self.origin, self.bins, self.zone, self.firstHour) = (origin, bins, zone, firstHour)
  }

  func bin(ofHour hour: Int32) -> Int {
    places.isEmpty ? (Int(hour) - originHour) / DelayKernel.binHours : places[Int(hour - firstHour)]
  }

  /// The moment as the clock shows it.
  func shown(_ moment: Instant) -> Instant { moment + 1000 * zone.offset(at: moment) }
}
