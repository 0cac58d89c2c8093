extension Schema {
  /// The number by which a network's own files name a campaign, beside what people call it.
  static let twelfthStep = """
    ALTER TABLE campaign_name ADD COLUMN number TEXT; -- the network's own number of the campaign

    DROP VIEW v_names;
    CREATE VIEW v_names AS
    SELECT network, campaign, nullif(app, 0) AS app, date(from_day * 86400, 'unixepoch') AS from_day,
      date(to_day * 86400, 'unixepoch') AS to_day, name, ad_set, creative, country, number
    FROM campaign_name;
    """
}
