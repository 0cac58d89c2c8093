extension Schema {
  /// People save views of pages, and imports are remembered, so that charts show where figures changed by one.
  static let fourthStep = """
    -- What a page shows under a name: the query of its address.
    CREATE TABLE saved_view(
      path TEXT NOT NULL,                  -- of the page
      owner TEXT NOT NULL,                 -- the name of the token of who saved it; empty without a sign-in
      name TEXT NOT NULL,
      query TEXT NOT NULL,                 -- as it is in the address
      is_shared INTEGER NOT NULL,          -- 1 where all see it, because an editor saved it
      PRIMARY KEY(path, owner, name)
    ) STRICT, WITHOUT ROWID;
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
