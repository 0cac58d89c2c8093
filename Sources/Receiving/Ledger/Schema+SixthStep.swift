extension Schema {
  /// How far the database has followed a journal; without one all of these are empty.
  static let sixthStep = """
    -- One row where the database is a node's: everything up to this batch is in it.
    CREATE TABLE journal_place(
      id INTEGER PRIMARY KEY CHECK(id = 1),
      identity TEXT NOT NULL,              -- the journal's UUID
      position INTEGER NOT NULL,           -- of the last batch that was applied; 0 before the first one
      chain BLOB NOT NULL,                 -- SHA-256 over all batches up to it
      level INTEGER NOT NULL DEFAULT 1,    -- how nodes read and count what the journal has
      keeps_bodies INTEGER NOT NULL DEFAULT 1  -- 0 where postback.body has digests of bodies
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
    -- What the database had at places of the journal, the newest hundred.
    CREATE TABLE checkpoint(
      number INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,                 -- milliseconds, UTC, when a node asked for it
      postback INTEGER NOT NULL,           -- the newest postback.id then
      copy INTEGER NOT NULL,               -- the newest postback_copy.id then
      figures TEXT NOT NULL                -- a line each: a name, and numbers
    ) STRICT;
    -- Where the database and another node's had different figures at the same place.
    CREATE TABLE checkpoint_difference(
      number INTEGER NOT NULL,             -- checkpoint.number
      node TEXT NOT NULL,                  -- the other one
      at INTEGER NOT NULL,                 -- checkpoint.at
      figure TEXT NOT NULL,
      here TEXT NOT NULL,
      there TEXT NOT NULL,
      PRIMARY KEY(number, node)
    ) STRICT, WITHOUT ROWID;
    """
}
