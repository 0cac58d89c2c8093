extension Schema {
  /// What it takes to know how sure the worth of a value is; users have to be imported anew.
  static let step9 = """
    DELETE FROM value_worth;
    ALTER TABLE value_worth ADD COLUMN cubes REAL NOT NULL DEFAULT 0;  -- the sum of cubes, in whole units

    -- What own users with a value brought, one by one but without whose it is: all of up to 300 users, and the highest 13
    -- of more.
    CREATE TABLE worth_amount(
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- of the version, milliseconds, UTC
      value INTEGER NOT NULL,              -- 0 to 63
      micros INTEGER NOT NULL,             -- what one user brought, millionths
      users INTEGER NOT NULL,              -- how many of them brought just that
      PRIMARY KEY(app, effective_from, value, micros)
    ) STRICT, WITHOUT ROWID;
    """
}
