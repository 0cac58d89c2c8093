import Campaigns
import Testing

struct `A number in a report` {
  @Test(arguments: [
    (Int64(0), Int64(0), ""), (0, 3, "0.0"), (1, 3, "33.3"), (2, 3, "66.7"), (3, 3, "100.0"),
    (1, 2000, "0.1"),
  ])
  func `A number in a report shows a share with one decimal`(part: Int64, whole: Int64, text: String) {
    #expect(percent(part, of: whole) == text)
  }
}
