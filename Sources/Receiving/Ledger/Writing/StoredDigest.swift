/// What a row has beside a body, so that a later change of either is found: 64 bits of the body's SHA-256, and a number of the
/// row that is guarded with it.
enum StoredDigest {
  static func value(_ digest: [UInt8], with number: Int64) -> Int64 {
    digest.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } ^ number
  }

  /// The number of a row of ``NetworkFormStore``.
  static func number(of table: NetworkFormStore.Table, row: Int64) -> Int64 { row << 2 | table.rawValue }
}
