import Values

/// A file that states which subscriptions and purchases of the App Store are of which user, as an app learns it from
/// StoreKit (`Transaction.originalID`).
package struct AccountFile: Sendable {
  package struct Account: Hashable, Sendable {
    package let user: String
    /// The number of the first transaction.
    package let originalTransaction: String
  }

  /// Each account once.
  package let accounts: [Account]

  /// Reads a file; a user can have several rows.
  ///
  /// - Throws: The first mistake, such as an account of two users.
  package init(_ bytes: [UInt8]) throws(ReferenceFileError) {
    var mistakes = ReferenceMistakes(most: 1)
    var owners: [String: (user: String, line: Int)] = [:]
    var accounts: [Account] = []
    var rows: [ReferenceFile.Row] = []
    var collection = RowCollection(
      form: ImportForm(), required: ["user", "original-transaction-id"], optional: []
    ) { row in
      rows.append(row)
    }
    _ = try ReferenceFile.rows(ReferenceFile.source(bytes), into: &collection, &mistakes)
    for row in rows {
      let user = try row.required("user")
      let number = try row.required("original-transaction-id")
      guard number.utf8.count <= 64, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw row.error(
          "invalid-transaction",
          Sentence(
            "the original-transaction-id '\(name: String(number.prefix(80)))' is not a number; spreadsheets round long ones: export it as text"
          ))
      }
      if let owner = owners[number] {
        guard owner.user == user else {
          throw row.error(
            "two-users",
            Sentence(
              "the transaction \(name: number) is of user '\(name: owner.user)' in line \(owner.line) and of another one here"
            ))
        }
        continue
      }
      owners[number] = (user, row.line)
      accounts.append(Account(user: user, originalTransaction: number))
    }
    self.accounts = accounts
  }
}
