extension Schema {
  /// Imports are remembered, so that charts show where figures changed by one.
  static let fourthStep = """
    -- Imports of what advertisers know; those from before this step are not in it.
    CREATE TABLE reference_import(
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,                 -- milliseconds, UTC
      kind TEXT NOT NULL,                  -- the table that took the rows
      rows INTEGER NOT NULL                -- rows that were added, changed or removed
    ) STRICT;
    CREATE INDEX reference_import_by_time ON reference_import(at);
    """
}
