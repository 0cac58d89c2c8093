extension Schema {
  /// How far the database has followed a journal; without one all of these are empty.
  static let sixthStep = """
    -- One row where the database is a node's: everything up to this batch is in it.
    CREATE TABLE journal_place(
      id INTEGER PRIMARY KEY CHECK(id = 1),
      identity TEXT NOT NULL,              -- the journal's UUID
      position INTEGER NOT NULL,           -- of the last batch that was applied; 0 before the first one
      chain BLOB NOT NULL                  -- SHA-256 over all batches up to it
    ) STRICT;
    CREATE TABLE journal_node(
      name TEXT PRIMARY KEY,               -- the node that appended
      number INTEGER NOT NULL              -- of its newest batch that was applied
    ) STRICT, WITHOUT ROWID;
    -- Changes of the journal that could not be applied, of which nothing is in any other table.
    CREATE TABLE unapplied_change(
      position INTEGER NOT NULL,           -- of the batch
      number INTEGER NOT NULL,             -- of the change in the batch, from 0
      reason TEXT NOT NULL,
      PRIMARY KEY(position, number)
    ) STRICT, WITHOUT ROWID;
    -- Which node does what only one of them must do, such as sending to relays and webhooks.
    CREATE TABLE lease(
      job TEXT PRIMARY KEY,
      node TEXT NOT NULL,
      until INTEGER NOT NULL,              -- milliseconds, UTC, by the clock of the node
      epoch INTEGER NOT NULL               -- one more each time that another process gets it
    ) STRICT, WITHOUT ROWID;
    """
}
