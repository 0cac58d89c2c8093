import SQLite

/// The database file's layout, one step per released version of it.
///
/// A step is never changed once released; a new layout is a new step. The low ten bits of `PRAGMA user_version` count
/// the steps a file has taken. The others are a number drawn for this file and for each backup of it (0 in files of
/// before there was one), by which a write-ahead log is known that belongs to another file.
enum Schema {
  /// `skan` in ASCII: marks the file as ours in its header (`PRAGMA application_id`).
  static let applicationID: Int64 = 0x736B_616E

  /// The SQL of every step, in order.
  static let steps: [String] = [step1, step2, step3, step4, step5, step6, step7, step8, step9]

  /// Takes the steps that a file lacks, all in one transaction.
  ///
  /// - Throws: ``LedgerError`` when the file belongs to another program or to a newer version of this one.
  static func migrate(_ connection: borrowing Connection) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      let found = try userVersion(connection)
      guard found.layout < steps.count || found.lineage == 0 else { return }
      try connection.transaction { () throws(SQLiteError) in
        // Another process may have migrated while this one waited for the lock.
        let found = try userVersion(connection)
        guard found.layout <= steps.count else { return }
        for step in steps.dropFirst(found.layout) { try connection.execute(step) }
        let lineage = try found.lineage == 0 ? drawnLineage(connection) : found.lineage
        let version = lineage << layoutBits | steps.count
        try connection.execute(
          "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      }
      // Only what the file itself says can be held against a log.
      _ = try? connection.integer("PRAGMA wal_checkpoint(PASSIVE)")
    }
    try refuseNewer(connection)
  }

  /// Gives a copy of a database a number of its own.
  ///
  /// - Throws: ``SQLiteError``.
  static func renewLineage(_ connection: borrowing Connection) throws(SQLiteError) {
    let lineage = try drawnLineage(connection)
    let layout = try userVersion(connection).layout
    try connection.execute("PRAGMA user_version = \(lineage << layoutBits | layout)")
  }

  /// The number of the file itself, without its log; 0 for none, `nil` for a file too short to have one.
  ///
  /// - Throws: ``SQLiteError``.
  static func lineageOfFile(_ connection: borrowing Connection) throws(SQLiteError) -> Int? {
    try connection.userVersionOfFile().map { Int($0 >> layoutBits) }
  }

  /// The number that the file and its log show together.
  ///
  /// - Throws: ``SQLiteError``.
  static func lineage(_ connection: borrowing Connection) throws(SQLiteError) -> Int {
    try userVersion(connection).lineage
  }

  /// Refuses a write-ahead log that came about beside another file: SQLite would take its pages for the file's own, and
  /// write them over those.
  ///
  /// - Throws: ``LedgerError/foreignLog``; the connection then leaves the log as it is.
  private static func refuseForeignLog(_ connection: borrowing Connection) throws(LedgerError) {
    let isOwn = try asLedger { () throws(SQLiteError) in
      let ofFile = try lineageOfFile(connection) ?? 0
      let shown = try lineage(connection)
      return ofFile == 0 || ofFile == shown
    }
    guard isOwn else { throw .foreignLog }
  }

  /// Refuses a file that this program must not touch.
  ///
  /// - Throws: ``LedgerError`` when the file is another program's or of a newer version.
  static func admit(_ connection: borrowing Connection) throws(LedgerError) {
    // Whatever is rejected stays as it is, also when the connection closes.
    connection.keepLog(true)
    try refuseForeignLog(connection)
    try asLedger { () throws(SQLiteError) in try check(connection) }
    try refuseNewer(connection)
    connection.keepLog(false)
  }

