public import Postbacks
import SQLite
public import Values

/// Winning first-window postbacks of one campaign that came in one hour with one value, or with none.
public struct FirstWindowHour: Hashable, Sendable {
  /// The advertised app.
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  /// The campaign.
  public let campaign: Campaign
  /// The postbacks' version.
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// When the hour begins.
  public let hour: Instant
  /// The value.
  public let value: ConversionValue
  /// How many.
  public let postbacks: Int64
}

extension LedgerReader {
  /// Visits winning first-window postbacks by hour of arrival.
  ///
  /// - Parameters:
  ///   - query: Their environment, days in UTC, apps and networks; its other conditions and its dimensions do not count.
  ///   - visit: Takes the postbacks of an hour.
  /// - Throws: ``LedgerError``.
  public func forEachFirstWindowHour(
    _ query: CampaignQuery, _ visit: (FirstWindowHour) -> Void
  ) throws(LedgerError) {
    guard let networkRows = rows(of: query.networks) else { return }
    let plan = CampaignPlan(query, networks: networkRows.some)
    try asLedger { () throws(SQLiteError) in
      try connection.prepare(plan.firstWindowHours).forEachRow { row in
        guard let app = AppID(row.count(0)),
          let version: ProtocolVersion = decoded(row.integer(3), by: { $0.code }),
          let value = ConversionValue(slot: row.count(6)),
          let outcome: Outcome = decoded(row.integer(8), by: { $0.code })
        else { return }
        let text = row.text(2) ?? ""
        let campaign: Campaign? =
          version.hasWindows
          ? SourceIdentifier(text).map { .sourceIdentifier($0) }
          : Int64(text).flatMap { CampaignID($0) }.map { .campaignID($0) }
        guard let campaign else { return }
        let day = Day(number: Int32(truncatingIfNeeded: row.count(4)))
        visit(
          FirstWindowHour(
            app: app, network: self.networks[row.count(1)] ?? "", campaign: campaign, version: version,
            outcome: outcome,
            hour: day.start + row.count(5) * Hour.milliseconds, value: value, postbacks: row.count(7)))
      }
    }
  }
}
