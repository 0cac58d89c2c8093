package import Campaigns
package import Ledger
import MappingLibrary
import Mappings
package import Postbacks
package import Values

/// What estimated money is of by default: a currency, and the days after install that count.
package struct ReportingMoney: Hashable, Sendable {
  /// `nil` where no app has a mapping, so that there is no money.
  package var currency: CurrencyCode?
  /// Days after install; `nil` for the hours that values count.
  package var days: Int?

  package init(currency: CurrencyCode? = nil, days: Int? = nil) {
    (self.currency, self.days) = (currency, days)
  }

  /// The choice of the service; without one the currency that most apps' mappings in force have, and the hours that values
  /// count.
  ///
  /// - Parameters:
  ///   - apps: The apps that are asked for; none for all. The days are those that values count where nothing is known of
  ///     their own users by the days of choice.
  /// - Throws: ``LedgerError``.
  package init(
    ofService reader: LedgerReader, for apps: [AppID] = [], now: Instant
  ) throws(LedgerError) {
    let chosen = try reader.imported(ChosenMoney.self).first
    currency =
      if let currency = chosen?.currency { currency } else { try Self.usualCurrency(reader, now: now) }
    guard let chosen = chosen?.days else { return }
    let isKnown = try reader.valueWorth().contains {
      $0.horizon == .days(chosen) && (apps.isEmpty || apps.contains($0.app))
    }
    days = isKnown ? chosen : nil
  }

  /// The currency that most apps' mappings in force have, the first of the alphabet where several have as many apps.
  package static func usualCurrency(
    _ reader: LedgerReader, now: Instant
  ) throws(LedgerError) -> CurrencyCode? {
    let inForce = try MappingCatalog(from: reader).inForce(at: now).values
    let apps = Dictionary(grouping: inForce, by: \.currency).mapValues(\.count)
    return apps.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  /// How many hours after install values count, of each app asked for: as many as its mapping in force states, and `nil` for
  /// one that sets no end.
  package static func hours(
    of apps: [AppID], _ reader: LedgerReader, now: Instant
  ) throws(LedgerError) -> Set<Int?> {
    let inForce = try MappingCatalog(from: reader).inForce(at: now)
    return Set(inForce.filter { apps.isEmpty || apps.contains($0.key) }.values.map(\.fineHours))
  }
}

extension MappingCatalog {
  /// The version of each app's mapping that is in force; the first one where none is yet.
  fileprivate func inForce(at now: Instant) -> [AppID: Mapping] {
    histories.compactMapValues { history in
      history.versions.last { $0.effectiveFrom <= now } ?? history.versions.first
    }
  }
}

extension EstimateReport {
  /// Estimated money of the installs of some days.
  package init(
    _ days: Range<Day>, _ scope: Scope, by: [EstimateDimension] = [.campaign], in money: ReportingMoney
  ) {
    self.init()
    (period.from, period.to) = (days.lowerBound, days.upperBound)
    (self.scope, self.by) = (scope, by)
    (currency, self.days) = (money.currency, money.days)
  }

  /// How many days of installs pages show where none are chosen.
  package static let usualDays: Int32 = 28

  /// The last days of installs of which most postbacks have arrived, because returns of later days can only rise.
  package static func installDays(_ count: Int32 = usualDays, at now: Instant) -> Range<Day> {
    let end = Day(number: now.day.next.number - daysToArrive)
    return Day(number: end.number - count)..<end
  }

  /// The last days of installs, of which postbacks are still to come.
  package static func lastDays(at now: Instant) -> Range<Day> {
    Day(number: now.day.number - 7)..<now.day.next
  }

  /// What pages of money ask where nothing is chosen: campaigns of the usual days, what the days before them come to, and each
  /// day.
  static func usual(of reader: LedgerReader, now: Instant) throws(LedgerError) -> [Self] {
    let money = try ReportingMoney(ofService: reader, now: now)
    let days = installDays(at: now)
    let before = Day(number: days.lowerBound.number - usualDays)..<days.lowerBound
    return [
      Self(days, Scope(), in: money), Self(before, Scope(), in: money).ofTotals,
      Self(days, Scope(), by: [.day], in: money),
    ]
  }

  /// The same question without its rows, where only what they come to is shown.
  package var ofTotals: Self {
    var report = self
    report.part.hasRows = false
    return report
  }
}
