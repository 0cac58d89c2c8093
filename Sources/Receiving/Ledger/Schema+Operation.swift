extension Schema {
  /// What an operator wants to see: mapping files that were rejected, and when things happened last.
  static let step8 = """
    -- The files of the mapping folder that were rejected at its last load.
    CREATE TABLE rejected_mapping(
      source TEXT PRIMARY KEY,             -- the file's name
      state TEXT NOT NULL,                 -- rejected, unreadable or clash
      reason TEXT NOT NULL,
      since INTEGER NOT NULL,              -- when it was rejected first, milliseconds, UTC
      keeps_old INTEGER NOT NULL           -- 1 where an earlier state of the file is in force
    ) STRICT, WITHOUT ROWID;

    -- When something happened last.
    CREATE TABLE last_time(
      event TEXT PRIMARY KEY,              -- backup or mapping-rejected
      at INTEGER NOT NULL                  -- milliseconds, UTC
    ) STRICT, WITHOUT ROWID;
    """
}
