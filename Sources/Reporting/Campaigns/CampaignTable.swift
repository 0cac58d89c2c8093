package import Ledger
import MappingLibrary
import Mappings
import Postbacks
package import Values

/// What arrived, by campaign, with all that a report prints beside it.
///
/// It is a class, because every row of a report refers to it.
package final class CampaignTable: Sendable {
  package let query: CampaignQuery
  package let rows: [CampaignRow]
  /// How many postbacks have a dimension that not all have.
  let coverage: [CampaignDimension: CampaignAnswer.Coverage]
  /// What the values of each row come to.
  package let tallies: [RevenueTally]
  let totalTally: RevenueTally
  let names: [CampaignNames.Match]
  /// What of the names of campaigns distinguishes rows and decides what counts.
  let naming: CampaignNaming
  /// What each row's campaigns are called; none unless rows are distinguished by it.
  let labels: [CampaignLabel]
  let networkNames: CampaignNames
  let spending: Spending
  /// Rows without spend on one of the days from their first to their last postback, so that their spend is not all that
  /// their postbacks cost; 0 where there is no spend at all.
  let partlyPaidRows: Int
  let figures: [CampaignFigures]
  /// What all of them come to, with the spend of no row.
  let totalFigures: CampaignFigures
  /// Whether nothing was paid for postbacks of this environment, but something for those of another one.
  let isSpendElsewhere: Bool
  /// What would have rows; nothing where the report itself has some.
  let alternatives: CampaignAlternatives
  /// Files of mappings that can't be understood any more, so that nothing is decoded by them.
  package let unreadableMappings: [String]
  /// What was rejected in the same days: all of it, or, where the question names apps or networks, the kept bodies
  /// that claim to be theirs.
  package let rejections: [RejectionCount]
  let total: CampaignCounts
  let currencies: [CurrencyCode]
  let events: [String]

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - naming: What of the campaigns' names distinguishes rows besides, and decides what counts.
  ///   - currency: What foreign currencies are turned into where there is a rate for the day; `nil` leaves them as they
  ///     are.
  package convenience init(
    _ query: CampaignQuery, by naming: CampaignNaming = .none, into currency: CurrencyCode? = nil,
    from reader: LedgerReader
  ) throws(LedgerError) {
    let answer = try reader.consistently { () throws(LedgerError) in
      try Self.ask(query, naming, currency, reader)
    }
    self.init(query, naming, answer, currency)
  }

  /// Asks a ledger about some days, and about others, of one state of the database.
  static func compared(
    _ query: CampaignQuery, by naming: CampaignNaming, with days: Range<Day>, into currency: CurrencyCode?,
    from reader: LedgerReader
  ) throws(LedgerError) -> (current: CampaignTable, earlier: CampaignTable) {
    var earlier = query
    (earlier.from, earlier.to) = (days.lowerBound, days.upperBound)
    let (first, second) = try reader.consistently { () throws(LedgerError) in
      (try ask(query, naming, currency, reader), try ask(earlier, naming, currency, reader))
    }
    return (Self(query, naming, first, currency), Self(earlier, naming, second, currency))
  }

  private init(
    _ query: CampaignQuery, _ naming: CampaignNaming, _ answer: Answer, _ currency: CurrencyCode?
  ) {
    self.query = query
    self.naming = naming
    let names = CampaignNames(answer.names)
    let matches = answer.rows.map { Self.match($0, names, query) }
    let addedTallies: [RevenueTally]
    var alternatives = answer.alternatives
    if naming.isEmpty {
      (rows, tallies, self.names, labels) = (answer.rows, answer.tallies, matches, [])
      addedTallies = answer.addedTallies
      totalTally = answer.total
    } else {
      let named = NamedRows(
        answer.rows, answer.tallies, adding: answer.addedTallies, matches, for: query, by: naming)
      (rows, tallies, addedTallies) = (named.rows, named.tallies, named.addedTallies)
      totalTally = addedTallies.reduce(into: RevenueTally()) { $0.add($1) }
      if naming.dimensions.isEmpty {
        labels = []
        self.names = rows.map { Self.match($0, names, query) }
      } else {
        labels = named.labels
        self.names = rows.map { _ in .unknown }
      }
      if rows.isEmpty { alternatives.add(naming, matches) }
    }
    coverage = answer.coverage
    rejections = answer.rejections
    unreadableMappings = answer.catalog.unreadable
    networkNames = names
    isSpendElsewhere = answer.isSpendElsewhere
    self.alternatives = alternatives
    let arrivals = answer.spend.isEmpty ? [] : rows.map(\.days)
    // Spend comes in the order of its days.
    var paid = arrivals.map { _ in (last: Day(number: .min), days: 0) }
    let spending = Spending(
      answer.spend, for: query, rows: rows, labels: labels, by: naming, names: names, rates: answer.rates,
      into: currency, received: naming.isEmpty ? nil : answer.rows
    ) { spend, row, _, _ in
      guard arrivals[row].contains(spend.day), paid[row].last < spend.day else { return }
      paid[row] = (spend.day, paid[row].days + 1)
    }
    partlyPaidRows = zip(arrivals, paid).count { arrivals, paid in
      paid.days <= Int(arrivals.upperBound.number - arrivals.lowerBound.number)
    }
    self.spending = spending
    let (rows, tallies) = (rows, tallies)
    figures = rows.indices.map {
      CampaignFigures(
        rows[$0].counts, tallies[$0], adding: addedTallies[$0], spending.rows[$0], spending.deliveries[$0])
    }
    let total = rows.reduce(into: CampaignCounts.zero(of: query)) { $0 += $1.counts }
    self.total = total
    totalFigures = CampaignFigures(total, totalTally, spending.total, spending.totalDelivery)
    currencies = tallies.reduce(into: [CurrencyCode]()) { found, tally in
      for currency in tally.money.keys where !found.contains(currency) { found.append(currency) }
    }.sorted()
    events = tallies.reduce(into: Set()) { found, tally in
      if !tally.events.isEmpty { found.formUnion(tally.events.keys) }
    }.sorted()
  }

  func match(_ row: CampaignRow) -> CampaignNames.Match {
    Self.match(row, networkNames, query)
  }

  private static func match(
    _ row: CampaignRow, _ names: CampaignNames, _ query: CampaignQuery
  ) -> CampaignNames.Match {
    guard let network = row.network, let campaign = row.campaign, names.hasCampaigns(of: network) else {
      return .unknown
    }
    let app = row.app ?? (query.apps.count == 1 ? query.apps.first : nil)
    return names.match(
      network: network, campaign: campaign, app: app?.number,
      days: launchDays(of: row, query.environment.timers))
  }

  /// The days on which the apps of a row's postbacks were launched first, as Apple's timers allow for its version and
  /// window; without them, for a first window of version 4.
  private static func launchDays(of row: CampaignRow, _ timers: DeviceTimers) -> ClosedRange<Day> {
    let (version, window) = (row.version ?? .v4_0, row.window ?? .first)
    let earliest = AppleTimers.firstLaunch(
      version: version, window: window, timers: timers, receivedAt: row.days.lowerBound.start)
    let latest = AppleTimers.firstLaunch(
      version: version, window: window, timers: timers, receivedAt: row.days.upperBound.next.start)
    return earliest.earliest.day...latest.latest.day
  }

  private struct Answer {
    let rows: [CampaignRow]
    let coverage: [CampaignDimension: CampaignAnswer.Coverage]
    let tallies: [RevenueTally]
    let addedTallies: [RevenueTally]
    let total: RevenueTally
    let rejections: [RejectionCount]
    let catalog: MappingCatalog
    let names: [CampaignNameRow]
    let spend: [SpendRow]
    let isSpendElsewhere: Bool
    let rates: ExchangeRates
    let alternatives: CampaignAlternatives
  }

  private static func ask(
    _ asked: CampaignQuery, _ naming: CampaignNaming, _ currency: CurrencyCode?, _ reader: LedgerReader
  ) throws(LedgerError) -> Answer {
    let query = naming.isEmpty ? asked : NamedRows.query(asked)
    let catalog = try MappingCatalog(from: reader)
    let rates = ExchangeRates(currency == nil ? [] : try reader.rates())
    var tallier = Tallier(
      catalog, timers: query.environment.timers, keepsWindowsApart: asked.dimensions.contains(.window),
      rates: rates, into: currency)
    let answer = try reader.campaigns(
      query, decodingFor: catalog.apps, hourly: catalog.hourlyDays(query.environment.timers),
      // Rates are of days.
      isDaily: currency != nil
    ) {
      tallier.add($1, toRow: $0)
    }
    let rows = answer.rows
    func whole(_ tally: (Int) -> RevenueTally) -> [RevenueTally] {
      rows.indices.map { index in
        var tally = tally(index)
        tally.undated = rows[index].counts.withMeaning - tally.decoded - tally.unmapped
        return tally
      }
    }
    let decoded = tallier.tallies()
    let tallies = whole { decoded[$0] }
    var total = decoded.total
    total.undated = tallies.reduce(0) { $0 + $1.undated }
    let spend = try reader.spend(from: query.from, to: query.to, environment: query.environment)
    let others = Environment.allCases.filter { $0 != query.environment }
    return Answer(
      rows: rows, coverage: answer.coverage, tallies: tallies,
      addedTallies: asked.dimensions.contains(.window) ? whole { decoded.added($0) } : tallies, total: total,
      rejections: try reader.rejections(query),
      catalog: catalog, names: try reader.campaignNames(), spend: spend,
      isSpendElsewhere: spend.isEmpty
        ? try reader.hasSpend(from: query.from, to: query.to, of: others) : false,
      rates: rates, alternatives: rows.isEmpty ? try CampaignAlternatives(to: query, reader) : .none)
  }
}

extension CampaignCounts {
  var withMeaning: Int64 { winners - valueNull - valueRejected }

  /// Winning postbacks of the first window: installs of any kind.
  package var installsOfAnyKind: Int64 { installs + redownloads + reengagements + others }
}

extension Campaign {
  package var kind: String { if case .campaignID = self { "campaign-id" } else { "source-identifier" } }
}
