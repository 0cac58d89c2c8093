/// The fields of a record in their order, and how the record is made of them: what a change has of it in bytes.
///
/// ```swift
/// struct TokenUse: ChangeRecord {
///   let token: Int64
///   let day: Day
///
///   static let form = Form(Self.init) { ($0.token, $0.day) }
/// }
/// ```
package struct Form<Record>: Sendable {
  fileprivate let write: @Sendable (Record, inout ChangeEncoder) -> Void
  fileprivate let read: @Sendable (inout ChangeDecoder) throws(ChangeDefect) -> Record

  /// - Parameters:
  ///   - make: Makes a record; it throws where fields are none of a record.
  ///   - fields: What the record is made of, in the order of its bytes.
  ///   - check: Throws for a record that bytes must not make.
  init<each Field: ChangeField>(
    _ make: @escaping @Sendable (repeat each Field) throws(ChangeDefect) -> Record,
    _ fields: @escaping @Sendable (Record) -> (repeat each Field),
    check: @escaping @Sendable (Record) throws(ChangeDefect) -> Void = { _ in }
  ) {
    write = { record, bytes in
      let all = fields(record)
      repeat (each all).write(to: &bytes)
    }
    read = { bytes throws(ChangeDefect) in
      let record = try make(repeat try (each Field)(from: &bytes))
      try check(record)
      return record
    }
  }
}

/// A record whose bytes are those of its fields.
package protocol ChangeRecord: ChangeField {
  static var form: Form<Self> { get }
}

extension ChangeRecord {
  package func write(to bytes: inout ChangeEncoder) { Self.form.write(self, &bytes) }
  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) { self = try Self.form.read(&bytes) }
}
