@testable import MappingFormats
import Testing
@testable import Values

@Suite struct `An amount of money` {
  @Test(arguments: [
    ("0", 0), ("-0", 0), ("20", 20_000_000), ("20.00", 20_000_000), ("4.001", 4_001_000), ("0.000001", 1),
    ("-12.5", -12_500_000), ("5e-1", 500_000), ("1.5E3", 1_500_000_000), ("0.1000000000", 100_000),
    ("0e999999999999", 0), ("9223372036854.775807", Int64.max), ("-9223372036854.775808", Int64.min),
  ]) func `An amount of money is read digit by digit`(_ text: String, _ micros: Int64) throws {
    #expect(try Amount(decimal: text).micros == micros)
  }

  @Test(arguments: [
    ("", Amount.Defect.notANumber), ("NaN", .notANumber), ("inf", .notANumber), ("1,5", .notANumber),
    ("+1", .notANumber), (".5", .notANumber), ("5.", .notANumber), ("05", .notANumber), ("1e", .notANumber),
    (" 1", .notANumber), ("0x10", .notANumber), ("٣", .notANumber), ("0.0000001", .tooPrecise),
    ("1e-7", .tooPrecise), ("1e-99999999999999999999", .tooPrecise), ("9223372036854.775808", .tooLarge),
    ("-9223372036854.775809", .tooLarge), ("1e400", .tooLarge), ("1e99999999999999999999", .tooLarge),
  ]) func `An amount of money is rejected when it is not exact`(_ text: String, _ defect: Amount.Defect) {
    #expect(throws: defect) { try Amount(decimal: text) }
  }

  @Test(arguments: [
    Int64.min, -1_000_001, -1, 0, 1, 10, 999_999, 1_000_000, 12_500_000, Int64.max,
  ]) func `An amount of money is written so that it is read back the same`(_ micros: Int64) throws {
    let amount = Amount(micros: micros)
    #expect(try Amount(decimal: amount.description) == amount)
  }

  @Test func `An amount of money saturates with a flag`() {
    let most = Amount(micros: .max)
    #expect(most.adding(Amount(micros: 1)) == (most, true))
    #expect(Amount(micros: .min).adding(Amount(micros: -1)) == (Amount(micros: .min), true))
    #expect(most.adding(Amount(micros: .min)) == (Amount(micros: -1), false))
  }

  @Test func `An amount of money knows the currencies of ISO 4217`() {
    #expect(CurrencyCode.all.count == CurrencyCode.names.count)
    #expect(CurrencyCode("USD")?.name == "US dollar")
    #expect(CurrencyCode("usd") == nil && CurrencyCode(anyCase: "usd")?.text == "USD")
    #expect(CurrencyCode("USX") == nil && CurrencyCode("") == nil && CurrencyCode("ＵＳＤ") == nil)
    #expect(CurrencyCode.names.keys.allSatisfy { $0.utf8.count == 3 })
  }

  @Test func `A range of money respects its open and closed bounds`() throws {
    let low = Amount(micros: 5)
    let high = Amount(micros: 7)
    let halfOpen = try #require(AmountRange(lower: .closed(low), upper: .open(high)))
    #expect([4, 5, 6, 7].map { halfOpen.contains(Amount(micros: $0)) } == [false, true, true, false])
    let other = try #require(AmountRange(lower: .open(low), upper: .closed(high)))
    #expect([5, 6, 7, 8].map { other.contains(Amount(micros: $0)) } == [false, true, true, false])
    #expect(halfOpen.middle == Amount(micros: 6) && halfOpen.overlaps(other))
    #expect(AmountRange(lower: .open(low), upper: .open(low)) == nil)
    #expect(AmountRange(lower: .open(low), upper: .open(Amount(micros: 6))) == nil)
    #expect(AmountRange(lower: .closed(high), upper: .closed(low)) == nil)
    #expect(AmountRange(lower: .open(Amount(micros: .max)), upper: .unbounded) == nil)
    #expect(AmountRange.all.contains(Amount(micros: .min)) && AmountRange.all.middle == nil)
    let widest = try #require(
      AmountRange(lower: .closed(Amount(micros: .min)), upper: .closed(Amount(micros: .max))))
    #expect(widest.middle == Amount(micros: -1))
    #expect(halfOpen.description == "[0.000005, 0.000007)" && AmountRange.all.description == "(-∞, ∞)")
  }
}
