extension Schema {
  /// Tokens have the day of their last use, and what senders have used of quotas is no longer in the memory of a process.
  static let fifthStep = """
    -- Days since 1970-01-01, UTC; NULL for a token that was never used since this step, and for secrets.
    ALTER TABLE token ADD COLUMN last_used_on INTEGER;
    CREATE TABLE quota_use(
      quota TEXT NOT NULL,                 -- copies or web-clicks
      day INTEGER NOT NULL,                -- of arrival, days since 1970-01-01, UTC; the newest two
      sender TEXT NOT NULL,                -- whose quota; never an address in the clear; * for all beyond those distinguished
      used INTEGER NOT NULL,               -- bytes of copies, or bodies of web clicks
      PRIMARY KEY(quota, day, sender)
    ) STRICT, WITHOUT ROWID;
    """
}
