import OpenSSL
import SQLite

/// Keeps what networks sent in forms of their own, beside the bodies that were read from it.
final class NetworkFormStore {
  /// The table that has the body; the raw value is the code in the file.
  enum Table: Int64 {
    case postback = 0
    case postbackCopy
    case rejected

    var name: String {
      switch self {
      case .postback: "postback"
      case .postbackCopy: "postback_copy"
      case .rejected: "rejected"
      }
    }
  }

  private let insert: LedgerStatement

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    // A form that an interrupted deletion left behind must not keep a body from being stored.
    insert = try connection.prepare(
      "INSERT OR REPLACE INTO network_form(kind, row, profile, received, digest) VALUES (?1, ?2, ?3, ?4, ?5)")
  }

  /// Keeps the form of an arrival whose body has a row; an arrival without a form has nothing to keep.
  func store(_ form: NetworkForm?, of table: Table, row: Int64) throws(LedgerError) {
    guard let form else { return }
    let digest = StoredDigest.value(
      SHA256Digest(of: form.bytes).bytes, with: StoredDigest.number(of: table, row: row))
    try insert.run(table.rawValue, row, form.profile, form.bytes, digest)
  }
}
