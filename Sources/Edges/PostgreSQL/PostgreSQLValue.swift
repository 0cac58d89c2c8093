/// A value of a parameter or of a column; all are sent in binary form.
package enum PostgreSQLValue: Equatable, Sendable {
  case null
  /// `bigint`; columns of `integer` and `smallint` too.
  case integer(Int64)
  case boolean(Bool)
  /// `text`; columns of `name` and `varchar` too.
  case text(String)
  /// `bytea`.
  case bytes([UInt8])
  /// `uuid`: the first and the last eight bytes, as numbers.
  case uuid(high: UInt64, low: UInt64)
}

extension PostgreSQLValue {
  /// The object identifiers of types, which no server changes.
  ///
  /// Source: PostgreSQL's `pg_type.dat`.
  private enum TypeID {
    static let (bool, bytea, name, int8, int2, int4): (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) =
      (16, 17, 19, 20, 21, 23)
    static let (text, varchar, uuid, void): (UInt32, UInt32, UInt32, UInt32) = (25, 1043, 2950, 2278)
  }

  /// The type that the server is to take a parameter for; 0 leaves the choice to it.
  var typeID: UInt32 {
    switch self {
    case .null: 0
    case .integer: TypeID.int8
    case .boolean: TypeID.bool
    case .text: TypeID.text
    case .bytes: TypeID.bytea
    case .uuid: TypeID.uuid
    }
  }

  /// Adds the value's binary form.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: break
    case .integer(let number): Self.write(UInt64(bitPattern: number), to: &bytes)
    case .boolean(let isTrue): bytes.append(isTrue ? 1 : 0)
    case .text(let text): bytes += text.utf8
    case .bytes(let content): bytes += content
    case .uuid(let high, let low):
      Self.write(high, to: &bytes)
      Self.write(low, to: &bytes)
    }
  }

  private static func write(_ number: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Reads a column's binary form; `nil` for a type that this edge does not know, or of a wrong length.
  init?(type: UInt32, bytes: [UInt8]) {
    switch (type, bytes.count) {
    case (TypeID.bool, 1): self = .boolean(bytes[0] != 0)
    case (TypeID.int8, 8): self = .integer(Int64(bitPattern: Self.number(bytes[...])))
    case (TypeID.int4, 4): self = .integer(Int64(Int32(truncatingIfNeeded: Self.number(bytes[...]))))
    case (TypeID.int2, 2): self = .integer(Int64(Int16(truncatingIfNeeded: Self.number(bytes[...]))))
    case (TypeID.uuid, 16): self = .uuid(high: Self.number(bytes[..<8]), low: Self.number(bytes[8...]))
    case (TypeID.bytea, _): self = .bytes(bytes)
    case (TypeID.text, _), (TypeID.varchar, _), (TypeID.name, _):
      self = .text(String(decoding: bytes, as: UTF8.self))
    // What a function without a value returns.
    case (TypeID.void, 0): self = .null
    default: return nil
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { ($0 << 8) | UInt64($1) }
  }
}
