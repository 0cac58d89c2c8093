import JSONText
package import Ledger
import MappingLibrary
import Mappings
import Postbacks
package import Values
import Verification

/// The campaign table: what arrived, by campaign.
package struct CampaignReport: Sendable {
  /// The question.
  package let query: CampaignQuery
  /// The answer's rows.
  package let rows: [CampaignRow]
  /// What the values of each row come to.
  package let tallies: [RevenueTally]
  /// What all of them come to, of windows that add up.
  let totalTally: RevenueTally
  /// What each row's campaign is called.
  let names: [CampaignNames.Match]
  /// Whether any row's campaign has a name.
  let hasNames: Bool
  /// What was paid for the rows.
  let spending: Spending
  /// Whether nothing was paid for postbacks of this environment, but something for those of another one.
  let isSpendElsewhere: Bool
  /// What would have rows; nothing where the report itself has some.
  let alternatives: CampaignAlternatives
  /// Files of mappings that can't be understood any more, so that nothing is decoded by them.
  package let unreadableMappings: [String]
  /// What was not believed in the same days: all of it, or, where the question names apps or networks, the kept bodies
  /// that claim to be theirs.
  package let rejections: [RejectionCount]
  // Sums over all rows are made once: a cell of a table or a spreadsheet asks for them.
  /// All rows together.
  let total: CampaignCounts
  /// The currencies that any row has money in, by code.
  let currencies: [CurrencyCode]
  /// The events that users of any row did, by name.
  let events: [String]

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - query: The question.
  ///   - currency: What foreign currencies are turned into where there is a rate for the day; `nil` leaves them as they
  ///     are.
  ///   - reader: The ledger.
  /// - Throws: ``LedgerError``.
  package init(
    _ query: CampaignQuery, into currency: CurrencyCode? = nil, from reader: LedgerReader
  ) throws(LedgerError) {
    self.query = query
    let answer = try reader.consistently { () throws(LedgerError) in try Self.ask(query, currency, reader) }
    rows = answer.rows
    tallies = answer.tallies
    totalTally = answer.total
    rejections = answer.rejections
    unreadableMappings = answer.catalog.unreadable
    let names = CampaignNames(answer.names)
    self.names = answer.rows.map { row in
      guard let network = row.network, let campaign = row.campaign else { return .unknown }
      return names.match(
        network: network, campaign: campaign, days: Self.launchDays(of: row, query.environment.timers))
    }
    hasNames = self.names.contains { $0 != .unknown }
    isSpendElsewhere = answer.isSpendElsewhere
    alternatives = answer.alternatives
    spending = Spending(
      answer.spend, for: query, rows: answer.rows, names: names, rates: answer.rates, into: currency)
    total = rows.reduce(into: .zero) { $0 += $1.counts }
    currencies = Set(tallies.flatMap { $0.money.keys }).sorted { $0.text < $1.text }
    events = Set(tallies.flatMap { $0.events.keys }).sorted()
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

  /// What one state of the database answers.
  private struct Answer {
    let rows: [CampaignRow]
    let tallies: [RevenueTally]
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
    _ query: CampaignQuery, _ currency: CurrencyCode?, _ reader: LedgerReader
  ) throws(LedgerError) -> Answer {
    let catalog = try MappingCatalog(from: reader)
    let rates = ExchangeRates(currency == nil ? [] : try reader.rates())
    var tallier = Tallier(
      catalog, timers: query.environment.timers, keepsWindowsApart: query.dimensions.contains(.window),
      rates: rates, into: currency)
    let rows = try reader.campaigns(
      query, decodingFor: catalog.apps, hourly: catalog.hourlyDays(query.environment.timers)
    ) {
      tallier.add($1, toRow: $0)
    }
    let tallies = rows.indices.map { index in
      var tally = tallier.tallies[index] ?? RevenueTally()
      tally.undated = rows[index].counts.withMeaning - tally.decoded - tally.unmapped
      return tally
    }
    var total = tallier.total
    total.undated = tallies.reduce(0) { $0 + $1.undated }
    let spend = try reader.spend(from: query.from, to: query.to, environment: query.environment)
    let others = Environment.allCases.filter { $0 != query.environment }
    return Answer(
      rows: rows, tallies: tallies, total: total, rejections: try reader.rejections(query),
      catalog: catalog, names: try reader.campaignNames(), spend: spend,
      isSpendElsewhere: spend.isEmpty
        ? try reader.hasSpend(from: query.from, to: query.to, of: others) : false,
      rates: rates, alternatives: rows.isEmpty ? try CampaignAlternatives(to: query, reader) : .none)
  }
}

/// A count that a campaign report shows, with its names for machines and for people.
struct CampaignMeasure {
  let name: String
  let title: String
  /// Whether the table for people shows it even where it is zero in all rows.
  let isAlwaysShown: Bool
  let value: @Sendable (CampaignCounts) -> Int64

  init(
    _ name: String, _ title: String, always: Bool = false,
    _ value: @escaping @Sendable (CampaignCounts) -> Int64
  ) {
    self.name = name
    self.title = title
    isAlwaysShown = always
    self.value = value
  }

  static let all: [CampaignMeasure] = [
    CampaignMeasure("postbacks", "postbacks", always: true) { $0.postbacks },
    CampaignMeasure("installs", "installs", always: true) { $0.installs },
    CampaignMeasure("redownloads", "redownl.") { $0.redownloads },
    CampaignMeasure("re-engagements", "re-eng.") { $0.reengagements },
    CampaignMeasure("assists", "assists") { $0.assists },
    CampaignMeasure("other-conversions", "other") { $0.others },
    CampaignMeasure("views", "views") { $0.views },
    CampaignMeasure("clicks", "clicks") { $0.clicks },
    CampaignMeasure("values-null", "null", always: true) { $0.valueNull },
    CampaignMeasure("values-zero", "zero", always: true) { $0.fineZero },
    CampaignMeasure("values-positive", "1–63", always: true) { $0.finePositive },
    CampaignMeasure("coarse-null", "coarse null") { $0.coarseNull },
    CampaignMeasure("coarse-low", "low") { $0.coarse(.low) },
    CampaignMeasure("coarse-medium", "medium") { $0.coarse(.medium) },
    CampaignMeasure("coarse-high", "high") { $0.coarse(.high) },
    CampaignMeasure("values-rejected", "impossible") { $0.valueRejected },
    CampaignMeasure("copies", "copies") { $0.repeats },
    CampaignMeasure("conflicts", "conflicts") { $0.conflicts },
  ]
}

extension CampaignCounts {
  /// Winning postbacks with a value that a mapping can know.
  var withMeaning: Int64 { winners - valueNull - valueRejected }

  /// Winning postbacks of the first window: installs of any kind.
  var installsOfAnyKind: Int64 { installs + redownloads + reengagements + others }
}

extension CampaignRow {
  /// The value of a dimension, as text for a table.
  func text(_ dimension: CampaignDimension) -> String {
    switch dimension {
    case .day: day.map { "\($0)" } ?? ""
    case .app: app.map { "\($0.number)" } ?? ""
    case .network: network ?? ""
    case .campaign: campaign?.text ?? ""
    case .version: version?.rawValue ?? ""
    case .window: window.map { "\($0.rawValue)" } ?? ""
    }
  }

  /// The members of a row that tell it apart.
  func members(_ dimension: CampaignDimension) -> [JSONOutput.Member] {
    switch dimension {
    case .app: [.init("app", app.map { .integer($0.number) } ?? .null)]
    case .window: [.init("window", window.map { .integer(Int64($0.rawValue)) } ?? .null)]
    case .campaign:
      [
        .init("campaign", .optional(campaign?.text)),
        .init(
          "campaign-kind",
          .optional(
            campaign?.kind)),
      ]
    case .day, .network, .version: [.init(dimension.rawValue, .string(text(dimension)))]
    }
  }
}

extension Campaign {
  /// Which of the two numberings it is of, as a word.
  var kind: String { if case .campaignID = self { "campaign-id" } else { "source-identifier" } }
}
