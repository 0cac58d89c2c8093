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
/// Campaigns of a version of a mapping are fitted when a question is of them, once.
final class EstimateFit: KeptPart {
  /// The campaigns of a version of a mapping, in order, with their groups and with what their parts show.
  struct FittedVersion: Sendable {
    let campaigns: [EstimatedCampaign]
    let groups: [[EstimatedCrowd]]
    let parts: [[Day: [InstallCells.Part]]]
  }

  private struct Fitted: Sendable {
    var crowds: [InstallCells.Scheme: FittedVersion] = [:]
    /// Those that a thread is at.
    var underWay: Set<InstallCells.Scheme> = []
  }

  let catalog: MappingCatalog
  let cells: InstallCells
  let worths: MappingWorths
  /// Campaigns with coarse values in the later windows.
  let laterWindows: Set<EstimatedCampaign>
  private let estimator: Estimator
  private let seed: UInt64
  private let fitted = Guarded(Fitted())

  /// Gathers what is to be fitted; what arrived until `now` is all there is.
  ///
  /// - Parameters:
  ///   - days: Which days are one cell of very many campaigns.
  ///   - spend: What was paid for campaigns; asked of very many alone.
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
      reader, catalog, settings, days, now: now, spend: spend,
      coarseWorth: { scheme, value, meaning in worths[scheme]?.mean(of: value, meaning) ?? 0 })
    laterWindows = try Self.laterWindows(settings, from: reader)
    (self.catalog, self.worths) = (catalog, worths)
    (estimator, seed) = (settings.estimator, UInt64(settings.seed))
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
    guard let keeper = source.keeper else { return (try make(), nil) }
    let state = PartKeeper.State(try source.reader.estimateInputs(), now)
    return try keeper.part(
      FitKey(settings, days), of: state, now: source.now, canBeBehind: source.canBeBehind,
      mayMake: source.makesParts, make)
  }

  /// Fits the campaigns of all versions.
  fileprivate func fitAll() throws {
    for scheme in cells.cells.keys {
      if let worth = worths[scheme] { _ = try crowds(of: scheme, at: worth) }
    }
  }

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

  /// Whether questions of other days and other spend have the same cells.
  var isForOthers: Bool { !cells.areMany }

  /// The memory of its cells and groups, rather more than less.
  var bytes: Int {
    var bytes = 0
    for campaigns in cells.cells.values {
      for days in campaigns.values { bytes += Self.bytesOfCell * days.count }
    }
    for campaigns in cells.parts.values {
      for days in campaigns.values {
        for parts in days.values { bytes += Self.bytesOfCell * parts.count }
      }
    }
    for version in fitted.withLock({ Array($0.crowds.values) }) {
      for crowds in version.groups {
        for crowd in crowds { bytes += crowd.bytes }
      }
    }
    return bytes
  }

  /// 64 numbers of values, what is beside them, and its place.
  private static let bytesOfCell = 720

  /// Fits the campaigns of a version, or waits for the thread that is at them.
  ///
  /// - Parameter mayMake: Whether the thread may fit them or wait.
  /// - Throws: ``EstimationError`` where the fit fails, or ``PartIsMissing`` where it is not there and may not be made.
  func crowds(
    of scheme: InstallCells.Scheme, at worth: MappingWorth, mayMake: Bool = true
  ) throws -> FittedVersion {
    let known = fitted.wait { fitted -> FittedVersion?? in
      if let known = fitted.crowds[scheme] { return .some(known) }
      if !mayMake { return .some(nil) }
      return fitted.underWay.insert(scheme).inserted ? .some(nil) : nil
    }
    if let known { return known }
    guard mayMake else { throw PartIsMissing() }
    defer {
      fitted.withLock { _ = $0.underWay.remove(scheme) }
      fitted.wakeAll()
    }
    let sorted = (cells.cells[scheme] ?? [:]).ordered { $0.key < $1.key }
    let parts = cells.sortedParts(of: sorted.map(\.key), scheme)
    let groups = try EstimatedCrowd.estimated(
      sorted.map { ($0.key.name, $0.value) }, worth: worth.worth, users: worth.users, by: estimator,
      seed: seed, parts: parts.map { $0.mapValues { $0.map(\.counts) } })
    let crowds = FittedVersion(campaigns: sorted.map(\.key), groups: groups, parts: parts)
    fitted.withLock { $0.crowds[scheme] = crowds }
    return crowds
  }
}

extension EstimateReport {
  /// Makes what the usual pages are answered from, if none of the database as it is now is kept, before a question waits for it.
  ///
  /// - Throws: ``LedgerError``, or ``EstimationError`` where a fit fails.
  package static func keepUsual(from reader: LedgerReader, now: Instant, in keeper: PartKeeper) throws {
    for report in try usual(of: reader, now: now) {
      try report.keepFit(from: ReportSource(reader: reader, now: now, keeper: keeper))
    }
  }

  /// Makes the fit of the question, if none of the database as it is now is kept.
  ///
  /// - Throws: ``LedgerError``, ``ParameterError`` for an event that no mapping knows, or ``EstimationError`` where the fit
  ///   fails.
  func keepFit(from source: ReportSource) throws {
    let fit = try source.reader.consistently { () throws(LedgerError) in
      Result { try EstimateFit.of(self, from: source, now: source.now.startOfHour) { _ in nil }.0 }
    }.get()
    // Of very many campaigns nothing is kept.
    if fit.isForOthers { try fit.fitAll() }
    source.keeper?.releaseMemory()
  }
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
