package import SQLite

/// A database whose failures are the ledger's: ``LedgerError/init(_:)-(SQLiteError)`` makes them of SQLite's.
package typealias LedgerDatabase = Database<LedgerError>

typealias LedgerStatement = Statement<LedgerError>
