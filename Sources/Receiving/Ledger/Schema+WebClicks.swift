extension Schema {
  /// What Private Click Measurement reported, which is not attested.
  static let webClicks = """
    -- Bodies as they came, up to a quota.
    CREATE TABLE web_click(
      id INTEGER PRIMARY KEY,
      received_at INTEGER NOT NULL,        -- milliseconds, UTC; of the first of equal bodies with a token
      source TEXT NOT NULL,                -- whose quota; never an address in the clear
      reason TEXT,                         -- a code where the body is rejected, NULL where it counts; then the next
                                           -- five are set
      source_site TEXT,
      destination_site TEXT,
      source_id INTEGER,                   -- 0 to 255
      trigger_data INTEGER,                -- 0 to 15
      version INTEGER,                     -- of the report
      times INTEGER NOT NULL,              -- how often this body came
      digest BLOB,                         -- SHA-256 of a body that has a secret token, else NULL
      body BLOB                            -- NULL where it was pruned
    ) STRICT;
    CREATE UNIQUE INDEX web_click_by_digest ON web_click(digest) WHERE digest IS NOT NULL;

    -- All reports, kept or not.
    CREATE TABLE web_click_total(
      day INTEGER NOT NULL,                -- of arrival, days since 1970-01-01, UTC
      source_site TEXT NOT NULL,           -- empty, like the other names, where the day had too many to distinguish
      destination_site TEXT NOT NULL,
      source_id INTEGER NOT NULL,          -- -1, like trigger_data and version, where the sites are empty
      trigger_data INTEGER NOT NULL,
      version INTEGER NOT NULL,
      kept INTEGER NOT NULL,               -- reports with a row in web_click
      counted_only INTEGER NOT NULL,       -- reports beyond the quota
      repeats INTEGER NOT NULL,            -- further equal bodies with a token
      PRIMARY KEY(day, source_site, destination_site, source_id, trigger_data, version)
    ) STRICT, WITHOUT ROWID;

    -- All bodies that were sent as such reports and are none.
    CREATE TABLE web_rejected_total(
      day INTEGER NOT NULL,
      reason TEXT NOT NULL,
      kept INTEGER NOT NULL,
      counted_only INTEGER NOT NULL,
      PRIMARY KEY(day, reason)
    ) STRICT, WITHOUT ROWID;
    """
}
