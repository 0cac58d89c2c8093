import Postbacks
import Verification

extension Schema {
  /// What people and other programs read with SQL: the tables in words.
  ///
  /// `docs/reference/sql.md` describes the columns.
  static let views = """
    CREATE VIEW v_postbacks AS
    SELECT p.id AS row, \(moment("p.received_at")) AS received_at, o.route AS route, o.name AS sender,
      \(word("p.environment", Environment.allCases.map { ($0.code, $0.rawValue) })) AS environment,
      \(version("p.version")) AS version, p.app AS app, n.identifier AS network, p.campaign AS campaign,
      p.window + 1 AS window, \(outcome("p.outcome")) AS outcome, \(interaction("p.interaction")) AS interaction,
      \(value("CASE WHEN p.outcome <> \(Outcome.assist.code) THEN \(slotSQL("p.value")) END")) AS value,
      p.country AS country, u.identifier AS publisher, m.identifier AS marketplace,
      CASE WHEN p.version < \(ProtocolVersion.v4_0.code) OR p.window <> 0 OR p.outcome = \(Outcome.assist.code) THEN NULL
        WHEN p.publisher IS NOT NULL OR p.country IS NOT NULL THEN 3
        WHEN p.value BETWEEN 0 AND 63 OR length(p.campaign) > 2 THEN 2
        WHEN p.value BETWEEN 64 AND 66 THEN 1 ELSE 0 END AS tier,
      p.identifier AS id
    FROM postback p JOIN origin o ON o.id = p.origin JOIN network n ON n.id = p.network
      LEFT JOIN publisher u ON u.id = p.publisher LEFT JOIN marketplace m ON m.id = p.marketplace;

    CREATE VIEW v_campaign_days AS
    SELECT \(cell), c.postbacks AS postbacks, c.views AS views, c.clicks AS clicks, c.repeats AS copies,
      c.conflicts AS conflicts, c.value_null AS values_null, c.coarse_null AS coarse_null,
      c.value_rejected AS values_rejected, c.coarse_low AS coarse_low, c.coarse_medium AS coarse_medium,
      c.coarse_high AS coarse_high
    FROM (
      SELECT day, environment, app, network, version, campaign, window, outcome, sum(postbacks) AS postbacks,
        sum(views) AS views, sum(clicks) AS clicks, sum(repeats) AS repeats, sum(conflicts) AS conflicts,
        sum(value_null) AS value_null, sum(coarse_null) AS coarse_null, sum(value_rejected) AS value_rejected,
        sum(coarse_low) AS coarse_low, sum(coarse_medium) AS coarse_medium, sum(coarse_high) AS coarse_high
      FROM (
        SELECT \(daySQL("received_at")) AS day, environment, app, network, version, campaign, window, outcome,
          1 AS postbacks, interaction IS 0 AS views, interaction IS 1 AS clicks, 0 AS repeats, 0 AS conflicts,
          \(won) AND value IS NULL AS value_null,
          \(won) AND value IS NULL AND version >= \(ProtocolVersion.v4_0.code) AS coarse_null,
          \(won) AND value IS -1 AS value_rejected, \(won) AND value IS 64 AS coarse_low,
          \(won) AND value IS 65 AS coarse_medium, \(won) AND value IS 66 AS coarse_high
        FROM postback
        UNION ALL
        SELECT day, environment, app, network, version, campaign, window, outcome, 0, 0, 0, repeats, conflicts, 0, 0, 0,
          0, 0, 0
        FROM copy_total)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) c
      JOIN network n ON n.id = c.network;

    CREATE VIEW v_values AS
    SELECT \(cell), c.hour AS hour, \(value("c.slot")) AS value, c.postbacks AS postbacks
    FROM (
      SELECT \(daySQL("received_at")) AS day, environment, app, network, version, campaign, window, outcome,
        \(hourOfDaySQL("received_at")) AS hour, \(slotSQL("value")) AS slot, count(*) AS postbacks
      FROM postback WHERE \(won) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) c
      JOIN network n ON n.id = c.network;

    CREATE VIEW v_rejected AS
    SELECT date(r.day * 86400, 'unixepoch') AS day, o.route AS route, o.name AS sender, r.state AS state,
      r.reason AS reason, sum(r.seen) AS seen, sum(r.kept) AS kept
    FROM rejected_total r JOIN origin o ON o.id = r.origin GROUP BY 1, 2, 3, 4, 5;

    CREATE VIEW v_spend AS
    SELECT \(word("environment", Environment.allCases.map { ($0.code, $0.rawValue) })) AS environment,
      date(day * 86400, 'unixepoch') AS day, network, campaign, nullif(app, 0) AS app, currency,
      \(amount("micros")) AS amount, micros, impressions, clicks
    FROM spend;

    CREATE VIEW v_names AS
    SELECT network, campaign, nullif(app, 0) AS app, date(from_day * 86400, 'unixepoch') AS from_day,
      date(to_day * 86400, 'unixepoch') AS to_day, name, ad_set, creative, country, number
    FROM campaign_name;

    CREATE VIEW v_purchases AS
    SELECT environment, date(day * 86400, 'unixepoch') AS day, app, product, type, nullif(currency, '') AS currency,
      counted AS transactions, \(amount("micros")) AS amount, micros
    FROM purchase_total;
    """

  private static let won = "outcome <> \(Outcome.assist.code)"

  private static let cell = """
    date(c.day * 86400, 'unixepoch') AS day,
      \(word("c.environment", Environment.allCases.map { ($0.code, $0.rawValue) })) AS environment, c.app AS app,
      n.identifier AS network, \(version("c.version")) AS version, c.campaign AS campaign, c.window + 1 AS window,
      \(outcome("c.outcome")) AS outcome
    """

  private static func word(_ code: String, _ words: [(code: Int64, word: String)]) -> String {
    "CASE \(code) \(words.map { "WHEN \($0.code) THEN '\($0.word)'" }.joined(separator: " ")) END"
  }

  private static func version(_ code: String) -> String {
    word(code, ProtocolVersion.allCases.map { ($0.code, $0.rawValue) })
  }

  private static func outcome(_ code: String) -> String {
    word(code, Outcome.allCases.map { ($0.code, $0.rawValue) })
  }

  private static func interaction(_ code: String) -> String {
    word(code, AdInteraction.allCases.map { ($0.code, $0.rawValue) })
  }

  /// A value by its place among the values of an hour: `0` to `63`, `low`, `medium`, `high`, `rejected` or `null`.
  private static func value(_ slot: String) -> String {
    let words: [ConversionValue] = CoarseValue.allCases.map { .coarse($0) } + [.rejected, .absent]
    let cases = words.map { "WHEN \($0.slot) THEN '\($0.word)'" }.joined(separator: " ")
    return "CASE \(slot) \(cases) ELSE CAST(\(slot) AS TEXT) END"
  }

  /// A moment of milliseconds as RFC 3339 text.
  private static func moment(_ milliseconds: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%fZ', \(milliseconds) / 1000.0, 'unixepoch')"
  }

  private static func amount(_ micros: String) -> String {
    "printf('%s%d.%06d', iif(\(micros) < 0, '-', ''), abs(\(micros) / 1000000), abs(\(micros) % 1000000))"
  }
}
