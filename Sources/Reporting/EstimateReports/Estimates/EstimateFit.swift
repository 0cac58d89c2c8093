import Arguments
package import Campaigns
import Estimates
package import Ledger
import MappingLibrary
import Mappings
import Postbacks
import System
package import Values

/// What all estimates of one state of a database follow from, whatever days, rows, money and verdicts are asked for.
///
/// Campaigns of a version of a mapping are fitted when a question is of them, once. Of very many campaigns it has what they show as a
/// whole, and a fit of the days of each question beside.
final class EstimateFit: KeptPart {
  /// The campaigns of a version of a mapping, in order, with their groups and with what their parts show.
  struct FittedVersion: Sendable {
    let campaigns: [EstimatedCampaign]
    let groups: [[EstimatedCrowd]]
    let parts: [[Day: [InstallCells.Part]]]
  }

  /// What the campaigns of a version show as a whole, in order, where they are very many.
  fileprivate struct VersionPrior: Sendable {
    let campaigns: [EstimatedCampaign]
    let prior: CrowdPrior
  }

  /// How many fits of days are kept: those of a page with the days before it, of two pages.
  private static let mostAsked = 4
  /// Those of one campaign are small, and are not to take the place of the usual ones.
  private static let mostAnswers = 24
  /// Cells of more days are not kept, so that they do not take the place of the usual ones.
  private static let mostBytesOfDays = 48 << 20

  let catalog: MappingCatalog
  let cells: InstallCells
  let worths: MappingWorths
  /// Campaigns with coarse values in the later windows.
  let laterWindows: Set<EstimatedCampaign>
  private let settings: FitSettings
  private let bytesOfCells: Int
  private let fitted = MadeOnce<InstallCells.Scheme, FittedVersion>()
  private let whole: Whole
  private let asked = MadeOnce<CellDays, EstimateFit>(most: mostAsked)
  /// The answers to the last questions, with the draws that were made for them.
  let answers = MadeOnce<EstimateQuestion, EstimateReport.Estimated>(most: mostAnswers)

  /// What days of very many campaigns are estimated from.
  fileprivate final class Whole: Sendable {
    let cells: InstallCells
    let priors = MadeOnce<InstallCells.Scheme, VersionPrior>()

    init(_ cells: InstallCells) { self.cells = cells }
  }

  /// Gathers what is to be fitted; what arrived until `now` is all there is.
  ///
  /// - Parameters:
  ///   - days: Which days are one cell of very many campaigns, where cells are of a question.
  ///   - spend: What was paid for campaigns; asked for where it decides which days are one cell.
  /// - Throws: ``LedgerError``, or ``ParameterError`` for an event that no mapping knows.
  init(
    _ settings: FitSettings, _ days: CellDays, from reader: LedgerReader, now: Instant,
    spend: (Set<EstimatedCampaign>) throws(LedgerError) -> PaidDays?
  ) throws {
    let catalog = try MappingCatalog(from: reader)
    if let event = settings.event, !catalog.eventNames.contains(event) {
      throw ParameterError.unknownEvent(event, of: "event", known: catalog.eventNames)
    }
    let worths = MappingWorths(
      catalog, try reader.valueWorth(), within: try reader.withinValues(), horizon: settings.horizon,
      event: settings.event)
    cells = try InstallCells(
      reader, catalog, settings, days, now: now, spend: spend, worth: worths.mean)
    whole = Whole(cells)
    laterWindows = try Self.laterWindows(settings, from: reader)
    bytesOfCells = Self.bytes(of: cells)
    (self.catalog, self.worths, self.settings) = (catalog, worths, settings)
  }

  /// Gathers days of very many campaigns.
  private init(
    _ days: CellDays, of fit: EstimateFit, from reader: LedgerReader, now: Instant,
    spend: (Set<EstimatedCampaign>) throws(LedgerError) -> PaidDays?
  ) throws(LedgerError) {
    (catalog, worths, settings) = (fit.catalog, fit.worths, fit.settings)
    (laterWindows, whole) = (fit.laterWindows, fit.whole)
    cells = try fit.cells.asked(
      reader, catalog, settings, days, now: now, spend: spend, worth: worths.mean)
    bytesOfCells = Self.bytes(of: cells)
  }

