extension Schema {
  /// What groups of own users show of users of a value.
  static let eleventhStep = """
    -- How likely it is that users of a value differ from campaign to campaign by so much, by groups of the advertiser's own users.
    CREATE TABLE within_value(
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- of the mapping version, milliseconds, UTC
      horizon INTEGER NOT NULL,            -- as in value_worth
      slope INTEGER NOT NULL,              -- per cent of the difference between values
      spread INTEGER NOT NULL,             -- per cent: the standard deviation of what is left
      groups INTEGER NOT NULL,             -- how many groups show it
      weight INTEGER NOT NULL,             -- how likely it is, in millionths
      PRIMARY KEY(app, effective_from, horizon, slope, spread)
    ) STRICT, WITHOUT ROWID;
    """
}
