import Values

/// The days of a question, by its clock.
struct ReportDays {
  private let first: Int32
  private let end: Int32
  private let zone: ReportingZone?

  init(_ query: CampaignQuery) {
    first = query.from?.number ?? .min
    end = query.to?.number ?? .max
    zone = query.zone.isUTC ? nil : query.zone
  }

  func contains(_ day: Int32) -> Bool { day >= first && day < end }

  func day(of second: Int64, utcDay: Int32) -> Int32 {
    guard let zone else { return utcDay }
    return zone.day(of: Instant(milliseconds: second &* 1000)).number
  }
}
