extension Schema {
  static let inbox = """
    -- The newest arrivals of each test inbox, whatever came of them.
    CREATE TABLE inbox_arrival(
      id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, because watchers remember it
      inbox INTEGER NOT NULL,              -- token.id
      received_at INTEGER NOT NULL,        -- milliseconds, UTC
      state TEXT NOT NULL,                 -- valid, invalid, unverifiable or malformed
      environment TEXT,                    -- whose key signed it; NULL where it is not valid
      reason TEXT,                         -- why it is not valid, in words; NULL where it is
      stored TEXT,                         -- first, copy or conflict; NULL where it is stored only here
      body BLOB NOT NULL
    ) STRICT;
    CREATE INDEX inbox_arrival_by_inbox ON inbox_arrival(inbox);
    """
}
