extension Schema {
  /// What is stored as it came has a digest beside it, by which a change on the disk is found; and campaigns have the number
  /// by which a network's own files name them, beside what people call them.
  static let twelfthStep = """
    -- The first 8 bytes of the SHA-256 of the body as it came, XOR received_at; see StoredDigest. NULL for what was stored
    -- before this step.
    ALTER TABLE postback ADD COLUMN digest INTEGER;
    ALTER TABLE rejected ADD COLUMN digest INTEGER;
    -- The same of received, XOR row * 4 + kind.
    ALTER TABLE network_form ADD COLUMN digest INTEGER;
    ALTER TABLE campaign_name ADD COLUMN number TEXT; -- the network's own number of the campaign

    DROP VIEW v_names;
    CREATE VIEW v_names AS
    SELECT network, campaign, nullif(app, 0) AS app, date(from_day * 86400, 'unixepoch') AS from_day,
      date(to_day * 86400, 'unixepoch') AS to_day, name, ad_set, creative, country, number
    FROM campaign_name;
    """
}
