import SQLite

/// Gives a database the key by which accounts and transactions of purchases are digested, where it has none.
///
/// The nodes of a journal share the first one that any of them gave, so that each knows a repeat.
package struct PurchaseKeyStoring: LedgerChange, Equatable {
  package static let kind = ChangeKind.purchaseKey

  /// Random bytes, secret.
  private let key: [UInt8]

  package init(key: [UInt8]) { self.key = key }

  /// Returns the key in force.
  package func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> [UInt8] {
    try connection.prepare("INSERT OR IGNORE INTO purchase_key(id, key, kept_from) VALUES (1, ?1, 0)").run(
      key)
    return try Self.key(on: connection) ?? []
  }

  fileprivate static func key(on connection: borrowing LedgerDatabase) throws(LedgerError) -> [UInt8]? {
    try connection.prepare("SELECT key FROM purchase_key").firstRow { $0.bytes(0) }
  }

  package static let form = Form(Self.init) { $0.key }
}

extension LedgerReader {
  /// The key by which accounts and transactions of purchases are digested, secret; `nil` where there is none yet.
  package func purchaseKey() throws(LedgerError) -> [UInt8]? {
    try PurchaseKeyStoring.key(on: connection)
  }
}
