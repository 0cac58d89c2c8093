/// A row of an answer; columns count from 0.
package struct PostgreSQLRow: Equatable, Sendable {
  package let values: [PostgreSQLValue]

  package init(values: [PostgreSQLValue]) { self.values = values }

  package subscript(column: Int) -> PostgreSQLValue? {
    values.indices.contains(column) ? values[column] : nil
  }

  /// The number of a column.
  ///
  /// - Throws: ``PostgreSQLError`` of kind ``PostgreSQLError/Kind/unexpectedAnswer`` for every other value, as the other
  ///   functions do.
  package func integer(_ column: Int) throws(PostgreSQLError) -> Int64 {
    guard case .integer(let number) = self[column] else { throw unexpected(column) }
    return number
  }

  package func text(_ column: Int) throws(PostgreSQLError) -> String {
    guard case .text(let text) = self[column] else { throw unexpected(column) }
    return text
  }

  package func bytes(_ column: Int) throws(PostgreSQLError) -> [UInt8] {
    guard case .bytes(let bytes) = self[column] else { throw unexpected(column) }
    return bytes
  }

  package func uuid(_ column: Int) throws(PostgreSQLError) -> (high: UInt64, low: UInt64) {
    guard case .uuid(let high, let low) = self[column] else { throw unexpected(column) }
    return (high, low)
  }

  private func unexpected(_ column: Int) -> PostgreSQLError {
    .unexpectedAnswer("column \(column) of an answer has another type than skan expects")
  }
}
