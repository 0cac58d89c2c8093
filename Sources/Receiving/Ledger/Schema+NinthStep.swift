extension Schema {
  /// Own users who update later windows, so that postbacks of these windows can be expected, and the advertiser's books.
  static let ninthStep = """
    -- How many of the advertiser's own users updated the value in window 2 or 3, by their value of window 1.
    CREATE TABLE window_update(
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- of the mapping version, milliseconds, UTC
      sequence INTEGER NOT NULL,           -- postback-sequence-index: 1 or 2
      value INTEGER NOT NULL,              -- of window 1: 0 to 63; 64 to 66 for the coarse value low, medium, high
      users INTEGER NOT NULL,              -- those whose history reaches to the window's end
      updated INTEGER NOT NULL,
      PRIMARY KEY(app, effective_from, sequence, value)
    ) STRICT, WITHOUT ROWID;

    -- What apps earned by the advertiser's own books, by the day of payment; millionths, NULL where not stated.
    CREATE TABLE own_proceeds(
      day INTEGER NOT NULL,
      app INTEGER NOT NULL,
      currency TEXT NOT NULL,
      proceeds INTEGER NOT NULL,
      commission INTEGER,
      refunds INTEGER,
      tax INTEGER,
      PRIMARY KEY(day, app, currency)
    ) STRICT, WITHOUT ROWID;
    """
}
