-- The layout of a database, as the first release has it; later ones add steps behind it (Schema.swift).
-- Views of it, in words, are in Schema+Views.swift; docs/reference/sql.md describes them.

-- ====================================================================================================
-- What came: postbacks, their further copies, and what was rejected.
-- ====================================================================================================

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
  digest INTEGER NOT NULL,             -- the first 8 bytes of the SHA-256 of the body as it came, XOR received_at; see
                                       -- StoredDigest
  body BLOB NOT NULL                   -- as it came; last, so that nothing else has to be sought behind it
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
  digest INTEGER NOT NULL,             -- the same of received, XOR row * 4 + kind
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
  digest INTEGER NOT NULL,             -- as in postback
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

-- Further valid copies by what they are of themselves, and the day on which they came.
CREATE TABLE copy_total(
  day INTEGER NOT NULL,                -- of arrival, days since 1970-01-01, UTC
  environment INTEGER NOT NULL,        -- as in postback, like the rest
  app INTEGER NOT NULL,
  network INTEGER NOT NULL,
  version INTEGER NOT NULL,
  campaign TEXT NOT NULL,
  window INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  repeats INTEGER NOT NULL,            -- copies that agree with the first
  conflicts INTEGER NOT NULL,          -- copies that disagree with the first
  PRIMARY KEY(day, environment, app, network, version, campaign, window, outcome)
) STRICT, WITHOUT ROWID;

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

-- What senders have used of the quota of copies that disagree with their conversion.
CREATE TABLE quota_use(
  day INTEGER NOT NULL,                -- of arrival, days since 1970-01-01, UTC; the newest two
  sender TEXT NOT NULL,                -- whose quota; never an address in the clear; * for all beyond those
                                       -- distinguished
  used INTEGER NOT NULL,               -- bytes of copies
  PRIMARY KEY(day, sender)
) STRICT, WITHOUT ROWID;

-- The newest arrivals of each test inbox, whatever came of them.
CREATE TABLE inbox_arrival(
  id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, because watchers remember it
  inbox INTEGER NOT NULL,              -- token.id
  received_at INTEGER NOT NULL,        -- milliseconds, UTC
  state TEXT NOT NULL,                 -- valid, invalid, unverifiable or malformed
  environment TEXT,                    -- whose key signed it; NULL where it is not valid
  reason TEXT,                         -- why it is not valid, in words; NULL where it is
  stored TEXT,                         -- first, copy or conflict; NULL where it is stored only here
  body BLOB NOT NULL
) STRICT;
CREATE INDEX inbox_arrival_by_inbox ON inbox_arrival(inbox);

-- Imports of files, so that a wrong one can be taken back. Its conversions are those of its origin in a range of
-- postback.id, in which other senders may have some too.
CREATE TABLE import_run(
  id INTEGER PRIMARY KEY,
  origin INTEGER NOT NULL REFERENCES origin(id),
  began_at INTEGER NOT NULL,           -- milliseconds, UTC
  first INTEGER,                       -- its first and last postback.id; NULL where it added none
  last INTEGER,
  conversions INTEGER NOT NULL,        -- that it added
  copies INTEGER NOT NULL,             -- that it added to other conversions
  withdrawn_at INTEGER                 -- NULL while it counts
) STRICT;

-- ====================================================================================================
-- What reports read instead of postback and its bodies, and how conversions are found again.
-- ====================================================================================================

-- What a postback is of; blocks of facts have its number.
CREATE TABLE fact_source(
  id INTEGER PRIMARY KEY,
  environment INTEGER NOT NULL,        -- all as in postback
  app INTEGER NOT NULL,
  network INTEGER NOT NULL,
  version INTEGER NOT NULL,
  window INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  UNIQUE(environment, app, network, version, window, outcome)
) STRICT;

