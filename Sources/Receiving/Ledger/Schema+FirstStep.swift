extension Schema {
  /// The first layout; ``secondStep`` replaces the totals of campaigns and the views of them.
  static let firstStep = [postbacks, totals, keyIndex, reference, operation, webClicks, inbox, views].joined(
    separator: "\n")

  /// What came: postbacks, their further copies, and what was rejected.
  private static let postbacks = """
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

    CREATE TABLE publisher(
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE      -- App Store number or domain
    ) STRICT;

    CREATE TABLE marketplace(
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE      -- marketplace-identifier
    ) STRICT;

    -- One row for each conversion, made of its first valid copy, in order of arrival; never changed.
    CREATE TABLE postback(
      id INTEGER PRIMARY KEY,
      fingerprint INTEGER NOT NULL,        -- see Fingerprint
      received_at INTEGER NOT NULL,        -- milliseconds, UTC
      origin INTEGER NOT NULL,             -- origin.id
      environment INTEGER NOT NULL,        -- 0 production, 1 development, 2 test, 3 claimed, 4 withdrawn
      version INTEGER NOT NULL,            -- 10 … 40 for SKAdNetwork 1.0 … 4.0, 100 for AdAttributionKit
      network INTEGER NOT NULL,            -- network.id
      app INTEGER NOT NULL,
      campaign TEXT NOT NULL,
      window INTEGER NOT NULL,             -- postback-sequence-index
      outcome INTEGER NOT NULL,            -- 0 install, 1 redownload, 2 re-engagement, 3 assist, 4 other
      interaction INTEGER,                 -- 0 view, 1 click
      value INTEGER,                       -- unsigned: 0 … 63, 64 low, 65 medium, 66 high, -1 rejected, NULL none
      country TEXT,                        -- unsigned: two letters, or other; NULL none
      publisher INTEGER,                   -- publisher.id; NULL none
      marketplace INTEGER,                 -- marketplace.id; NULL none
      identifier TEXT NOT NULL,            -- transaction-id or postback-identifier
      body BLOB NOT NULL                   -- as it came
    ) STRICT;

    -- What reports by the facts of single postbacks read instead of the rows with their bodies; see FactBlocks.
    CREATE TABLE postback_facts(
      id INTEGER PRIMARY KEY,              -- the block; it has the rows id * 512 + 1 to (id + 1) * 512 of postback
      earliest INTEGER NOT NULL,           -- received_at of those rows, milliseconds, UTC
      latest INTEGER NOT NULL,
      data BLOB NOT NULL                   -- see FactBlock
    ) STRICT;

    -- Further valid copies of a conversion.
    CREATE TABLE postback_copy(
      id INTEGER PRIMARY KEY,
      postback INTEGER NOT NULL,           -- postback.id
      received_at INTEGER NOT NULL,        -- of the first such copy
      last_received_at INTEGER NOT NULL,
      times INTEGER NOT NULL,              -- how often this same copy came
      origin INTEGER NOT NULL,
      conflict TEXT,                       -- the fields that contradict the first copy; NULL for none
      digest BLOB,                         -- SHA-256 of the body, NULL where the body is the first copy's; of no
                                           -- bytes for all further copies of this kind, which are only counted
      body BLOB                            -- NULL where it is the first copy's, was only counted or was pruned;
                                           -- last, so that nothing else has to be sought behind it
    ) STRICT;
    CREATE INDEX postback_copy_by_postback ON postback_copy(postback);
    -- What the report of conflicts reads, in its order.
    CREATE INDEX postback_copy_in_conflict ON postback_copy(postback) WHERE conflict IS NOT NULL;

    -- What networks sent in forms of their own, beside the body that was read from it.
    CREATE TABLE network_form(
      kind INTEGER NOT NULL,               -- the table of the body: 0 postback, 1 postback_copy, 2 rejected
      row INTEGER NOT NULL,                -- its id there
      profile TEXT NOT NULL,               -- the name of the profile that it was read by
      received BLOB NOT NULL,              -- as it came
      PRIMARY KEY(kind, row)
    ) STRICT, WITHOUT ROWID;

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
    """

  /// The sums that reports and alerts read, added to in the transaction that stores the postback.
  private static let totals = """
    -- What every report of campaigns reads; the sum of postback rows, kept in the same transactions. A cell is
    -- what totals are kept by; it has one row of counts.
    CREATE TABLE campaign_cell(
      id INTEGER PRIMARY KEY,
      day INTEGER NOT NULL,                -- of arrival, days since 1970-01-01, UTC
      environment INTEGER NOT NULL,
      app INTEGER NOT NULL,
      network INTEGER NOT NULL,
      version INTEGER NOT NULL,
      campaign TEXT NOT NULL,
      window INTEGER NOT NULL,
      outcome INTEGER NOT NULL,            -- as in postback
      UNIQUE(day, environment, app, network, version, campaign, window, outcome)
    ) STRICT;
    CREATE TABLE campaign_total(
      cell INTEGER PRIMARY KEY,            -- campaign_cell.id
      postbacks INTEGER NOT NULL,
      views INTEGER NOT NULL,
      clicks INTEGER NOT NULL,
      repeats INTEGER NOT NULL,
      conflicts INTEGER NOT NULL,
      value_null INTEGER NOT NULL,
      coarse_null INTEGER NOT NULL,
      value_rejected INTEGER NOT NULL,
      coarse_low INTEGER NOT NULL,
      coarse_medium INTEGER NOT NULL,
      coarse_high INTEGER NOT NULL
    ) STRICT;
    -- What a report reads of copies that counts all else from postback_facts.
    CREATE INDEX campaign_total_with_copies ON campaign_total(cell) WHERE repeats <> 0 OR conflicts <> 0;
    -- Winning postbacks by the hour of arrival and the value; the sum of postback rows, like the totals.
    CREATE TABLE value_hour(
      id INTEGER PRIMARY KEY,              -- cell * 4096 + hour of the UTC day * 128 + value
      postbacks INTEGER NOT NULL           -- values as in postback, but 67 rejected and 68 none
    ) STRICT;

    -- Every body that came, by the hour; written in the transaction that stores it.
    CREATE TABLE arrival_hour(
      hour INTEGER NOT NULL,               -- hours since 1970-01-01T00:00:00Z
      origin INTEGER NOT NULL,             -- origin.id
      environment INTEGER NOT NULL,        -- as in postback; 0 for rejected bodies
      network INTEGER NOT NULL,            -- network.id; 0 for rejected bodies
      first INTEGER NOT NULL,              -- first valid copies
      repeated INTEGER NOT NULL,           -- further valid copies that agree with the first
      conflicting INTEGER NOT NULL,        -- further valid copies that disagree with the first
      rejected INTEGER NOT NULL,           -- rejected bodies
      PRIMARY KEY(hour, origin, environment, network)
    ) STRICT, WITHOUT ROWID;
    """

  private static let keyIndex = """
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

  /// What advertisers and networks know, and the mappings.
  private static let reference = """
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

    -- Since when apps got versions from /v1/apps/{app}/mapping.
    CREATE TABLE served_mapping(
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- milliseconds, UTC
      digest TEXT NOT NULL,                -- SHA-256 of the document
      since INTEGER NOT NULL,              -- milliseconds, UTC
      PRIMARY KEY(app, effective_from, digest)
    ) STRICT, WITHOUT ROWID;

    -- The files of the mapping folder that were rejected at its last load.
    CREATE TABLE rejected_mapping(
      source TEXT PRIMARY KEY,             -- the file's name
      state TEXT NOT NULL,                 -- rejected, unreadable or clash
      reason TEXT NOT NULL,
      since INTEGER NOT NULL,              -- when it was rejected first, milliseconds, UTC
      keeps_old INTEGER NOT NULL           -- 1 where an earlier state of the file is in force
    ) STRICT, WITHOUT ROWID;

    -- Mappings that are being written.
    CREATE TABLE mapping_draft(
      id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, because pages remember it
      app INTEGER NOT NULL,
      name TEXT NOT NULL,
      document BLOB NOT NULL,              -- as it was written, right or not
      revision INTEGER NOT NULL,           -- one more with each save
      base_state TEXT NOT NULL,            -- SHA-256 over the app's versions that its author knew
      base_from INTEGER,                   -- effective_from of the version that it was made of; NULL for none
      created_at INTEGER NOT NULL,         -- milliseconds, UTC
      created_by TEXT NOT NULL,
      saved_at INTEGER NOT NULL,
      saved_by TEXT NOT NULL
    ) STRICT;
    CREATE INDEX mapping_draft_by_app ON mapping_draft(app);

    -- The mapping versions that users published; rows are only added.
    CREATE TABLE mapping_publication(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- milliseconds, UTC
      digest TEXT NOT NULL,                -- SHA-256 of the document
      source TEXT NOT NULL,                -- the file's name
      published_at INTEGER NOT NULL,
      published_by TEXT NOT NULL,
      note TEXT NOT NULL,
      draft INTEGER,                       -- mapping_draft.id, which may be gone; NULL where it came from no draft
      replaced TEXT,                       -- digest of the version that it follows; NULL for none
      restored INTEGER,                    -- effective_from of the earlier version whose text it is; NULL for new text
      document BLOB NOT NULL
    ) STRICT;
    CREATE INDEX mapping_publication_by_app ON mapping_publication(app);

    -- What advertisers paid.
    CREATE TABLE spend(
      environment INTEGER NOT NULL,        -- as in postback, so that a try with test keys adds nothing to real spend
      day INTEGER NOT NULL,
      network TEXT NOT NULL,               -- lower case
      campaign TEXT NOT NULL,              -- as in postbacks, or as campaign_name calls it
      currency TEXT NOT NULL,
      app INTEGER NOT NULL,                -- 0 where the file did not name one
      micros INTEGER NOT NULL,
      impressions INTEGER,                 -- as the network counts them; NULL where the file has no such figure
      clicks INTEGER,
      PRIMARY KEY(environment, day, network, campaign, currency, app)
    ) STRICT, WITHOUT ROWID;

    -- What people call campaigns, and when.
    CREATE TABLE campaign_name(
      network TEXT NOT NULL,               -- lower case
      campaign TEXT NOT NULL,              -- campaign id, or two to four digits of a source identifier
      app INTEGER NOT NULL,                -- the only app whose campaign it is; 0 for any app
      from_day INTEGER NOT NULL,
      to_day INTEGER,                      -- the first day that no longer counts; NULL for no end
      name TEXT NOT NULL,
      ad_set TEXT,
      creative TEXT,
      country TEXT,
      PRIMARY KEY(network, campaign, app, from_day)
    ) STRICT, WITHOUT ROWID;

    -- Exchange rates: what one unit of a currency is worth in another one, from that day on.
    CREATE TABLE rate(
      day INTEGER NOT NULL,
      currency TEXT NOT NULL,
      quote TEXT NOT NULL,
      picos INTEGER NOT NULL,              -- 10^-12
      PRIMARY KEY(currency, quote, day)
    ) STRICT, WITHOUT ROWID;

    -- What networks report that they counted; NULL where they reported no such figure.
    CREATE TABLE network_total(
      day INTEGER NOT NULL,
      network TEXT NOT NULL,               -- lower case
      campaign TEXT NOT NULL,              -- empty where the network named no campaign
      installs INTEGER NOT NULL,
      redownloads INTEGER,
      postbacks INTEGER,
      with_value INTEGER,
      micros INTEGER,
      currency TEXT,
      PRIMARY KEY(day, network, campaign)
    ) STRICT, WITHOUT ROWID;

    -- Installs that advertisers counted themselves, wherever they came from.
    CREATE TABLE own_installs(
      day INTEGER NOT NULL,
      app INTEGER NOT NULL,
      installs INTEGER NOT NULL,
      PRIMARY KEY(day, app)
    ) STRICT, WITHOUT ROWID;

    -- Measured revenue of the advertiser's own users, by value, mapping version and horizon.
    CREATE TABLE value_worth(
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- of the version, milliseconds, UTC
      horizon INTEGER NOT NULL,            -- days since install; 0 as long as the version's window 1 counts
      currency TEXT NOT NULL,
      value INTEGER NOT NULL,              -- 0 to 63; 64 to 66 by the coarse value low, medium, high
      users INTEGER NOT NULL,
      micros INTEGER NOT NULL,             -- the sum, millionths
      squares REAL NOT NULL,               -- the sum of squares, in whole units of the currency
      cubes REAL NOT NULL,                 -- the sum of cubes, in whole units
      largest INTEGER NOT NULL,            -- the most of one user, millionths
      PRIMARY KEY(app, effective_from, horizon, value)
    ) STRICT, WITHOUT ROWID;

    -- The revenue of each such user, without the user: of up to 300 users all amounts, of more the 13 highest.
    CREATE TABLE worth_amount(
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- of the version, milliseconds, UTC
      horizon INTEGER NOT NULL,            -- as in value_worth, like the value
      value INTEGER NOT NULL,
      micros INTEGER NOT NULL,             -- the revenue of one user, millionths
      users INTEGER NOT NULL,              -- the users with exactly this revenue
      PRIMARY KEY(app, effective_from, horizon, value, micros)
    ) STRICT, WITHOUT ROWID;

    -- How long after first launch the value of such users rose last, under SKAdNetwork 3.
    CREATE TABLE final_hour(
      app INTEGER NOT NULL,
      effective_from INTEGER NOT NULL,     -- of the version, milliseconds, UTC
      value INTEGER NOT NULL,              -- 0 to 63
      hour INTEGER NOT NULL,               -- the first hour of a span of FinalHours
      users INTEGER NOT NULL,
      PRIMARY KEY(app, effective_from, value, hour)
    ) STRICT, WITHOUT ROWID;
    """
}
