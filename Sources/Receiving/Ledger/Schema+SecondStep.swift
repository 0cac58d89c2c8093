import Postbacks

extension Schema {
  /// Postbacks are counted from columns of facts alone; what was stored is put into blocks afterwards, some at a time.
  static let secondStep = """
    -- What a postback is of; blocks of facts have its number.
    CREATE TABLE fact_source(
      id INTEGER PRIMARY KEY,
      environment INTEGER NOT NULL,        -- all as in postback
      app INTEGER NOT NULL,
      network INTEGER NOT NULL,
      version INTEGER NOT NULL,
      window INTEGER NOT NULL,
      outcome INTEGER NOT NULL,
      UNIQUE(environment, app, network, version, window, outcome)
    ) STRICT;
    INSERT INTO fact_source(environment, app, network, version, window, outcome)
      SELECT DISTINCT environment, app, network, version, window, outcome FROM campaign_cell ORDER BY 1, 2, 3, 4, 5, 6;

    -- Further valid copies by what they are of themselves, and the day on which they came.
    CREATE TABLE copy_total(
      day INTEGER NOT NULL,                -- of arrival, days since 1970-01-01, UTC
      environment INTEGER NOT NULL,        -- as in postback, like the rest
      app INTEGER NOT NULL,
      network INTEGER NOT NULL,
      version INTEGER NOT NULL,
      campaign TEXT NOT NULL,
      window INTEGER NOT NULL,
      outcome INTEGER NOT NULL,
      repeats INTEGER NOT NULL,            -- copies that agree with the first
      conflicts INTEGER NOT NULL,          -- copies that disagree with the first
      PRIMARY KEY(day, environment, app, network, version, campaign, window, outcome)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO copy_total
      SELECT c.day, c.environment, c.app, c.network, c.version, c.campaign, c.window, c.outcome, t.repeats, t.conflicts
      FROM campaign_total t JOIN campaign_cell c ON c.id = t.cell WHERE t.repeats <> 0 OR t.conflicts <> 0;

    DROP VIEW v_campaign_days;
    DROP VIEW v_values;
    DROP TABLE campaign_total;
    DROP TABLE value_hour;
    DROP TABLE campaign_cell;
    -- One block has the rows id * \(FactBlocks.rows) + 1 to (id + 1) * \(FactBlocks.rows) of postback now.
    DELETE FROM postback_facts;

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
    """

  private static let won = "outcome <> \(Outcome.assist.code)"
}
