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
  /// Visits the winning first-window postbacks of an environment by hour of arrival.
  ///
  /// - Parameters:
  ///   - environment: Whose keys signed them.
  ///   - visit: Takes the postbacks of an hour.
  /// - Throws: ``LedgerError``.
  public func forEachFirstWindowHour(
    _ environment: Environment, _ visit: (FirstWindowHour) -> Void
  ) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      try connection.prepare(
        """
        SELECT c.app, c.network, c.campaign, c.version, c.day, v.id >> 7 & 31, v.id & 127, v.postbacks, c.outcome
        FROM campaign_cell c CROSS JOIN value_hour v ON v.id BETWEEN c.id * 4096 AND c.id * 4096 + 4095
        WHERE c.environment = \(environment.code) AND c.window = 0
        """
      ).forEachRow { row in
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