  /// The fit that a question is answered from, as the source keeps it or made now, and when it was made where newer
  /// conversions are not in it.
  static func of(
    _ report: EstimateReport, from source: ReportSource, now: Instant,
    spend: (Set<EstimatedCampaign>) throws(LedgerError) -> PaidDays?
  ) throws -> (EstimateFit, madeAt: Instant?) {
    let (settings, days) = (FitSettings(report), CellDays(report))
    func make() throws -> EstimateFit {
      try EstimateFit(settings, days, from: source.reader, now: now, spend: spend)
    }
    func kept(canBeBehind: Bool) throws -> (EstimateFit, madeAt: Instant?) {
      guard let keeper = source.keeper else { return (try make(), nil) }
      let state = PartKeeper.State(try source.reader.estimateInputs(), now)
      return try keeper.part(
        FitKey(settings, days), of: state, now: source.now, canBeBehind: canBeBehind,
        mayMake: source.makesParts, make)
    }
    var (fit, madeAt) = try kept(canBeBehind: source.canBeBehind)
    guard fit.hasQuestions else { return (fit, madeAt) }
    // Days are gathered from the database as it is now.
    if madeAt != nil, !fit.asked.has(days) { (fit, madeAt) = try kept(canBeBehind: false) }
    func ask() throws -> EstimateFit {
      try EstimateFit(days, of: fit, from: source.reader, now: now, spend: spend)
    }
    if days.areApart {
      let asked = try fit.asked.value(
        days, mayMake: source.makesParts, where: { $0.bytesOfCells <= mostBytesOfDays }, ask)
      return (asked, madeAt)
    }
    guard source.makesParts else { throw PartIsMissing() }
    return (try ask(), madeAt)
  }

  /// Whether it has fits of days.
  private var hasQuestions: Bool { cells.areMany && !cells.areOfQuestion }

  private static func laterWindows(
    _ settings: FitSettings, from reader: LedgerReader
  ) throws(LedgerError) -> Set<EstimatedCampaign> {
    let later = try reader.campaigns(
      CampaignQuery(
        environment: settings.environment,
        conditions: [CampaignCondition(.window, isExcluded: true, ["1"])],
        dimensions: [.app, .network, .campaign], digits: settings.digits), decodingFor: []
    ) { _, _ in }
    return Set(
      later.rows.compactMap { row in
        guard CoarseValue.allCases.contains(where: { row.counts.coarse($0) > 0 }),
          let app = row.app, let network = row.network, let campaign = row.campaign
        else { return nil }
        return EstimatedCampaign(app: app, network: network, campaign: campaign.text, kind: campaign.kind)
      })
  }

  /// Whether questions of other days and other spend are answered from it.
  var isForOthers: Bool { !cells.areOfQuestion }

  /// The memory of its cells and groups, rather more than less.
  var bytes: Int {
    var bytes = bytesOfCells
    for version in fitted.values {
      for crowds in version.groups {
        for crowd in crowds { bytes += crowd.bytes }
      }
    }
    for answer in answers.values { bytes += Self.bytesOfRow * (answer.rows.count + answer.totals.count) }
    guard hasQuestions else { return bytes }
    bytes += whole.priors.values.reduce(0) { $0 + $1.prior.bytes }
    return bytes + asked.values.reduce(0) { $0 + $1.bytes }
  }

  func shrink() -> Bool { asked.forgetOldest() || answers.forgetOldest() }

  /// A row with what it is added up from.
  private static let bytesOfRow = 3000

  private static func bytes(of cells: InstallCells) -> Int {
    var bytes = 0
    for campaigns in cells.cells.values {
      for days in campaigns.values {
        for counts in days.values { bytes += counts.bytes }
      }
    }
    for campaigns in cells.parts.values {
      for days in campaigns.values {
        for parts in days.values {
          for counts in parts.values { bytes += counts.bytes }
        }
      }
    }
    return bytes
  }

