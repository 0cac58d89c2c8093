import Ledger
import Postbacks
import Values

/// What apps took in by the App Store's notifications, as proceeds by day.
///
/// They are before commission and tax. A day between the first and the last one without a purchase took in nothing, and
/// none is later than today, whatever a notification states.
/// Source: Apple, "App Store Server Notifications".
struct SignedProceeds {
  private var rows: [AppID: [ProceedsRow]] = [:]

  init(_ purchases: [PurchaseRow], through today: Day) {
    var days: [AppID: [String: [Day: PurchaseRow]]] = [:]
    for row in purchases {
      guard let app = row.app, let day = row.day, day <= today, let currency = row.currency else { continue }
      days[app, default: [:]][currency.text, default: [:]][day] = row
    }
    for (app, currencies) in days {
      guard let first = currencies.values.flatMap(\.keys).min(),
        let last = currencies.values.flatMap(\.keys).max()
      else { continue }
      rows[app] = currencies.ordered { $0.key < $1.key }.flatMap { currency, known in
        (first.number...last.number).map { number in
          let row = known[Day(number: number)]
          return ProceedsRow(
            day: Day(number: number), app: app, currency: currency,
            proceeds: row?.proceeds.micros ?? 0,
            refunds: row?.refunded.micros ?? 0)
        }
      }
    }
  }

  var apps: Set<AppID> { Set(rows.keys) }

  /// The proceeds of an app; none where no notification came.
  subscript(app: AppID) -> [ProceedsRow] { rows[app] ?? [] }
}
