package import Postbacks
import SQLite
package import Values

/// What came by one way, of one environment, since the first postback.
package struct ArrivalSpan: Equatable, Sendable {
  package let origin: Origin
  package let environment: Environment
  package let valid: Int64
  /// The start of the first hour with a valid one.
  package let first: Instant
  /// The start of the last hour with a valid one.
  package let last: Instant
}

package struct DeviceCopies: Equatable, Sendable {
  package let kind: PostbackKind
  package let count: Int64
  package let last: Instant
}

extension LedgerReader {
  /// Valid bodies by the way they took, over all time.
  package func arrivalSpans() throws(LedgerError) -> [ArrivalSpan] {
    let origins = try origins()
    var spans: [ArrivalSpan] = []
    try connection.prepare(
      """
      SELECT origin, environment, sum(first + repeated + conflicting), min(hour), max(hour) FROM arrival_hour
      WHERE first + repeated + conflicting > 0 GROUP BY origin, environment ORDER BY origin, environment
      """
    ).forEachRow { row in
      guard let origin = origins[row.count(0)],
        let environment: Environment = decoded(row.integer(1), by: { $0.code })
      else { return }
      spans.append(
        ArrivalSpan(
          origin: origin, environment: environment, valid: row.count(2),
          first: Instant(milliseconds: row.count(3) * Hour.milliseconds),
          last: Instant(milliseconds: row.count(4) * Hour.milliseconds)))
    }
    return spans
  }

  /// The production device copies among the newest conversions, by framework.
  ///
  /// - Parameters:
  ///   - app: The app; `nil` for all.
  ///   - most: How many of the newest conversions are looked at.
  /// - Returns: At most one element for each framework.
  package func deviceCopies(
    of app: AppID?, amongNewest most: Int64
  ) throws(LedgerError) -> [DeviceCopies] {
    let statement = try connection.prepare(
      """
      SELECT p.version = \(ProtocolVersion.adAttributionKit.code), count(*), max(p.received_at)
      FROM postback p JOIN origin o ON o.id = p.origin
      WHERE p.id > (SELECT max(id) FROM postback) - ?1 AND p.environment = ?2 AND o.route = ?3
        AND (?4 IS NULL OR p.app = ?4)
      GROUP BY 1 ORDER BY 1
      """)
    try statement.bind(most, Environment.production.code, Route.advertiserCopy.rawValue, app?.number)
    return try statement.rows { row in
      DeviceCopies(
        kind: row.count(0) == 0 ? .skan : .aak, count: row.count(1),
        last: Instant(milliseconds: row.count(2)))
    }
  }
}
