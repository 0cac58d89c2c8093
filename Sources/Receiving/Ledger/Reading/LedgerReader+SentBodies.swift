package import Postbacks
import SQLite
package import Values

/// What a network or a partner sent of a conversion.
package struct SentBody: Sendable {
  /// The row of the conversion.
  package let conversion: Int64
  /// The network, in lower case.
  package let network: String
  package let app: Int64
  package let campaign: String
  package let version: ProtocolVersion
  package let receivedAt: Instant
  package let sender: Origin
  /// The profile that the body was read by; `nil` where the body is what came.
  package let profile: String?
  package let bytes: [UInt8]
}

extension LedgerReader {
  /// Visits what networks and files sent of each conversion and is kept, in the order of the conversions.
  ///
  /// What devices sent is left out: every client can add members to a genuine body and send it to a device's path.
  ///
  /// - Parameters:
  ///   - newest: How many of the newest conversions are looked at, of any environment; `nil` for all.
  ///   - visit: Takes a body; `false` ends the visit.
  package func forEachSentBody(
    _ query: PostbackQuery, ofNewest newest: Int64? = nil, _ visit: (SentBody) -> Bool
  ) throws(LedgerError) {
    try requireBodies()
    guard var conditions = try conditions(of: query) else { return }
    if let newest { conditions += " AND p.id > (SELECT max(id) FROM postback) - \(newest)" }
    let origins = try origins().filter { $0.value.route == .forwarded || $0.value.route == .file }
    guard !origins.isEmpty else { return }
    let senders = origins.keys.sorted().map(String.init).joined(separator: ", ")
    let facts = "p.network, p.app, p.campaign, p.version"
    let statement = try connection.prepare(
      """
      SELECT p.id, 0, \(facts), p.received_at, p.origin, f.profile, coalesce(f.received, p.body)
      FROM postback p LEFT JOIN network_form f ON f.kind = 0 AND f.row = p.id
      WHERE p.origin IN (\(senders)) AND \(conditions)
      UNION ALL
      SELECT p.id, s.id, \(facts), s.received_at, s.origin, f.profile, coalesce(f.received, s.body)
      FROM postback_copy s CROSS JOIN postback p ON p.id = s.postback
        LEFT JOIN network_form f ON f.kind = 1 AND f.row = s.id
      WHERE s.origin IN (\(senders)) AND (f.received IS NOT NULL OR s.body IS NOT NULL) AND \(conditions)
      ORDER BY 1, 2
      """)
    try statement.readRows { row in
      guard let version: ProtocolVersion = decoded(row.integer(5), by: { $0.code }),
        let sender = origins[row.count(7)]
      else { return true }
      return visit(
        SentBody(
          conversion: row.count(0), network: self.networks[row.count(2)] ?? "", app: row.count(3),
          campaign: row.text(4) ?? "", version: version, receivedAt: Instant(milliseconds: row.count(6)),
          sender: sender, profile: row.text(8), bytes: row.bytes(9)))
    }
  }
}
