extension Schema {
  /// Digests of further copies, so that a copy is compared with those that are kept without reading them.
  static let step7 = """
    CREATE TABLE copies(
      id INTEGER PRIMARY KEY,
      postback INTEGER NOT NULL,           -- postback.id
      received_at INTEGER NOT NULL,        -- of the first such copy
      last_received_at INTEGER NOT NULL,
      times INTEGER NOT NULL,              -- how often this same copy came
      origin INTEGER NOT NULL,
      conflict TEXT,                       -- the fields that contradict the first copy; NULL for none
      digest BLOB,                         -- SHA-256 of the body, NULL where the body is the first copy's; of no
                                           -- bytes for all further copies of this kind, which are only counted
      body BLOB                            -- NULL where it is the first copy's, was only counted or was pruned;
                                           -- last, so that nothing else has to be sought behind it
    ) STRICT;
    -- No digest is known of bodies that came before. A copy that comes again gets a row of its own.
    INSERT INTO copies
      SELECT id, postback, received_at, last_received_at, times, origin, conflict, iif(body IS NULL, NULL, x''), body
      FROM sighting;
    DROP TABLE sighting;
    ALTER TABLE copies RENAME TO sighting;
    CREATE INDEX sighting_by_postback ON sighting(postback);
    -- What the report of conflicts reads, in its order.
    CREATE INDEX sighting_in_conflict ON sighting(postback) WHERE conflict IS NOT NULL;
    """
}
