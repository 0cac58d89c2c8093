extension Schema {
  /// Days of tokens' last use are stored.
  static let fifthStep = """
    -- Days since 1970-01-01, UTC; NULL for a token that was never used since this step, and for secrets.
    ALTER TABLE token ADD COLUMN last_used_on INTEGER;
    """
}
