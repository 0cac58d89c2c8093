package import Arguments
import Campaigns
import Ledger
package import Values

/// The currency and the days after install that are asked for in the place of those of the service.
package struct MoneyChoice: Query {
  package var currency: CurrencyCode?
  package var horizon: Int?

  package init() {}

  package static let parameters: [Parameter<Self>] = [
    .init("currency", \.currency, "Currency to convert amounts to."),
    .init(
      "horizon", \.horizon, "Days since install whose revenue is estimated.", in: ChosenMoney.possibleDays),
  ]
  package static let names: Set<String> = ["currency", "horizon"]

  /// Whether anything is asked for.
  package var isMade: Bool { currency != nil || horizon != nil }
}
