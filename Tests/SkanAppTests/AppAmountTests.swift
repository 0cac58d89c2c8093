import Foundation
import SkanApp
import SkanMapping
import Testing

@Suite struct `Prices and dates of an app` {
  @Test(arguments: [
    ("4.99", Int64(4_990_000)), ("0", 0), ("-4.99", -4_990_000), ("0.000001", 1), ("0.0000005", 1),
    ("0.00000049", 0),
    ("-0.0000005", -1), ("1234567.1234565", 1_234_567_123_457), ("9223372036854.775807", Int64.max),
    ("100000000000", 100_000_000_000_000_000), ("1e3", 1_000_000_000),
  ])
  func `Prices of an app become the nearest millionths`(text: String, micros: Int64) throws {
    let amount = try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
    let event = try AppEvent(name: "buy", date: Date(), amount: amount, currency: "EUR")
    #expect(event.micros == micros)
    #expect(event.currency == "EUR")
  }

  @Test func `Prices of an app that no number of millionths is near to are errors that state the range`()
    throws
  {
    for amount in [Decimal.nan, Decimal(string: "9223372036854.7758075") ?? 0, Decimal(string: "-1e30") ?? 0]
    {
      let error = try #require(throws: AppAmountError.self) {
        try AppEvent(name: "buy", date: Date(), amount: amount, currency: "EUR")
      }
      #expect(error.description.contains("from -9223372036854 to 9223372036854"), "\(amount)")
    }
  }

  @Test func `Dates of an app become whole milliseconds, whatever a clock shows`() throws {
    func time(_ seconds: Double) throws -> Int64 {
      try AppEvent(name: "a", date: Date(timeIntervalSince1970: seconds)).time
    }
    #expect(try time(1_795_219_200.25) == 1_795_219_200_250)
    #expect(try time(-0.5) == -500)
    #expect(try AppEvent(name: "a", date: .distantPast).time < 0)
    #expect(try AppEvent(name: "a", date: .distantFuture).time > 0)
    for seconds in [Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude] { _ = try time(seconds) }
  }
}
