import Arguments
import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import System
import Values

/// What all estimates of one state of a database follow from, whatever days, rows, money and verdicts are asked for.
///
/// Campaigns of a version of a mapping are fitted when a question is of them, once.
final class EstimateFit: Sendable {
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

  /// Fits the campaigns of a version, or waits for the thread that is at them.
  ///
  /// - Throws: ``EstimationError`` where the fit fails.
  func crowds(of scheme: InstallCells.Scheme, at worth: MappingWorth) throws(EstimationError) -> FittedVersion
  {
    let known = fitted.wait { fitted -> FittedVersion?? in
      if let known = fitted.crowds[scheme] { return .some(known) }
      return fitted.underWay.insert(scheme).inserted ? .some(nil) : nil
    }
    if let known { return known }
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
