package import Estimates
import Ledger
import MappingLibrary
import Mappings
import Arguments
package import Postbacks
package import Values

/// What campaigns are worth with the values that Apple withheld, and how sure that is.
package struct EstimateReport: Sendable {
  package var period = Period<Day>()
  package var scope = Scope()
  package var breakdown = Breakdown.campaign
  /// Last digits of a source identifier that distinguish campaigns.
  ///
  /// From SKAdNetwork 4 on a postback without a value always has two digits, so campaigns that more digits distinguish
  /// have their nulls elsewhere. Source: Apple, "Receiving postbacks in multiple conversion windows".
  package var digits = 2
  /// Networks that report a withheld value as 0; their zeroes count as withheld.
  package var nullIsZero: [AdNetworkID] = []
  /// The event whose users are estimated; `nil` for revenue.
  package var event: String?
  package var estimator = Estimator.tree
  package var seed = 1

  package init() {}

  /// One campaign, or one of its install dates, or everything in one currency.
  package struct Row: Sendable {
    /// `nil` for everything.
    let campaign: EstimatedCampaign?
    /// The install date; `nil` for all that were asked for.
    let day: Day?
    /// `nil` for users of an event.
    let currency: CurrencyCode?
    let sum: EstimatedSum
    /// The share of the date's first postbacks that is expected to have arrived by now; `nil` for several dates.
    let completeness: Double?
  }

  /// What the rows rest on.
  package struct Basis: Sendable {
    let report: EstimateReport
    /// First postbacks of a time, or of an app, without a mapping.
    let withoutMapping: Double
    /// Whether any amounts are those of the advertiser's own users.
    let hasOwnUsers: Bool
  }

  /// Estimates; what arrived until `now` is all there is.
  ///
  /// - Returns: The rows by app, network, campaign and date, and everything by currency.
  /// - Throws: ``LedgerError``, ``ParameterError`` for an event that no mapping knows, or ``EstimationError`` where a
  ///   fit fails.
  func estimated(
    from reader: LedgerReader, now: Instant
  ) throws -> (rows: [Row], totals: [Row], basis: Basis) {
    let (events, answer) = try reader.consistently {
      () throws(LedgerError) -> (
        Set<String>, (catalog: MappingCatalog, cells: InstallCells, worth: [ValueWorthRow])?
      ) in
      let catalog = try MappingCatalog(from: reader)
      if let event, !catalog.eventNames.contains(event) { return (catalog.eventNames, nil) }
      let cells = try InstallCells(reader, catalog, self, now: now)
      return ([], (catalog, cells, try reader.valueWorth()))
    }
    guard let (catalog, cells, worth) = answer else {
      throw ParameterError.unknownEvent(event ?? "", of: "event", known: events)
    }
    var parts = Parts()
    var hasOwnUsers = false
    for (scheme, campaigns) in cells.cells.sorted(by: {
      ($0.key.app, $0.key.version, $0.key.type?.rawValue ?? "")
        < ($1.key.app, $1.key.version, $1.key.type?.rawValue ?? "")
    }) {
      guard let mapping = catalog.histories[scheme.app]?.versions[scheme.version] else { continue }
      // Own users came by an install; they say nothing of what a re-engagement's value is worth.
      let own = worth.filter {
        $0.app == scheme.app && $0.effectiveFrom == mapping.effectiveFrom && scheme.type != .reengagement
      }
      let schemeWorth = MappingWorth(mapping, type: scheme.type, own: own, event: event)
      hasOwnUsers = hasOwnUsers || schemeWorth.users != nil
      let sorted = campaigns.sorted { $0.key < $1.key }
      let crowds = try EstimatedCrowd.estimated(
        sorted.map { ($0.key.name, $0.value) }, worth: schemeWorth.worth, users: schemeWorth.users,
        by: estimator, seed: UInt64(seed))
      for (campaign, crowds) in zip(sorted.map(\.key), crowds) where isShown(campaign) {
        for crowd in crowds { add(crowd, campaign, event == nil ? mapping.currency : nil, to: &parts) }
      }
    }
    return (
      parts.rows.sorted { $0.key < $1.key }.compactMap {
        Row($0.key, $0.value, completeness: cells.completeness)
      },
      parts.totals.sorted { $0.key < $1.key }.compactMap { Row($0.key, $0.value, completeness: [:]) },
      Basis(report: self, withoutMapping: cells.undated, hasOwnUsers: hasOwnUsers && event == nil)
    )
  }

  private func isShown(_ campaign: EstimatedCampaign) -> Bool {
    (scope.apps.isEmpty || scope.apps.contains(campaign.app))
      && (scope.networks.isEmpty || scope.networks.contains { $0.canonical == campaign.network })
  }

  private func add(
    _ crowd: EstimatedCrowd, _ campaign: EstimatedCampaign, _ currency: CurrencyCode?, to parts: inout Parts
  ) {
    for (index, day) in crowd.days.enumerated() {
      if let from = period.from, day < from { continue }
      if let to = period.to, day >= to { continue }
      let part = EstimatedSum.Part(crowd, day: index)
      let key = RowKey(campaign: campaign, day: breakdown == .day ? day : nil, currency: currency)
      parts.rows[key, default: []].append(part)
      parts.totals[RowKey(campaign: nil, day: nil, currency: currency), default: []].append(part)
    }
  }
}

/// Days of groups by the rows that they belong to.
private struct Parts {
  var rows: [RowKey: [EstimatedSum.Part]] = [:]
  var totals: [RowKey: [EstimatedSum.Part]] = [:]
}

/// What distinguishes rows.
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

extension EstimateReport.Row {
  fileprivate init?(
    _ key: RowKey, _ parts: [EstimatedSum.Part], completeness: [AppID: [Day: Double]]
  ) {
    guard let sum = EstimatedSum(parts, isOfOneCampaign: key.campaign != nil) else { return nil }
    self.sum = sum
    campaign = key.campaign
    day = key.day
    currency = key.currency
    self.completeness = key.campaign.flatMap { campaign in
      key.day.flatMap { completeness[campaign.app]?[$0] }
    }
  }
}
