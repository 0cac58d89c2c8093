import Ledger
import Markup
import Pages
import Postbacks
import Values

extension FilterForm {
  /// Adds the choice of the currency that amounts are converted to, among those that rates lead to.
  ///
  /// - Parameter usual: What the choice of none is called; `nil` where amounts then stay as they are.
  mutating func currency(
    _ current: CurrencyCode?, rates: [RateRow], usual: HTML? = nil, _ texts: Texts
  ) {
    let known = Set(rates.map(\.quote) + rates.map(\.currency)).sorted()
    guard !known.isEmpty || current != nil else { return }
    choice(
      "currency", texts.filterCurrency, current?.text ?? "",
      [("", usual ?? texts.filterCurrencyOwn)]
        + (known + [current?.text].compactMap { $0 }.filter { !known.contains($0) }).map { ($0, "\($0)") })
  }

  /// Adds the choice of the days since install whose revenue counts, among those that own users of any mapping version are
  /// measured by; a report leaves out versions of which none are, such as one that began lately.
  ///
  /// - Parameter usual: What the choice of none is called; `nil` where the hours that values count then count.
  mutating func horizon(
    _ current: Int?, known worths: [ValueWorthRow], of apps: [AppID], usual: HTML? = nil, _ texts: Texts
  ) {
    let known = worths.filter { apps.isEmpty || apps.contains($0.app) }.compactMap { row -> Int? in
      if case .days(let days) = row.horizon { days } else { nil }
    }
    let all = Set(known).union(current.map { [$0] } ?? []).sorted()
    guard !all.isEmpty else { return }
    choice(
      "horizon", texts.filterHorizon, current.map { "\($0)" } ?? "",
      [("", usual ?? texts.filterHorizonOfValues)] + all.map { ("\($0)", texts.filterDays(count: $0)) })
  }
}
