extension Schema {
  /// Purchases that the App Store signed.
  static let eighthStep = """
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

    CREATE VIEW v_purchases AS
    SELECT environment, date(day * 86400, 'unixepoch') AS day, app, product, type, nullif(currency, '') AS currency,
      counted AS transactions, \(amount("micros")) AS amount, micros
    FROM purchase_total;
    """
}
