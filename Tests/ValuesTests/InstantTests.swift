import Testing
import Values

struct `A moment in RFC 3339` {
  @Test(arguments: [
    ("0000-01-01T00:00:00Z", true), ("0000-01-01T02:00:00+02:00", true), ("0000-01-01T01:59:59+02:00", false),
    ("9999-12-31T23:59:59.999Z", true), ("9999-12-31T23:59:60Z", false), ("9999-12-31T22:59:59-01:00", true),
    ("9999-12-31T23:00:00-01:00", false), ("9999-12-31", true),
  ])
  func `A moment in RFC 3339 is in a year of four digits in UTC, so that it can be written again`(
    text: String, isRead: Bool
  ) {
    let moment = Instant(text)
    #expect((moment != nil) == isRead)
    if let moment { #expect(Instant("\(moment)") == moment) }
  }
}

struct `The hour of a moment` {
  @Test(
    arguments: [
      (0, 0, 0), (-1, -1, 23), (3_600_000, 1, 1), (-3_600_000, -1, 23), (-3_600_001, -2, 22),
      (-86_400_001, -25, 23),
    ] as [(Int64, Int64, Int64)])
  func `The hour of a moment is rounded towards the past, before 1970 too`(
    milliseconds: Int64, hour: Int64, hourOfDay: Int64
  ) {
    let moment = Instant(milliseconds: milliseconds)
    #expect(moment.hour == hour)
    #expect(moment.hourOfDay == hourOfDay)
    #expect(moment.startOfHour == Instant(milliseconds: hour * 3_600_000))
  }
}