  /// Fits the campaigns of a version, or waits for the thread that is at them.
  ///
  /// - Parameter mayMake: Whether the thread may fit them or wait.
  /// - Throws: ``EstimationError`` where the fit fails, or ``PartIsMissing`` where it is not there and may not be made.
  func crowds(
    of scheme: InstallCells.Scheme, at worth: MappingWorth, mayMake: Bool = true
  ) throws -> FittedVersion {
    try fitted.value(scheme, mayMake: mayMake) {
      guard hasQuestions else { return try fit(scheme, at: worth) }
      let prior = try prior(of: scheme, at: worth)
      let own = cells.cells[scheme] ?? [:]
      let parts = cells.sortedParts(of: prior.campaigns, scheme)
      let groups = try prior.prior.crowds(
        ofDays: prior.campaigns.map { own[$0] ?? [:] }, parts: parts.map { $0.mapValues { $0.map(\.counts) } }
      )
      return FittedVersion(campaigns: prior.campaigns, groups: groups, parts: parts)
    }
  }

  private func fit(_ scheme: InstallCells.Scheme, at worth: MappingWorth) throws -> FittedVersion {
    let sorted = (cells.cells[scheme] ?? [:]).ordered { $0.key < $1.key }
    let parts = cells.sortedParts(of: sorted.map(\.key), scheme)
    let groups = try EstimatedCrowd.estimated(
      sorted.map { ($0.key.name, $0.value) }, worth: worth.worth, users: worth.users, by: settings.estimator,
      seed: UInt64(settings.seed), parts: parts.map { $0.mapValues { $0.map(\.counts) } })
    return FittedVersion(campaigns: sorted.map(\.key), groups: groups, parts: parts)
  }

  private func prior(of scheme: InstallCells.Scheme, at worth: MappingWorth) throws -> VersionPrior {
    try whole.priors.value(scheme, mayMake: true) {
      let sorted = (whole.cells.cells[scheme] ?? [:]).ordered { $0.key < $1.key }
      let prior = try CrowdPrior(
        ofMany: sorted.map { ($0.key.name, $0.value[InstallCells.noDay] ?? DayCounts()) }, worth: worth.worth,
        users: worth.users, by: settings.estimator, seed: UInt64(settings.seed))
      return VersionPrior(campaigns: sorted.map(\.key), prior: prior)
    }
  }
}

extension EstimateReport {
  /// Makes what the usual pages are answered from, if none of the database as it is now is kept, before a question waits for it.
  ///
  /// - Throws: ``LedgerError``, or ``EstimationError`` where a fit fails.
  package static func keepUsual(from reader: LedgerReader, now: Instant, in keeper: PartKeeper) throws {
    let source = ReportSource(reader: reader, now: now, keeper: keeper)
    for report in try usual(of: reader, now: now) {
      let estimated = try report.estimated(from: source, now: now.startOfHour)
      // Each install day of very many campaigns would need draws of its own, and no page shows them.
      report.draw(estimated.totals + (report.by == [.campaign] ? estimated.rows : []))
    }
    _ = try InstallDayCounts.of(lastDays(at: now), Scope(), from: source)
  }

  /// Makes the draws of totals and of the rows that a page shows first.
  private func draw(_ rows: [Row]) {
    let first = rows.sorted { $0.spend ?? .zero > $1.spend ?? .zero }.prefix(Self.drawnRows)
    for row in first { _ = (row.sum.interval, row.compared?.interval) }
  }

  private static let drawnRows = 100
}

/// What a kept fit is found by: which days are one cell decides only of parts of cells.
struct FitKey: Hashable, Sendable {
  private let settings: FitSettings
  private let days: CellDays?

  init(_ settings: FitSettings, _ days: CellDays) {
    self.settings = settings
    self.days = settings.isDivided ? days : nil
  }
}
