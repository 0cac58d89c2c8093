extension Schema {
  /// Arrivals by the hour and the way they took, for telling when one of them dries up; alerts; and what webhooks are
  /// still to be told.
  static let step5 = """
    -- Every body that came, by the hour; written in the transaction that stores it.
    CREATE TABLE arrival_hour(
      hour INTEGER NOT NULL,               -- hours since 1970-01-01T00:00:00Z
      origin INTEGER NOT NULL,             -- origin.id
      environment INTEGER NOT NULL,        -- as in postback; 0 for bodies that are not believed
      network INTEGER NOT NULL,            -- network.id; 0 for bodies that are not believed
      first INTEGER NOT NULL,              -- first valid copies
      repeated INTEGER NOT NULL,           -- further valid copies that contradict nothing
      conflicting INTEGER NOT NULL,        -- further valid copies that contradict the first
      rejected INTEGER NOT NULL,            -- bodies that are not believed
      PRIMARY KEY(hour, origin, environment, network)
    ) STRICT, WITHOUT ROWID;
    -- Of older copies and rejected bodies only the first moment or the day is known.
    INSERT INTO arrival_hour
      SELECT hour, origin, environment, network, sum(a), sum(b), sum(c), sum(d) FROM (
        SELECT \(hourSQL("received_at")) AS hour, origin, environment, network, count(*) AS a, 0 AS b, 0 AS c, 0 AS d
        FROM postback GROUP BY 1, 2, 3, 4
        UNION ALL
        SELECT \(hourSQL("s.received_at")), s.origin, p.environment, p.network, 0,
          sum(iif(s.conflict IS NULL, s.times, 0)), sum(iif(s.conflict IS NULL, 0, s.times)), 0
        FROM sighting s JOIN postback p ON p.id = s.postback GROUP BY 1, 2, 3, 4
        UNION ALL
        SELECT day * 24, origin, 0, 0, 0, 0, 0, sum(seen) FROM rejected_total GROUP BY 1, 2)
      GROUP BY 1, 2, 3, 4;

    -- Alerts, one row for each time that one fired.
    CREATE TABLE alert(
      id TEXT NOT NULL,                    -- kind and scope
      since INTEGER NOT NULL,              -- milliseconds, UTC, like all moments here
      kind TEXT NOT NULL,
      severity TEXT NOT NULL,
      app INTEGER,
      network TEXT,
      campaign TEXT,
      origin TEXT,
      value REAL NOT NULL,
      bound REAL NOT NULL,
      sentence TEXT NOT NULL,
      remedy TEXT NOT NULL,
      command TEXT NOT NULL,
      clear_since INTEGER,                 -- NULL while the bound is broken
      resolved_at INTEGER,                 -- NULL while it fires
      PRIMARY KEY(id, since)
    ) STRICT, WITHOUT ROWID;

    -- What webhooks are still to be told.
    CREATE TABLE alert_notice(
      webhook TEXT NOT NULL,               -- SHA-256 of its address, which may be a secret
      id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      next_at INTEGER NOT NULL,            -- no attempt before that
      attempts INTEGER NOT NULL,
      body BLOB NOT NULL,
      PRIMARY KEY(webhook, id)
    ) STRICT, WITHOUT ROWID;
    """
}
