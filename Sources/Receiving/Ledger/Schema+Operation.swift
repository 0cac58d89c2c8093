extension Schema {
  /// The tables of the service itself: tokens, alerts, relays and what happened last.
  static let operation = """
    -- Who may forward, sign and read. Tokens themselves are not stored; secrets to sign with are.
    CREATE TABLE token(
      id INTEGER PRIMARY KEY,
      use TEXT NOT NULL,                   -- forward, forward-path, read, edit, sign, test-inbox or handover
      name TEXT NOT NULL,                  -- the network's, or whose it is
      digest TEXT NOT NULL UNIQUE,         -- SHA-256, in hexadecimal digits
      created_at INTEGER NOT NULL,         -- milliseconds, UTC
      revoked_at INTEGER,                  -- NULL while it holds
      expires_at INTEGER,                  -- NULL where it has no end
      secret TEXT                          -- where use is sign: its text; NULL for all others
    ) STRICT;

    -- Imports of files, so that a wrong one can be taken back. Its conversions are those of its origin in a range of
    -- postback.id, in which other senders may have some too.
    CREATE TABLE import_run(
      id INTEGER PRIMARY KEY,
      origin INTEGER NOT NULL REFERENCES origin(id),
      began_at INTEGER NOT NULL,           -- milliseconds, UTC
      first INTEGER,                       -- its first and last postback.id; NULL where it added none
      last INTEGER,
      conversions INTEGER NOT NULL,        -- that it added
      copies INTEGER NOT NULL,             -- that it added to other conversions
      withdrawn_at INTEGER                 -- NULL while it counts
    ) STRICT;

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

    -- What is still to be sent to webhooks.
    CREATE TABLE alert_notice(
      webhook TEXT NOT NULL,               -- SHA-256 of its address, which may be a secret
      id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      next_at INTEGER NOT NULL,            -- no attempt before that
      attempts INTEGER NOT NULL,
      body BLOB NOT NULL,
      PRIMARY KEY(webhook, id)
    ) STRICT, WITHOUT ROWID;

    -- How far relays have passed postbacks on: postback and postback_copy are their queue.
    CREATE TABLE relay(
      name TEXT PRIMARY KEY,
      place TEXT NOT NULL,                 -- its address without path and secrets
      postback INTEGER NOT NULL,           -- the last postback.id that it has dealt with
      copy INTEGER NOT NULL,               -- the last postback_copy.id
      delivered INTEGER NOT NULL,          -- postbacks accepted so far
      delivered_at INTEGER,                -- when one was accepted last, milliseconds, UTC; NULL for never
      failing_since INTEGER,               -- NULL where the last attempt did not fail
      attempts INTEGER NOT NULL,           -- that failed since then
      next_at INTEGER,                     -- no attempt before that; NULL for now
      failure TEXT,                        -- why the last attempt failed
      removed_at INTEGER                   -- since when the configuration lacks it; NULL while it has it
    ) STRICT, WITHOUT ROWID;

    -- What relays did not send in its turn.
    CREATE TABLE relay_dead_letter(
      id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, because a relay remembers it
      relay TEXT NOT NULL,                 -- relay.name
      postback INTEGER NOT NULL,           -- postback.id
      copy INTEGER,                        -- postback_copy.id; NULL for the first copy
      received_at INTEGER NOT NULL,        -- of the copy
      failed_at INTEGER NOT NULL,
      status INTEGER,                      -- of HTTP; NULL where there was no answer
      reason TEXT NOT NULL,
      next_at INTEGER                      -- when it is tried again; NULL where it is given up
    ) STRICT;
    CREATE INDEX relay_dead_letter_by_relay ON relay_dead_letter(relay, next_at);

    -- When something happened last.
    CREATE TABLE last_time(
      event TEXT PRIMARY KEY,              -- backup, mapping-rejected, sample-made, digest or a pull's
      at INTEGER NOT NULL                  -- milliseconds, UTC
    ) STRICT, WITHOUT ROWID;
    """
}
