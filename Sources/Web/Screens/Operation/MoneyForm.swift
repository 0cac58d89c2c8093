import Arguments
import EstimateReports
import Ledger
import Markup
import Pages
import Values

/// The form that chooses the currency and the days after install of all estimated money, for everyone.
enum MoneyForm {
  /// The part of the page that has it.
  static let part = "h-money"

  static func markup(_ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let chosen = try context.reader.imported(ChosenMoney.self).first
    let shown = try ReportingMoney(ofService: context.reader, now: context.now)
    guard context.mayEdit else {
      guard let currency = shown.currency else { return "" }
      let line =
        shown.days.map { texts.frameMoneyDays(currency: "\(currency.text)", count: $0) }
        ?? texts.frameMoneyValues(currency: "\(currency.text)")
      return Panel.section("money", texts.dataMoney, "<p>\(line)</p>")
    }
    let rates = try context.reader.rates()
    let usual = try ReportingMoney.usualCurrency(context.reader, now: context.now)
    var currencies = Set(rates.map(\.quote) + rates.map(\.currency))
    for currency in [chosen?.currency, usual] { if let currency { currencies.insert(currency.text) } }
    var days = Set(
      try context.reader.valueWorth().compactMap { row -> Int? in
        if case .days(let days) = row.horizon { days } else { nil }
      })
    if let chosen = chosen?.days { days.insert(chosen) }
    let ofMappings =
      usual.map { texts.dataMoneyOfMappings(currency: "\($0.text)") } ?? texts.dataMoneyOfMappingsNone
    let currencyChoices = [(value: "", word: ofMappings)] + currencies.sorted().map { ($0, "\($0)") }
    let dayChoices =
      [(value: "", word: texts.filterHorizonOfValues)]
      + days.sorted().map { ("\($0)", texts.filterDays(count: $0)) }
    return Panel.section(
      "money", texts.dataMoney, note: texts.dataMoneyNote,
      """
      <form class="row" method="post" action="\(DataIndexScreen.path)">\(context.formToken)\
      \(Panel.choice("money-currency", "currency", texts.filterCurrency, chosen?.currency?.text ?? "", currencyChoices))\
      \(Panel.choice("money-days", "horizon", texts.filterHorizon, chosen?.days.map { "\($0)" } ?? "", dayChoices))\
      <button class="btn" name="do" value="money">\(texts.dataMoneySave)</button></form>
      """)
  }

  /// Stores what was chosen; nothing chosen goes back to the usual.
  ///
  /// - Throws: ``ParameterError`` for what is no currency or no number of days.
  static func store(_ form: FormBody, _ context: ScreenContext) throws {
    var fields: [String: [String]] = [:]
    for name in MoneyChoice.names {
      if let text = form[name], !text.isEmpty { fields[name] = [text] }
    }
    let choice = try MoneyChoice(fields)
    try ReferenceStore(context.changes).put([ChosenMoney(currency: choice.currency, days: choice.horizon)])
  }
}
