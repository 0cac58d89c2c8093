import Testing
import Values

struct `A form of moments` {
  @Test(arguments: [
    ("%d/%m/%Y %H:%M", "20/11/2026 08:15", "2026-11-20T08:15:00Z"),
    ("%m/%d/%y %I:%M %p", "11/20/26 12:05 AM", "2026-11-20T00:05:00Z"),
    ("%m/%d/%y %I:%M:%S %p", "1/2/26 1:05:09 pm", "2026-01-02T13:05:09Z"),
    ("%d. %b %Y", "1. December 2026", "2026-12-01T00:00:00Z"),
    ("%d-%b-%Y %H:%M:%S", "29-Feb-2028 23:59:60", "2028-03-01T00:00:00Z"),
    ("%Y-%m-%dT%H:%M:%S%z", "2026-11-20T08:15:00.25+02:00", "2026-11-20T06:15:00.250Z"),
    ("%Y%m%d %H%M%S %z", "20261120 081500   -0530", "2026-11-20T13:45:00Z"),
    ("%s", "1795162500", "2026-11-20T08:15:00Z"),
    ("%d/%m/%Y 100%%", "20/11/2026 100%", "2026-11-20T00:00:00Z"),
  ]) func `A form of moments reads what it describes`(pattern: String, text: String, moment: String) throws {
    #expect(try TimeFormat(pattern).instant(text).map { "\($0)" } == moment)
  }

  @Test(arguments: [
    ("%d/%m/%Y", "31/04/2026"), ("%d/%m/%Y", "11/20/2026"), ("%d/%m/%Y", "20/11/26"),
    ("%d/%m/%Y", "20/11/2026 "),
    ("%d/%m/%Y", ""), ("%d/%m/%Y %H:%M", "20/11/2026"), ("%d/%m/%Y %I:%M %p", "20/11/2026 13:00 PM"),
    ("%d %b %Y", "20 Juno 2026"), ("%Y-%m-%d", "２０２６-11-20"), ("%s", "-1"), ("%s", "99999999999999999999"),
    ("%Y-%m-%d %z", "2026-11-20 +25:00"),
  ]) func `A form of moments rejects what it does not describe`(pattern: String, text: String) throws {
    #expect(try TimeFormat(pattern).instant(text) == nil)
  }

  @Test(arguments: [
    "", "%H:%M", "%d/%m", "%q", "%d/%m/%Y %", "%d %d %m %Y", "%d/%m/%Y %I:%M", "%d/%m/%Y %H:%M %p",
    "%d/%m/%Y %y", "%s %d",
  ])
  func `A form of moments without a date, with an unknown field or with one twice is rejected`(
    pattern: String
  ) {
    #expect(throws: TimeFormat.Defect.self) { try TimeFormat(pattern) }
  }
}