-- What reports by the facts of single postbacks read instead of the rows with their bodies; see FactBlocks.
CREATE TABLE postback_facts(
  id INTEGER PRIMARY KEY,              -- the block; it has the rows id * 4096 + 1 to (id + 1) * 4096 of postback
  earliest INTEGER NOT NULL,           -- received_at of those rows, milliseconds, UTC
  latest INTEGER NOT NULL,
  data BLOB NOT NULL                   -- see FactBlock
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

-- ====================================================================================================
-- Mappings: what postbacks are decoded by, and how it came about.
-- ====================================================================================================

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
  reason TEXT NOT NULL,                -- a sentence as JSON
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

-- ====================================================================================================
-- What advertisers and networks know, imported.
-- ====================================================================================================

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
  number TEXT,                         -- the network's own number of the campaign
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

-- How likely it is that users of a value differ from campaign to campaign by so much, by groups of the advertiser's own
-- users.
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

-- How long after first launch the value of such users rose last, under SKAdNetwork 3.
CREATE TABLE final_hour(
  app INTEGER NOT NULL,
  effective_from INTEGER NOT NULL,     -- of the version, milliseconds, UTC
  value INTEGER NOT NULL,              -- 0 to 63
  hour INTEGER NOT NULL,               -- the first hour of a span of FinalHours
  users INTEGER NOT NULL,
  PRIMARY KEY(app, effective_from, value, hour)
) STRICT, WITHOUT ROWID;

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

-- Imports of what advertisers know.
CREATE TABLE reference_import(
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,                 -- milliseconds, UTC
  kind TEXT NOT NULL,                  -- the table that took the rows
  rows INTEGER NOT NULL                -- rows that were added, changed or removed
) STRICT;
CREATE INDEX reference_import_by_time ON reference_import(at);

-- ====================================================================================================
-- Purchases that the App Store signed.
-- ====================================================================================================

-- At most one row: with what account and transaction of a purchase are digested, and from when on they are there.
CREATE TABLE purchase_key(
  id INTEGER PRIMARY KEY CHECK(id = 1),
  key BLOB NOT NULL,                   -- 32 random bytes, secret
  kept_from INTEGER NOT NULL           -- milliseconds, UTC: purchases of before were pruned, and come in no more
) STRICT;

-- Single purchases, refunds and so on, for as long as a repeat has to be known; reports read the totals.
CREATE TABLE purchase(
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,                 -- of the purchase or refund, milliseconds, UTC
  environment TEXT NOT NULL,           -- production, sandbox or test
  app INTEGER NOT NULL,
  product TEXT NOT NULL,
  type TEXT NOT NULL,                  -- purchase, renewal, trial-start, trial-conversion, refund, refund-reversal
                                       -- or revocation
  side INTEGER NOT NULL,               -- 0 charge, 1 refund, 2 refund reversal, 3 revocation
  currency TEXT NOT NULL,              -- ISO 4217; empty where the App Store stated no amount
  micros INTEGER NOT NULL,             -- millionths of the currency's unit, never negative
  account BLOB NOT NULL,               -- HMAC-SHA256 of the first transaction of a subscription or purchase
  transaction_digest BLOB NOT NULL,    -- HMAC-SHA256 of the transaction
  notification BLOB NOT NULL           -- the 16 bytes of the first notification's UUID
) STRICT;
CREATE UNIQUE INDEX purchase_by_transaction ON purchase(transaction_digest, side);
CREATE UNIQUE INDEX purchase_by_notification ON purchase(notification);
CREATE INDEX purchase_by_account ON purchase(account);
CREATE INDEX purchase_by_time ON purchase(at);

CREATE TABLE purchase_total(
  environment TEXT NOT NULL,
  app INTEGER NOT NULL,
  day INTEGER NOT NULL,                -- of the purchase or refund, days since 1970-01-01, UTC
  product TEXT NOT NULL,
  type TEXT NOT NULL,
  currency TEXT NOT NULL,              -- empty where the App Store stated no amount
  counted INTEGER NOT NULL,            -- transactions
  micros INTEGER NOT NULL,             -- their sum, in millionths of the currency's unit
  PRIMARY KEY(environment, app, day, product, type, currency)
) STRICT, WITHOUT ROWID;

-- ====================================================================================================
-- The service itself: who may do what, what people saved, what is to be sent, and what happened last.
-- ====================================================================================================

-- Who may forward, sign and read. Tokens themselves are not stored; secrets to sign with are.
CREATE TABLE token(
  id INTEGER PRIMARY KEY,
  use TEXT NOT NULL,                   -- forward, forward-path, read, edit, sign, test-inbox or handover
  name TEXT NOT NULL,                  -- the network's, or whose it is
  digest TEXT NOT NULL UNIQUE,         -- SHA-256, in hexadecimal digits
  created_at INTEGER NOT NULL,         -- milliseconds, UTC
  revoked_at INTEGER,                  -- NULL while it holds
  expires_at INTEGER,                  -- NULL where it has no end
  secret TEXT,                         -- where use is sign: its text; NULL for all others
  apps TEXT,                           -- App Store numbers with commas between them, the only apps that the token shows;
                                       -- NULL for all
  networks TEXT,                       -- ids of ad networks in lower case with commas between them, the only ones that the
                                       -- token shows; NULL for all
  last_used_on INTEGER                 -- days since 1970-01-01, UTC; NULL for a token that was never used, and for secrets
) STRICT;

-- What a page shows under a name: the query of its address.
CREATE TABLE saved_view(
  path TEXT NOT NULL,                  -- of the page
  owner TEXT NOT NULL,                 -- the name of the token of who saved it; empty without a sign-in
  name TEXT NOT NULL,
  query TEXT NOT NULL,                 -- as it is in the address
  is_shared INTEGER NOT NULL,          -- 1 where all see it, because an editor saved it
  PRIMARY KEY(path, owner, name)
) STRICT, WITHOUT ROWID;

-- The currency and the days after install of all estimated money; no row for the usual ones.
CREATE TABLE chosen_money(
  id INTEGER PRIMARY KEY,              -- 0
  currency TEXT,                       -- ISO 4217; NULL for that of the mappings
  days INTEGER                         -- after install; NULL for the hours that values count
) STRICT;

-- Alerts, one row for each time that one fired.
CREATE TABLE alert(
  id TEXT NOT NULL,                    -- kind and scope
  since INTEGER NOT NULL,              -- milliseconds, UTC, like all moments here
  kind TEXT NOT NULL,
  severity TEXT NOT NULL,
  app INTEGER,
  network TEXT,
  campaign TEXT,
  origin TEXT,
  value REAL NOT NULL,
  bound REAL NOT NULL,
  sentence TEXT NOT NULL,              -- JSON: english, and key and arguments for other languages
  remedy TEXT NOT NULL,                -- the same
  command TEXT NOT NULL,
  clear_since INTEGER,                 -- NULL while the bound is broken
  resolved_at INTEGER,                 -- NULL while it fires
  PRIMARY KEY(id, since)
) STRICT, WITHOUT ROWID;

-- What is still to be sent to webhooks.
CREATE TABLE alert_notice(
  webhook TEXT NOT NULL,               -- SHA-256 of its address, which may be a secret
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,            -- no attempt before that
  attempts INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY(webhook, id)
) STRICT, WITHOUT ROWID;

-- How far relays have passed postbacks on: postback and postback_copy are their queue.
CREATE TABLE relay(
  name TEXT PRIMARY KEY,
  place TEXT NOT NULL,                 -- its address without path and secrets
  postback INTEGER NOT NULL,           -- the last postback.id that it has dealt with
  copy INTEGER NOT NULL,               -- the last postback_copy.id
  delivered INTEGER NOT NULL,          -- postbacks accepted so far
  delivered_at INTEGER,                -- when one was accepted last, milliseconds, UTC; NULL for never
  failing_since INTEGER,               -- NULL where the last attempt did not fail
  attempts INTEGER NOT NULL,           -- that failed since then
  next_at INTEGER,                     -- no attempt before that; NULL for now
  failure TEXT,                        -- why the last attempt failed
  removed_at INTEGER                   -- since when the configuration lacks it; NULL while it has it
) STRICT, WITHOUT ROWID;

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

-- What relays did not send in its turn.
CREATE TABLE relay_dead_letter(
  id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, because a relay remembers it
  relay TEXT NOT NULL,                 -- relay.name
  postback INTEGER NOT NULL,           -- postback.id
  copy INTEGER,                        -- postback_copy.id; NULL for the first copy
  received_at INTEGER NOT NULL,        -- of the copy
  failed_at INTEGER NOT NULL,
  status INTEGER,                      -- of HTTP; NULL where there was no answer
  reason TEXT NOT NULL,
  next_at INTEGER                      -- when it is tried again; NULL where it is given up
) STRICT;
CREATE INDEX relay_dead_letter_by_relay ON relay_dead_letter(relay, next_at);
-- A node that does not know whether the journal has what it noted notes it again.
CREATE UNIQUE INDEX relay_dead_letter_by_postback ON relay_dead_letter(relay, postback, coalesce(copy, 0));

-- When something happened last.
CREATE TABLE last_time(
  event TEXT PRIMARY KEY,              -- backup, mapping-rejected, sample-made, digest or a pull's
  at INTEGER NOT NULL                  -- milliseconds, UTC
) STRICT, WITHOUT ROWID;

-- ====================================================================================================
-- How far the database has followed a journal; without one all of these are empty.
-- ====================================================================================================

-- One row where the database is a node's: everything up to this batch is in it.
CREATE TABLE journal_place(
  id INTEGER PRIMARY KEY CHECK(id = 1),
  identity TEXT NOT NULL,              -- the journal's UUID
  position INTEGER NOT NULL,           -- of the last batch that was applied; 0 before the first one
  chain BLOB NOT NULL,                 -- SHA-256 over all batches up to it
  level INTEGER NOT NULL DEFAULT 1,    -- how nodes read and count what the journal has
  keeps_bodies INTEGER NOT NULL DEFAULT 1  -- 0 where postback.body has digests of bodies
) STRICT;

CREATE TABLE journal_node(
  name TEXT PRIMARY KEY,               -- the node that appended
  number INTEGER NOT NULL              -- of its newest batch that was applied
) STRICT, WITHOUT ROWID;

-- Changes of the journal that could not be applied, of which nothing is in any other table.
CREATE TABLE unapplied_change(
  position INTEGER NOT NULL,           -- of the batch
  number INTEGER NOT NULL,             -- of the change in the batch, from 0
  reason TEXT NOT NULL,
  PRIMARY KEY(position, number)
) STRICT, WITHOUT ROWID;

-- Which node does what only one of them must do, such as sending to relays and webhooks.
CREATE TABLE lease(
  job TEXT PRIMARY KEY,
  node TEXT NOT NULL,
  until INTEGER NOT NULL,              -- milliseconds, UTC, by the clock of the node
  epoch INTEGER NOT NULL               -- one more each time that another process gets it
) STRICT, WITHOUT ROWID;

-- What the database had at places of the journal, the newest hundred.
CREATE TABLE checkpoint(
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,                 -- milliseconds, UTC, when a node asked for it
  postback INTEGER NOT NULL,           -- the newest postback.id then
  copy INTEGER NOT NULL,               -- the newest postback_copy.id then
  figures TEXT NOT NULL                -- a line each: a name, and numbers
) STRICT;

-- Where the database and another node's had different figures at the same place.
CREATE TABLE checkpoint_difference(
  number INTEGER NOT NULL,             -- checkpoint.number
  node TEXT NOT NULL,                  -- the other one
  at INTEGER NOT NULL,                 -- checkpoint.at
  figure TEXT NOT NULL,
  here TEXT NOT NULL,
  there TEXT NOT NULL,
  PRIMARY KEY(number, node)
) STRICT, WITHOUT ROWID;
