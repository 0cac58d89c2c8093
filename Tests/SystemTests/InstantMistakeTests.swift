import Testing
import Values

struct `What is wrong with a date` {
  @Test(
    arguments: [
      ("2026-02-30", "February 2026 has 28 days"), ("2024-02-30", "February 2024 has 29 days"),
      ("1900-02-29", "February 1900 has 28 days"), ("2026-04-31T08:00:00Z", "April 2026 has 30 days"),
      ("2026-13-01", "a year has 12 months; the month comes before the day, as in 2026-01-13"),
      ("2026-00-01", "a year has 12 months, 01 to 12"),
      ("30.11.2026", "the year comes first, then month and day, as in 2026-11-30"),
      ("11/30/2026", "the year comes first, then month and day, as in 2026-11-30"),
      ("1/2/2026", "the year comes first, then month and day, as in 2026-11-01"),
      ("2026-2-3", "a date has two digits for month and day, with hyphens: 2026-02-03"),
      ("2026/02/03", "a date has two digits for month and day, with hyphens: 2026-02-03"),
      ("26-02-03", "a year has four digits, as in 2026-11-01"),
      ("2026-02-03T25:00:00Z", "the hours of a day are 00 to 23"),
      ("2026-02-03T08:00:00", "the time needs its offset: Z for UTC, or one like +02:00"),
      ("2026-02-03T08:00Z", "a time is written like 08:00:00Z, with hours, minutes and seconds"),
      ("1767225600000", "this looks like milliseconds; write whole seconds, or a date like 2026-11-01"),
      ("soon", nil), ("", nil), ("--", nil), ("a-b-c", nil),
    ])
  func `What is wrong with a date is described by a clause`(text: String, expected: String?) {
    #expect(Instant(text) == nil)
    #expect(Instant.mistake(in: text)?.english == expected)
  }
}
