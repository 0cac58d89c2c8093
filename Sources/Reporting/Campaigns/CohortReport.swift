package import Arguments
import Ledger
import MappingLibrary
import Mappings
package import Postbacks
package import Tables
package import Values

/// What users of campaigns do over the three windows of SKAdNetwork 4 and AdAttributionKit.
package struct CohortReport: Report {
  /// The days of install, as far as Apple's timers date them.
  package var period = Period<Day>()
  package var breakdown = CohortBreakdown.campaign
  package var scope = Scope()
  package var currency: CurrencyCode?

  package init() {}

  package static let name = "cohorts"
  package static let summary = "Compare windows 1, 2 and 3 of the same installs, by campaign."
  package static let discussion = [
    "A row is a campaign, or a campaign and a week of install (UTC, from Monday on). The postbacks of a window arrive "
      + "3 to 4 (window 1), 8 to 13 (window 2) and 36 to 41 days (window 3) after the install. The install is dated "
      + ConversionWindow.allCases.map { "\(daysBefore($0))" }.joined(separator: ", ")
      + " days before the arrival, so that a day is right to within 3 days; a window that the app locks arrives "
      + "earlier. --from and --to are such days.",
    "Postbacks of windows 2 and 3 have two digits of their source identifier, so campaigns have two here. They are sent "
      + "only above the lowest privacy threshold, and only where the app has updated the value in that window.",
    "The revenue of a window is what it adds to the earlier ones: where the mapping counts a window since install, "
      + "nothing. Values that were withheld count as nothing. Versions without windows are left out.",
  ]
  package static let examples: [Command.Example] = [
    .init("Compare the windows of each campaign", "skan report cohorts -d skan.db"),
    .init(
      "Compare weeks whose windows are complete",
      "skan report cohorts -d skan.db --by week --from 2026-08-03 --to 2026-10-05"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + [
      .init("by", \.breakdown, "Breakdown of the rows; `week` is campaign and week of install.")
    ] + Parameter.all(of: \.scope) + [
      .init(
        "currency", \.currency,
        "Currency to convert amounts to, by the rates of `skan rates import`; amounts without a rate stay as they are."
      )
    ]

  package struct Row: Sendable {
    let place: Place
    fileprivate var windows = ConversionWindow.allCases.map { _ in Window() }
    fileprivate var money = ConversionWindow.allCases.map { _ in RevenueTally() }

    package var campaign: CampaignPlace {
      CampaignPlace(app: place.app, network: place.network, digits: place.campaign, name: nil)
    }

    struct Window: Sendable {
      var postbacks: Int64 = 0
      var nulls: Int64 = 0
      var coarse = CoarseValue.allCases.map { _ in Int64(0) }

      var coarseTotal: Int64 { coarse.reduce(0, +) }
    }
  }

  package struct Place: Hashable, Sendable, Comparable {
    let app: AppID
    let network: String
    let campaign: String
    /// The Monday of the week of install; `nil` for all weeks.
    let week: Day?

    package static func < (a: Self, b: Self) -> Bool {
      (a.app.number, a.network, a.campaign, a.week?.number ?? 0)
        < (b.app.number, b.network, b.campaign, b.week?.number ?? 0)
    }
  }

  package static let columns: [Column<Row>] = layout(byWeek: true)

  package var shownColumns: [Column<Row>] { Self.layout(byWeek: breakdown == .week) }

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let found = try gathered(from: source.reader)
    var rows = Rows.held(found)
    let last = Day(number: source.now.day.number - Int32(Self.daysToArrive(.third).upperBound + 1))
    rows.notes = scope.environment.notes
    if !found.isEmpty {
      rows.notes.append(
        Sentence(
          "windows are complete for installs up to \(last); of later ones windows 2 and 3 are still to come, so add "
            + "--to \(last.next) to compare them"))
    }
    rows.noteIfEmpty = Sentence("no winning postbacks of SKAdNetwork 4 or AdAttributionKit")
    return rows
  }

  // MARK: Gathering

  /// The days after the install on which postbacks of a window arrive.
  package static func daysToArrive(_ window: ConversionWindow) -> ClosedRange<Int> {
    let (finality, departure) = (
      window.seconds.upperBound, AppleTimers.departure(version: .v4_0, window: window)
    )
    let day = Day.seconds
    return Int((finality + departure.lowerBound) / day)...Int((finality + departure.upperBound) / day)
  }

  /// Days before the arrival of a window on which the install is dated: the middle of those days, without its half.
  package static func daysBefore(_ window: ConversionWindow) -> Int {
    let days = daysToArrive(window)
    return (days.lowerBound + days.upperBound) / 2
  }

  private static func installDay(of arrival: Day, _ window: ConversionWindow) -> Day {
    Day(number: arrival.number - Int32(daysBefore(window)))
  }

  func gathered(from reader: LedgerReader) throws(LedgerError) -> [Row] {
    try reader.consistently { () throws(LedgerError) -> [Row] in
      let catalog = try MappingCatalog(from: reader)
      var tallier = Tallier(
        catalog, timers: scope.environment.timers, keepsWindowsApart: false,
        rates: ExchangeRates(currency == nil ? [] : try reader.rates()), into: currency)
      let counted = try reader.campaigns(
        CampaignQuery(
          environment: scope.environment, apps: scope.apps, networks: scope.networks,
          dimensions: [.day, .app, .network, .campaign, .version, .window], digits: 2),
        decodingFor: catalog.apps, hourly: catalog.hourlyDays(scope.environment.timers),
        isDaily: currency != nil
      ) { tallier.add($1, toRow: $0) }
      let tallies = tallier.tallies()
      var rows: [Place: Row] = [:]
      for (index, row) in counted.rows.enumerated() {
        guard let arrival = row.day, let window = row.window, let app = row.app, let network = row.network,
          case .sourceIdentifier(let campaign)? = row.campaign
        else { continue }
        let day = Self.installDay(of: arrival, window)
        if let from = period.from, day < from { continue }
        if let to = period.to, day >= to { continue }
        let place = Place(
          app: app, network: network, campaign: campaign.text, week: breakdown == .week ? day.monday : nil)
        rows[place, default: Row(place: place)].add(row.counts, tallies[index], window)
      }
      return rows.values.filter { $0.windows.contains { $0.postbacks > 0 } }.sorted { $0.place < $1.place }
    }
  }

  // MARK: Columns

  private static func title(of value: CoarseValue, _ window: Int) -> Sentence.Words {
    switch value {
    case .low: "low % \(window)"
    case .medium: "medium % \(window)"
    case .high: "high % \(window)"
    }
  }

  private static func layout(byWeek: Bool) -> [Column<Row>] {
    let week = Column<Row>(
      "install-week", "install week",
      "Monday of the week of install, by the middle of Apple's delays.",
      shown: .onRequest, \.place.week)
    return [app, network, campaign] + (byWeek ? [week] : []) + ConversionWindow.allCases.flatMap(figures)
  }

  package static let app = Column<Row>("app", "app", "App Store number of the advertised app.") {
    Identifier("\($0.place.app.number)")
  }
  package static let network = Column<Row>("network", "network", "Ad network.") {
    Identifier($0.place.network)
  }
  package static let campaign = Column<Row>(
    "campaign", "campaign", "Last two digits of the source identifier."
  ) { Identifier($0.place.campaign) }

  package static func postbacks(_ window: ConversionWindow) -> Column<Row> {
    let (index, number) = (window.rawValue, window.rawValue + 1)
    return Column("postbacks-\(number)", "window \(number)", "Winning postbacks of window \(number).") {
      $0.windows[index].postbacks
    }
  }

  private static func figures(of window: ConversionWindow) -> [Column<Row>] {
    let (index, number) = (window.rawValue, window.rawValue + 1)
    var columns = [postbacks(window)]
    if window != .first {
      columns.append(
        Column(
          "share-of-window-1-\(number)", "of window 1",
          "Winning postbacks of window \(number) by those of window 1.", shown: .whereUseful
        ) { Share($0.windows[index].postbacks, of: $0.windows[0].postbacks) })
    }
    columns.append(
      Column(
        "null-share-\(number)", "withheld % \(number)", "Those of them without any value, of all of them."
      ) {
        Share($0.windows[index].nulls, of: $0.windows[index].postbacks)
      })
    for (step, value) in CoarseValue.allCases.enumerated() {
      columns.append(
        Column(
          "coarse-\(value.rawValue)-share-\(number)", title(of: value, number),
          "Those of them with the coarse value \(Sentence(.init(stringLiteral: value.rawValue))), of those with a coarse value.",
          shown: window == .first ? .forPrograms : .whereUseful
        ) { Share($0.windows[index].coarse[step], of: $0.windows[index].coarseTotal) })
    }
    columns.append(
      .each(
        "revenue-added-\(number)-{}", "{} of window \(number)",
        "Revenue mid that the values shown add to that of earlier windows.",
        keys: { $0.money.flatMap { Array($0.money.keys) } }
      ) { row, currency in row.money[index].money[currency]?.representative })
    return columns
  }
}

package enum CohortBreakdown: String, CaseIterable, ParameterValue { case campaign, week }

extension CohortReport.Row {
  fileprivate mutating func add(_ counts: CampaignCounts, _ tally: RevenueTally, _ window: ConversionWindow) {
    windows[window.rawValue].postbacks += counts.winners
    windows[window.rawValue].nulls += counts.valueNull
    for (step, value) in CoarseValue.allCases.enumerated() {
      windows[window.rawValue].coarse[step] += counts.coarse(value)
    }
    money[window.rawValue].add(tally)
  }
}
