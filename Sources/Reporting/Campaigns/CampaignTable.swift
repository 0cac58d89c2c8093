package import Ledger
import MappingLibrary
import Mappings
import Postbacks
package import Tables
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
  ///   - parts: What is wanted besides the counts; all else is as if there was none.
  package convenience init(
    _ query: CampaignQuery, by naming: CampaignNaming = .none, into currency: CurrencyCode? = nil,
    from reader: LedgerReader, for parts: AnswerParts = .all
  ) throws(LedgerError) {
    let answer = try reader.consistently { () throws(LedgerError) in
      try Self.ask(query, naming, currency, reader, parts)
    }
    self.init(query, naming, answer)
  }

  /// Asks a ledger about some days, and about others, of one state of the database.
  static func compared(
    _ query: CampaignQuery, by naming: CampaignNaming, with days: Range<Day>, into currency: CurrencyCode?,
    from reader: LedgerReader, for parts: AnswerParts
  ) throws(LedgerError) -> (current: CampaignTable, earlier: CampaignTable) {
    var earlier = query
    (earlier.from, earlier.to) = (days.lowerBound, days.upperBound)
    let (first, second) = try reader.consistently { () throws(LedgerError) in
      (
        try ask(query, naming, currency, reader, parts), try ask(earlier, naming, currency, reader, parts)
      )
    }
    return (Self(query, naming, first), Self(earlier, naming, second))
  }

  private init(_ query: CampaignQuery, _ naming: CampaignNaming, _ answer: Answer) {
    self.query = query
    self.naming = naming
    let (rows, tallies, spending) = (answer.named.rows, answer.named.tallies, answer.spending)
    (self.rows, self.tallies, self.spending) = (rows, tallies, spending)
    totalTally = answer.named.total
    names = answer.named.matches
    labels = answer.named.labels
    networkNames = answer.names
    coverage = answer.coverage
    rejections = answer.rejections
    unreadableMappings = answer.catalog.unreadable
    isSpendElsewhere = answer.isSpendElsewhere
    alternatives = answer.alternatives
    partlyPaidRows = answer.partlyPaidRows
    let addedTallies = answer.named.addedTallies
    figures = rows.indices.map {
      CampaignFigures(
        rows[$0].counts, tallies[$0], adding: addedTallies[$0], spending.deliveries[$0])
    }
    let total = rows.reduce(into: CampaignCounts.zero(of: query)) { $0 += $1.counts }
    self.total = total
    totalFigures = CampaignFigures(total, totalTally, spending.totalDelivery)
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

  /// The rows of an answer as names distinguish them.
  private struct Named {
    let rows: [CampaignRow]
    let tallies: [RevenueTally]
    let addedTallies: [RevenueTally]
    let total: RevenueTally
    let labels: [CampaignLabel]
    let matches: [CampaignNames.Match]
  }

  private struct Answer {
    let named: Named
    let coverage: [CampaignDimension: CampaignAnswer.Coverage]
    let rejections: [RejectionCount]
    let catalog: MappingCatalog
    let names: CampaignNames
    let spending: Spending
    let partlyPaidRows: Int
    let isSpendElsewhere: Bool
    let alternatives: CampaignAlternatives
  }

  private static func ask(
    _ asked: CampaignQuery, _ naming: CampaignNaming, _ currency: CurrencyCode?, _ reader: LedgerReader,
    _ parts: AnswerParts
  ) throws(LedgerError) -> Answer {
    let query = naming.isEmpty ? asked : NamedRows.query(asked)
    let catalog = try parts.contains(.meanings) ? MappingCatalog(from: reader) : MappingCatalog([])
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
    let addedTallies = asked.dimensions.contains(.window) ? whole { decoded.added($0) } : tallies
    let (hasNames, hasNotes) = (!naming.isEmpty || parts.contains(.names), parts.contains(.notes))
    let names = try hasNames || parts.contains(.spend) ? CampaignNames.of(reader) : CampaignNames([])
    func matches(_ rows: [CampaignRow]) -> [CampaignNames.Match] {
      hasNames ? rows.map { match($0, names, asked) } : Array(repeating: .unknown, count: rows.count)
    }
    let ownMatches = matches(rows)
    var alternatives = rows.isEmpty && hasNotes ? try CampaignAlternatives(to: query, reader) : .none
    let named: Named
    if naming.isEmpty {
      named = Named(
        rows: rows, tallies: tallies, addedTallies: addedTallies, total: total, labels: [],
        matches: ownMatches)
    } else {
      let grouped = NamedRows(rows, tallies, adding: addedTallies, ownMatches, for: asked, by: naming)
      let isByName = !naming.dimensions.isEmpty
      named = Named(
        rows: grouped.rows, tallies: grouped.tallies, addedTallies: grouped.addedTallies,
        total: grouped.addedTallies.reduce(into: RevenueTally()) { $0.add($1) },
        labels: isByName ? grouped.labels : [],
        matches: isByName ? grouped.rows.map { _ in .unknown } : matches(grouped.rows))
      if grouped.rows.isEmpty, hasNotes { alternatives.add(naming, ownMatches) }
    }
    let arrivals = named.rows.map(\.days)
    var paid = arrivals.map { _ in (last: Day(number: .min), days: 0) }
    let spending =
      try !parts.contains(.spend)
      ? Spending(rows: named.rows.count)
      : Spending(
        reader, for: asked, rows: named.rows, labels: named.labels, by: naming, names: names, rates: rates,
        into: currency, listsUnmatched: hasNotes, received: naming.isEmpty ? nil : rows
      ) { spend, row, _, _ in
        guard hasNotes, arrivals[row].contains(spend.day), paid[row].last < spend.day else { return }
        paid[row] = (spend.day, paid[row].days + 1)
      }
    let partlyPaidRows = zip(arrivals, paid).count { arrivals, paid in
      paid.days <= Int(arrivals.upperBound.number - arrivals.lowerBound.number)
    }
    let others = Environment.allCases.filter { $0 != query.environment }
    return Answer(
      named: named, coverage: answer.coverage, rejections: hasNotes ? try reader.rejections(query) : [],
      catalog: catalog,
      names: names, spending: spending, partlyPaidRows: spending.isKnown ? partlyPaidRows : 0,
      isSpendElsewhere: hasNotes && !spending.isKnown
        ? try reader.hasSpend(from: query.from, to: query.to, of: others) : false,
      alternatives: alternatives)
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
