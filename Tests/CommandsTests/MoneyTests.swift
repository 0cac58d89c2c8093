import Ledger
import TestSupport
import Testing
import Values

struct `The choice of a currency and of days for all estimated money` {
  @Test func `It is shown, changed in parts, and forgotten`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = try LedgerWriter(path: database)
    func money(_ words: String...) -> Outcome {
      outcome(of: ["money", "-d", database, "--format", "ndjson"] + words)
    }
    func chosen() throws -> ChosenMoney? { try LedgerReader(path: database).imported(ChosenMoney.self).first }
    let none = #"{"currency":null,"horizon-days":null,"chosen-currency":null,"chosen-days":null}"# + "\n"
    #expect(money().output == none)
    #expect(try chosen() == nil)
    #expect(
      money("--currency", "eur").output.contains(
        #""currency":"EUR","horizon-days":null,"chosen-currency":"EUR""#))
    let days = money("--horizon", "30")
    #expect(days.output.contains(#""chosen-currency":"EUR","chosen-days":30"#), "\(days.output)")
    // Without users of so much history the hours count, and a note names the days.
    #expect(days.output.contains(#""horizon-days":null"#) && days.errors.contains("30 days of history yet"))
    #expect(try chosen() == ChosenMoney(currency: CurrencyCode("EUR"), days: 30))
    #expect(money("--usual").output == none)
    for wrong in [["--currency", "XYZ"], ["--horizon", "0"], ["--usual", "--currency", "EUR"]] {
      #expect(outcome(of: ["money", "-d", database] + wrong).code == .usage, "\(wrong)")
    }
    #expect(skan("money", "-d", folder.file("none.db")).code == .inputOutput)
  }
}
