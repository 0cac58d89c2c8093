import Testing
import Values

struct `The few who carry the revenue` {
  private func carriers(_ amounts: [Double]) -> RevenueCarriers? {
    RevenueCarriers(
      sum: amounts.reduce(0, +), squares: amounts.reduce(0) { $0 + $1 * $1 }, amounts: amounts)
  }

  @Test
  func `The few who carry the revenue are found with their part of it, and with what they do to a total`()
    throws
  {
    // One pays 500, and 500 pay 1: the sum of squares is 250,500, and its root half of the sum.
    let found = try #require(carriers([500] + [Double](repeating: 1, count: 500)))
    #expect(abs(found.highest - 0.509) < 1e-9)
    #expect(abs(found.deviation - 0.5005) < 1e-4)
    #expect(
      found.sentence.english.hasPrefix(
        "10 users have 51 % of the revenue, so the total of as many other users differs by ±50 %"))
  }

  @Test func `The few who carry the revenue do not exist where many pay alike, or none pays`() {
    #expect(carriers([Double](repeating: 3, count: 101)) == nil)
    #expect(carriers([Double](repeating: 3, count: 99)) != nil)
    #expect(carriers([0, 0]) == nil)
  }
}