  /// Refuses a file that this program can't read.
  ///
  /// - Throws: ``LedgerError`` when the file is empty, another program's, or of another version.
  static func requireCurrent(_ connection: borrowing Connection) throws(LedgerError) {
    try refuseForeignLog(connection)
    try asLedger { () throws(SQLiteError) in
      try check(connection)
      guard try version(connection) > 0 else { throw SQLiteError(code: 26, message: "no tables") }
    }
    try refuseNewer(connection)
    let found = try asLedger { () throws(SQLiteError) in try version(connection) }
    guard found == Int64(steps.count) else { throw .olderSchema(found: Int(found), known: steps.count) }
  }

  private static func refuseNewer(_ connection: borrowing Connection) throws(LedgerError) {
    let found = try asLedger { () throws(SQLiteError) in try version(connection) }
    guard found <= Int64(steps.count) else { throw .newerSchema(found: Int(found), known: steps.count) }
  }

  private static let layoutBits = 10

  private static func version(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    Int64(try userVersion(connection).layout)
  }

  private static func userVersion(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (lineage: Int, layout: Int) {
    let number = try connection.integer("PRAGMA user_version").map { Int($0) } ?? 0
    return (number >> layoutBits, number & (1 << layoutBits - 1))
  }

  /// A number of 21 bits that is not 0.
  private static func drawnLineage(_ connection: borrowing Connection) throws(SQLiteError) -> Int {
    try connection.integer("SELECT abs(random() % 2097151) + 1").map { Int($0) } ?? 1
  }

  private static func check(_ connection: borrowing Connection) throws(SQLiteError) {
    let mark = try connection.integer("PRAGMA application_id") ?? 0
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    guard mark == applicationID || (mark == 0 && tables == 0) else {
      throw SQLiteError(code: 26, message: "another program's database")
    }
  }

  private static let step1 = """
    CREATE TABLE origin(
      id INTEGER PRIMARY KEY,
      route TEXT NOT NULL,
      name TEXT NOT NULL,
      UNIQUE(route, name)
    ) STRICT;

    CREATE TABLE network(
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE      -- lower case
    ) STRICT;

    -- One row for each conversion, made of its first valid copy, in order of arrival; never changed.
    CREATE TABLE postback(
      id INTEGER PRIMARY KEY,
      fingerprint INTEGER NOT NULL,        -- see Fingerprint
      received_at INTEGER NOT NULL,        -- milliseconds, UTC
      origin INTEGER NOT NULL,             -- origin.id
      environment INTEGER NOT NULL,        -- 0 production, 1 development, 2 test
      version INTEGER NOT NULL,            -- 10 … 40 for SKAdNetwork 1.0 … 4.0, 100 for AdAttributionKit
      network INTEGER NOT NULL,            -- network.id
      app INTEGER NOT NULL,
      campaign TEXT NOT NULL,
      window INTEGER NOT NULL,             -- postback-sequence-index
      outcome INTEGER NOT NULL,            -- 0 install, 1 redownload, 2 re-engagement, 3 assist, 4 other
      interaction INTEGER,                 -- 0 view, 1 click
      value INTEGER,                       -- unsigned: 0 … 63, 64 low, 65 medium, 66 high, -1 rejected, NULL none
      country TEXT,                        -- unsigned
      identifier TEXT NOT NULL,            -- transaction-id or postback-identifier
      body BLOB NOT NULL                   -- as it came
    ) STRICT;

    -- Further valid copies of a conversion.
    CREATE TABLE sighting(
      id INTEGER PRIMARY KEY,
      postback INTEGER NOT NULL,           -- postback.id
      received_at INTEGER NOT NULL,        -- of the first such copy
      last_received_at INTEGER NOT NULL,
      times INTEGER NOT NULL,              -- how often this same copy came
      origin INTEGER NOT NULL,
      conflict TEXT,                       -- the fields that contradict the first copy; NULL for none
      body BLOB                            -- NULL where it is the first copy's
    ) STRICT;
    CREATE INDEX sighting_by_postback ON sighting(postback);

    -- Bodies that are not believed, up to a quota.
    CREATE TABLE rejected(
      id INTEGER PRIMARY KEY,
      received_at INTEGER NOT NULL,
      origin INTEGER NOT NULL,
      source TEXT NOT NULL,                -- whose quota; never an address in the clear
      state TEXT NOT NULL,                 -- invalid, unverifiable or malformed
      reason TEXT NOT NULL,                -- a code
      identifier TEXT,                     -- as claimed
      body BLOB NOT NULL
    ) STRICT;
    CREATE INDEX rejected_by_identifier ON rejected(identifier) WHERE identifier IS NOT NULL;

    -- All bodies that are not believed, kept or not.
    CREATE TABLE rejected_total(
      day INTEGER NOT NULL,                -- days since 1970-01-01, UTC
      origin INTEGER NOT NULL,
      source TEXT NOT NULL,
      state TEXT NOT NULL,
      reason TEXT NOT NULL,
      seen INTEGER NOT NULL,
      kept INTEGER NOT NULL,
      PRIMARY KEY(day, origin, source, state, reason)
    ) STRICT, WITHOUT ROWID;

    -- What every report of campaigns reads; the sum of postback rows, kept in the same transactions. A cell is
    -- what totals are told apart by; it has one row of counts and one for each fine value that came.
    CREATE TABLE campaign_cell(
      id INTEGER PRIMARY KEY,
      day INTEGER NOT NULL,                -- of arrival, days since 1970-01-01, UTC
      environment INTEGER NOT NULL,
      app INTEGER NOT NULL,
      network INTEGER NOT NULL,
      version INTEGER NOT NULL,
      campaign TEXT NOT NULL,
      window INTEGER NOT NULL,
      UNIQUE(day, environment, app, network, version, campaign, window)
    ) STRICT;
    CREATE TABLE campaign_total(
      cell INTEGER PRIMARY KEY,            -- campaign_cell.id
      \(TotalsColumn.allCases.map { "\($0.rawValue) INTEGER NOT NULL" }.joined(separator: ",\n  "))
    ) STRICT;
    CREATE TABLE fine_value_total(
      id INTEGER PRIMARY KEY,              -- cell * 64 + fine value
      postbacks INTEGER NOT NULL           -- winning postbacks with that value
    ) STRICT;

    -- The index of conversions: sorted runs of (fingerprint, postback) that are written once; see KeyIndex.
    CREATE TABLE key_run(
      id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, because readers remember it
      state TEXT NOT NULL,                 -- building, live or dead
      level INTEGER NOT NULL,
      keys INTEGER NOT NULL,
      blocks INTEGER NOT NULL,
      last_postback INTEGER NOT NULL       -- no key of a later postback is in this run
    ) STRICT;
    CREATE TABLE key_block(
      id INTEGER PRIMARY KEY,              -- run * 2^24 + number of the block
      data BLOB NOT NULL
    ) STRICT;
    CREATE TABLE key_digest(
      id INTEGER PRIMARY KEY,              -- run * 2^24 + number of the part
      data BLOB NOT NULL                   -- the run's fences and filter
    ) STRICT;
    """

  /// Values by the hour, so that a postback can be decoded by the mapping of its install; versions of mappings; and
  /// what advertisers know: spend, names and rates.
  private static let step2 = """
    -- Winning postbacks by the hour of arrival and the value; the sum of postback rows, like the totals.
    CREATE TABLE value_hour(
      id INTEGER PRIMARY KEY,              -- cell * 4096 + hour of the UTC day * 128 + value
      postbacks INTEGER NOT NULL           -- values as in postback, but 67 rejected and 68 none
    ) STRICT;
    INSERT INTO value_hour(id, postbacks)
      SELECT c.id * 4096 + \(hourOfDaySQL("p.received_at")) * 128 + \(slotSQL("p.value")) AS slot, count(*)
      FROM postback p JOIN campaign_cell c
        ON c.day = \(daySQL("p.received_at")) AND c.environment = p.environment AND c.app = p.app
          AND c.network = p.network AND c.version = p.version AND c.campaign = p.campaign AND c.window = p.window
      WHERE p.outcome <> 3 GROUP BY slot;
    DROP TABLE fine_value_total;

    -- The mappings that postbacks are decoded by, as they were loaded.
    CREATE TABLE mapping_version(
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL UNIQUE,         -- the file's name
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- milliseconds, UTC
      digest TEXT NOT NULL,                -- SHA-256 of the document
      loaded_at INTEGER NOT NULL,
      document BLOB NOT NULL,
      UNIQUE(app, effective_from)
    ) STRICT;

    -- What advertisers paid.
    CREATE TABLE spend(
      day INTEGER NOT NULL,
      network TEXT NOT NULL,               -- lower case
      campaign TEXT NOT NULL,              -- as in postbacks, or as campaign_name calls it
      app INTEGER NOT NULL,                -- 0 where the file did not tell
      currency TEXT NOT NULL,
      micros INTEGER NOT NULL,
      PRIMARY KEY(day, network, campaign, app, currency)
    ) STRICT, WITHOUT ROWID;

    -- What people call campaigns, and when.
    CREATE TABLE campaign_name(
      network TEXT NOT NULL,               -- lower case
      campaign TEXT NOT NULL,              -- campaign id, or two to four digits of a source identifier
      from_day INTEGER NOT NULL,
      to_day INTEGER,                      -- the first day that no longer counts; NULL for no end
      name TEXT NOT NULL,
      ad_set TEXT,
      creative TEXT,
      country TEXT,
      PRIMARY KEY(network, campaign, from_day)
    ) STRICT, WITHOUT ROWID;

    -- Exchange rates: what one unit of a currency is worth in another one, from that day on.
    CREATE TABLE rate(
      day INTEGER NOT NULL,
      currency TEXT NOT NULL,
      quote TEXT NOT NULL,
      picos INTEGER NOT NULL,              -- 10^-12
      PRIMARY KEY(currency, quote, day)
    ) STRICT, WITHOUT ROWID;

    -- What networks say they counted.
    CREATE TABLE network_total(
      day INTEGER NOT NULL,
      network TEXT NOT NULL,               -- lower case
      campaign TEXT NOT NULL,              -- empty where the network told no campaign
      installs INTEGER NOT NULL,
      PRIMARY KEY(day, network, campaign)
    ) STRICT, WITHOUT ROWID;

    -- What the advertiser's own users with a value really brought, by the version of the mapping.
    CREATE TABLE value_worth(
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- of the version, milliseconds, UTC
      currency TEXT NOT NULL,
      value INTEGER NOT NULL,              -- 0 to 63
      users INTEGER NOT NULL,
      micros INTEGER NOT NULL,             -- the sum, millionths
      squares REAL NOT NULL,               -- the sum of squares, in whole units of the currency
      largest INTEGER NOT NULL,            -- the most of one user, millionths
      PRIMARY KEY(app, effective_from, value)
    ) STRICT, WITHOUT ROWID;

    -- Who may forward and who may read; tokens themselves are nowhere.
    CREATE TABLE token(
      id INTEGER PRIMARY KEY,
      use TEXT NOT NULL,                   -- forward or read
      name TEXT NOT NULL,                  -- the network's, or whose it is
      digest TEXT NOT NULL UNIQUE,         -- SHA-256, in hexadecimal digits
      created_at INTEGER NOT NULL,         -- milliseconds, UTC
      revoked_at INTEGER                   -- NULL while it holds
    ) STRICT;
    """

  /// More of what networks say they counted; NULL where they did not tell.
  private static let step3 = """
    ALTER TABLE network_total ADD COLUMN redownloads INTEGER;
    ALTER TABLE network_total ADD COLUMN postbacks INTEGER;
    ALTER TABLE network_total ADD COLUMN with_value INTEGER;
    ALTER TABLE network_total ADD COLUMN micros INTEGER;
    ALTER TABLE network_total ADD COLUMN currency TEXT;
    """
}
