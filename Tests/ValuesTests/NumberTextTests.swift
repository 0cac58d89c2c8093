import Testing
import Values

struct `A number as people read it` {
  @Test(arguments: [
    (Int64(0), "0"), (7, "7"), (999, "999"), (1000, "1,000"), (-1000, "-1,000"), (-100, "-100"),
    (1_234_567, "1,234,567"),
  ])
  func `A number as people read it has separated thousands`(number: Int64, text: String) {
    #expect(grouped(number) == text)
  }

  @Test(arguments: [
    (0.05, 1, "0.1"), (-0.05, 1, "-0.1"), (-0.04, 1, "0.0"), (2.5, 0, "3"), (1.005, 2, "1.00"),
    (12, 2, "12.00"),
    (.nan, 1, ""),
  ])
  func `A number as people read it has as many decimals as requested`(
    number: Double, decimals: Int, text: String
  ) {
    #expect(fixed(number, decimals) == text)
  }

  @Test(arguments: [(1.50, "1.5"), (2.0, "2"), (-0.001, "0"), (0.25, "0.25")])
  func `A number as people read it has no trailing zeros`(number: Double, text: String) {
    #expect(trimmed(number, 2) == text)
  }

  @Test func `A number in digits is as Swift writes it, whatever its length`() throws {
    var random = SplitMix64(seed: 1)
    let edges = (0..<20).flatMap { power -> [UInt64] in
      let ten = (0..<power).reduce(UInt64(1)) { product, _ in product * 10 }
      return [ten - 1, ten, ten + 1]
    }
    for number in edges + [.max, .max - 1]
      + (0..<1000).map({ _ in random.next() >> UInt64(random.number(below: 64)) })
    {
      var digits = Array("x".utf8)
      appendDecimalDigits(of: number, to: &digits)
      #expect(String(decoding: digits, as: UTF8.self) == "x\(number)")
      let amount = Amount(micros: Int64(bitPattern: number))
      #expect(try Amount(decimal: amount.description) == amount)
      #expect(!amount.description.contains(".") || !amount.description.hasSuffix("0"))
    }
    #expect(Amount(micros: .min).description == "-9223372036854.775808")
  }

  @Test func `A number as people read it has another text for no value`() {
    #expect(fixed(nil, 2, none: "-") == "-")
    #expect(fixed(.infinity, 2, none: "-") == "-")
    #expect(fixed(.some(1.255), 1, none: "-") == "1.3")
  }

  @Test(arguments: [(0.1234, 1, "12.3 %"), (0.1234, 0, "12 %"), (-0.00004, 1, "0.0 %"), (.nan, 1, "-")])
  func `A number as people read it is a share in per cent`(share: Double, decimals: Int, text: String) {
    #expect(percent(share, decimals) == text)
  }

  @Test(arguments: [(0, "0 rows"), (1, "1 row"), (2000, "2,000 rows")])
  func `A number as people read it takes a noun`(count: Int, text: String) {
    #expect(counted(count, "row") == text)
  }
}
