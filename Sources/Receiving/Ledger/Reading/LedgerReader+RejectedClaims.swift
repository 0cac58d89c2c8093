import Postbacks
import SQLite
import Values

extension LedgerReader {
  /// How many bodies were rejected in the days of a question, by state and reason.
  ///
  /// Nothing of such a body is proved. Where the question names apps or networks, the kept bodies count that claim to be
  /// of these; of those over the quota the claim is unknown.
  public func rejections(_ query: CampaignQuery) throws(LedgerError) -> [RejectionCount] {
    guard !query.apps.isEmpty || !query.networks.isEmpty else {
      return try rejections(from: query.from, to: query.to)
    }
    struct Reason: Hashable {
      let state: Rejection.State
      let code: String
    }
    let networks = Set(query.networks.map(\.canonical))
    let apps = Set(query.apps)
    var counts: [Reason: Int64] = [:]
    let statement = try connection.prepare(
      "SELECT state, reason, body FROM rejected WHERE received_at >= ?1 AND received_at < ?2 AND state <> ?3"
    )
    // What is malformed claims nothing.
    try statement.bind(
      query.from?.start.milliseconds ?? .min, query.to?.start.milliseconds ?? .max,
      Rejection.State.malformed.rawValue)
    try statement.forEachRow { row in
      guard let state = Rejection.State(rawValue: row.text(0) ?? ""),
        let claim = PostbackReading(row.bytes(2)).postback?.attested,
        networks.isEmpty || networks.contains(claim.network.canonical),
        apps.isEmpty || apps.contains(claim.advertisedApp)
      else { return }
      counts[Reason(state: state, code: row.text(1) ?? ""), default: 0] += 1
    }
    return counts.ordered { ($0.key.state.rawValue, $0.key.code) < ($1.key.state.rawValue, $1.key.code) }
      .map { RejectionCount(state: $0.key.state, reason: $0.key.code, seen: $0.value, kept: $0.value) }
  }
}
