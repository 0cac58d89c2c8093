extension Schema {
  /// Spend by environment, so that a try with test keys never adds to what was really paid.
  static let step6 = """
    ALTER TABLE spend RENAME TO spend_of_production;
    CREATE TABLE spend(
      environment INTEGER NOT NULL,        -- as in postback
      day INTEGER NOT NULL,
      network TEXT NOT NULL,               -- lower case
      campaign TEXT NOT NULL,              -- as in postbacks, or as campaign_name calls it
      app INTEGER NOT NULL,                -- 0 where the file did not tell
      currency TEXT NOT NULL,
      micros INTEGER NOT NULL,
      PRIMARY KEY(environment, day, network, campaign, app, currency)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO spend SELECT 0, day, network, campaign, app, currency, micros FROM spend_of_production;
    DROP TABLE spend_of_production;
    """
}
