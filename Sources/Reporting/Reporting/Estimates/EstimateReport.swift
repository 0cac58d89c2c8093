package import Estimates
package import Ledger
import MappingLibrary
import Mappings
import Postbacks
package import Values

/// What campaigns are worth with the values that Apple withheld, and how sure that is.
package struct EstimateReport: Sendable {
  /// What is said of one campaign, or of one of its days of install, or of everything.
  package struct Row: Sendable {
    /// The campaign; `nil` for everything in one currency.
    let campaign: EstimatedCampaign?
    /// The day of install; `nil` for all that were asked for.
    package let day: Day?
    /// The currency of the amounts; `nil` for users of an event.
    package let currency: CurrencyCode?
    /// Winning first postbacks, expected to be of these days.
    package let installs: Double
    /// Those of them without a value.
    package let nulls: Double
    /// Those of them with a coarse value only.
    package let coarse: Double
    /// Those of them with a value that the mapping does not know.
    package let unmapped: Double
    /// What the values shown are worth.
    package let decoded: Double
    /// What all are worth; `nil` where nothing is known, or nothing of this campaign is shown.
    package let estimate: Double?
    /// The 90 % interval; `nil` without evidence or for an estimator that has none.
    package let interval: Interval?
    /// The share of the estimate that hidden values make up.
    package let imputedShare: Double?
    /// The estimate where hidden values are worth 30 per cent less or more than the model says.
    package let sensitivity: Interval?
    /// The least and the most it can be, whatever the hidden values are.
    package let worstCase: Interval
    /// What to know before using the numbers.
    package let flags: Set<EstimateFlag>
    /// The share of the day's first postbacks that is expected to have come by now; `nil` for several days.
    package let completeness: Double?
  }

  /// The question.
  package let query: EstimateQuery
  /// The rows, by app, network, campaign and day.
  package let rows: [Row]
  /// Everything that is shown, by currency.
  package let totals: [Row]
  /// First postbacks of a time, or of an app, without a mapping.
  package let undated: Double
  /// Whether the advertiser's own users stand behind any amounts.
  package let hasOwnUsers: Bool

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - query: The question.
  ///   - reader: The ledger.
  ///   - now: The time; what has come until then is all there is.
  /// - Throws: ``LedgerError``, ``UnknownEventError`` for an event that no mapping knows, because its estimate would be a
  ///   sure nothing, or ``EstimationError`` where a fit fails.
  package init(_ query: EstimateQuery, from reader: LedgerReader, now: Instant) throws {
    self.query = query
    let (catalog, answer) = try reader.consistently {
      () throws(LedgerError) -> (MappingCatalog, (cells: InstallCells, worth: [ValueWorthRow])?) in
      let catalog = try MappingCatalog(from: reader)
      if let event = query.event, !catalog.eventNames.contains(event) { return (catalog, nil) }
      return (catalog, (try InstallCells(reader, catalog, query, now: now), try reader.valueWorth()))
    }
    guard let (cells, worth) = answer else {
      throw UnknownEventError(event: query.event ?? "", known: catalog.eventNames.sorted())
    }
    undated = cells.undated
    var accounts: [Account] = []
    var hasOwnUsers = false
    for (scheme, campaigns) in cells.cells.sorted(by: {
      ($0.key.app, $0.key.version) < ($1.key.app, $1.key.version)
    }) {
      guard let mapping = catalog.histories[scheme.app]?.versions[scheme.version] else { continue }
      let own = worth.filter { $0.app == scheme.app && $0.effectiveFrom == mapping.effectiveFrom }
      let schemeWorth = MappingWorth(mapping, own: own, event: query.event)
      hasOwnUsers = hasOwnUsers || schemeWorth.users != nil
      accounts += try Self.estimate(
        campaigns, schemeWorth, query, currency: query.event == nil ? mapping.currency : nil)
    }
    self.hasOwnUsers = hasOwnUsers && query.event == nil
    let shown = accounts.filter { account in
      (query.apps.isEmpty || query.apps.contains(account.campaign.app))
        && (query.networks.isEmpty || query.networks.contains(account.campaign.network))
    }
    var groups: [RowKey: [Piece]] = [:]
    var all: [RowKey: [Piece]] = [:]
    for account in shown {
      for (index, day) in account.days.enumerated() {
        if let from = query.from, day < from { continue }
        if let to = query.to, day >= to { continue }
        let piece = Piece(account: account, cell: index)
        let key = RowKey(
          campaign: account.campaign, day: query.byDay ? day : nil, currency: account.currency)
        groups[key, default: []].append(piece)
        all[RowKey(campaign: nil, day: nil, currency: account.currency), default: []].append(piece)
      }
    }
    rows = groups.sorted { $0.key < $1.key }.compactMap {
      Self.row($0.key, $0.value, completeness: cells.completeness)
    }
    totals = all.sorted { $0.key < $1.key }.compactMap { Self.row($0.key, $0.value, completeness: [:]) }
  }

  /// What rows are told apart by.
  private struct RowKey: Hashable, Comparable {
    let campaign: EstimatedCampaign?
    let day: Day?
    let currency: CurrencyCode?

    static func < (a: Self, b: Self) -> Bool {
      if let first = a.campaign, let second = b.campaign, first != second { return first < second }
      if a.day != b.day { return (a.day?.number ?? 0) < (b.day?.number ?? 0) }
      return (a.currency?.text ?? "") < (b.currency?.text ?? "")
    }
  }

  /// One campaign under one version of its mapping.
  private final class Account {
    let campaign: EstimatedCampaign
    let currency: CurrencyCode?
    let days: [Day]
    let cells: [InstallCells.Cell]
    let counts: RevealedCounts
    let worth: CodeWorth
    let estimate: CampaignEstimate
    let draws: CellDraws?
    let appMean: Double
    let recalibration: Recalibration?

    init(
      _ campaign: EstimatedCampaign, _ currency: CurrencyCode?, _ days: [Day], _ cells: [InstallCells.Cell],
      _ counts: RevealedCounts, _ worth: CodeWorth, _ estimate: CampaignEstimate,
      _ draws: CellDraws?,
      _ appMean: Double, _ recalibration: Recalibration?
    ) {
      self.campaign = campaign
      self.currency = currency
      self.days = days
      self.cells = cells
      self.counts = counts
      self.worth = worth
      self.estimate = estimate
      self.draws = draws
      self.appMean = appMean
      self.recalibration = recalibration
    }
  }

  /// One cell of an account.
  private struct Piece {
    let account: Account
    let cell: Int
  }

  private static func estimate(
    _ campaigns: [EstimatedCampaign: [Day: InstallCells.Cell]], _ scheme: MappingWorth,
    _ query: EstimateQuery,
    currency: CurrencyCode?
  ) throws -> [Account] {
    let sorted = campaigns.sorted { $0.key < $1.key }.flatMap { campaign, cells in
      Self.crowds(cells.sorted { $0.key < $1.key }, query.estimator).map { (campaign: campaign, cells: $0) }
    }
    let counts = sorted.map { campaign, cells in
      RevealedCounts(
        name: campaign.name,
        cells: cells.map { CellCounts(revealed: $0.value.revealed, nulls: $0.value.nulls) })
    }
    let set = try CampaignSet(campaigns: counts, worth: scheme.worth, firstParty: scheme.users)
    let estimates = try query.estimator.estimates(of: set)
    let model = try PredictiveModel(query.estimator, of: set, seed: query.seed)
    var recalibration: Recalibration?
    if model != nil, let pool = UserPool(revealedOf: set) {
      recalibration = try Recalibration.learned(
        for: query.estimator, on: set, pool: pool, mechanism: nil, seed: query.seed)
    }
    return sorted.indices.map { index in
      Account(
        sorted[index].campaign, currency, sorted[index].cells.map(\.key), sorted[index].cells.map(\.value),
        set.campaigns[index], scheme.worth, estimates[index], model?.draws(of: set.campaigns[index]),
        set.appMean ?? 0, recalibration)
    }
  }

  /// The days whose users are one crowd: all of a campaign's, or those of a week where values are hidden one by one.
  ///
  /// A value that fewer than some number of users have is hidden in one week and shown in another; put together, weeks
  /// would look as if it were never hidden.
  private static func crowds(
    _ cells: [(key: Day, value: InstallCells.Cell)], _ estimator: Estimator
  ) -> [[(key: Day, value: InstallCells.Cell)]] {
    guard case .threshold = estimator else { return [cells] }
    // Weeks from Monday on; 1970-01-01 was a Thursday.
    let weeks = Dictionary(grouping: cells) { Int((Double($0.key.number + 3) / 7).rounded(.down)) }
    return weeks.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func row(_ key: RowKey, _ pieces: [Piece], completeness: [AppID: [Day: Double]]) -> Row? {
    var (installs, nulls, coarse, unmapped, decoded, extra) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var imputed: Double? = 0
    var (least, most, prior, revealed) = (0.0, 0.0, 0.0, 0.0)
    var flags: Set<EstimateFlag> = []
    var draws: [Double]? = nil
    var canDraw = true
    for piece in pieces {
      let account = piece.account
      let cell = account.cells[piece.cell]
      let counts = account.counts.cells[piece.cell]
      let estimate = account.estimate.cells[piece.cell]
      installs += counts.revealedTotal + cell.nulls + cell.coarse + cell.unmapped
      revealed += counts.revealedTotal
      nulls += cell.nulls
      coarse += cell.coarse
      unmapped += cell.unmapped
      decoded += estimate.decoded + cell.coarseWorth
      extra += cell.coarseWorth
      imputed = imputed.flatMap { sum in estimate.imputed.map { sum + $0 } }
      let worst = RevealedCounts(name: "", cells: [counts]).worstCase(account.worth)
      least += worst.low + cell.coarseWorth
      most += worst.high + cell.coarseWorth
      prior += (counts.revealedTotal + cell.nulls) * account.appMean
      // What is so of a campaign is so of its days; of everything, it is counted anew below.
      if key.campaign != nil { flags.formUnion(account.estimate.flags.subtracting([.nothingRevealed])) }
      if let values = account.draws?.cell(piece.cell) {
        if let known = draws { draws = zip(known, values).map(+) } else { draws = values }
      } else {
        canDraw = false
      }
    }
    if installs == 0 { return nil }
    if nulls > 0, !pieces.contains(where: { $0.account.counts.revealedTotal > 0 }) {
      flags.insert(.nothingRevealed)
    }
    let share = revealed + nulls > 0 ? nulls / (revealed + nulls) : 0
    var interval = canDraw ? draws.flatMap { Interval(of: $0) } : nil
    if let found = interval, let recalibration = pieces[0].account.recalibration {
      interval = recalibration.apply(
        to: found, priorMean: prior, nullShare: share, least: least - extra)
    }
    let total = imputed.map { decoded + $0 }
    if let found = interval, let total {
      // Draws and point differ a little where one cell is much of a campaign; what is told must not contradict itself.
      interval = Interval(low: min(found.low, total - extra), high: max(found.high, total - extra))
    }
    let mayStandAlone = flags.isDisjoint(with: [.nothingRevealed, .noEvidence])
    return Row(
      campaign: key.campaign, day: key.day, currency: key.currency, installs: installs, nulls: nulls,
      coarse: coarse, unmapped: unmapped, decoded: decoded, estimate: mayStandAlone ? total : nil,
      interval: interval.map { Interval(low: $0.low + extra, high: $0.high + extra) },
      imputedShare: imputed.flatMap { imputed in total.flatMap { $0 > 0 ? imputed / $0 : nil } },
      sensitivity: imputed.map { Interval(low: decoded + 0.7 * $0, high: decoded + 1.3 * $0) },
      worstCase: Interval(low: least, high: most), flags: flags,
      completeness: key.campaign.flatMap { campaign in
        key.day.flatMap { completeness[campaign.app]?[$0] }
      })
  }
}
