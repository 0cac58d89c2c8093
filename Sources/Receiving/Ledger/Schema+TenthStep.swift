extension Schema {
  /// How far relays were lately, from which their pace follows.
  static let tenthStep = """
    -- How far a relay was in each minute in which its address accepted postbacks, for somewhat more than an hour.
    CREATE TABLE relay_pace(
      relay TEXT NOT NULL,                 -- relay.name
      minute INTEGER NOT NULL,             -- since 1970, UTC
      at INTEGER NOT NULL,                 -- milliseconds, UTC: the first acceptance in it that was noted
      delivered INTEGER NOT NULL,          -- relay.delivered, relay.postback and relay.copy then
      postback INTEGER NOT NULL,
      copy INTEGER NOT NULL,
      PRIMARY KEY(relay, minute)
    ) STRICT, WITHOUT ROWID;
    """
}
