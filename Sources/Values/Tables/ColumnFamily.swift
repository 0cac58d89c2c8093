public import Values

/// What the columns of a family differ by.
public protocol ColumnKey: Hashable, Sendable {
  /// What names and titles of columns have in the place of `{}`.
  var columnText: String { get }
}

extension String: ColumnKey {
  public var columnText: String { self }
}

extension CurrencyCode: ColumnKey {
  public var columnText: String { text }
}

/// One column for each key that any row has, such as each currency.
///
/// ```swift
/// static let revenue = ColumnFamily<Row, CurrencyCode>(
///   "revenue-{}", "{}", "Revenue.", keys: \.currencies
/// ) { row, currency in row.revenue(currency) }
/// ```
public struct ColumnFamily<Row, Key: ColumnKey>: Sendable {
  public let header: Header
  private let keys: @Sendable (Row) -> [Key]
  private let vector: @Sendable ([Row], Key) -> Vector

  @usableFromInline
  init(
    header: Header, keys: @escaping @Sendable (Row) -> [Key],
    vector: @escaping @Sendable ([Row], Key) -> Vector
  ) {
    (self.header, self.keys, self.vector) = (header, keys, vector)
  }

  /// Declares a family; the type of its values decides the kind of its columns.
  ///
  /// Rows without a key have the value `absent`. `value` is called once for each cell, so it has to be a look-up and not
  /// make a dictionary.
  @inlinable
  public init<Value: CellValue>(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words, absent: Value? = nil,
    shown presence: Header.Presence = .always, none: String = "",
    keys: @escaping @Sendable (Row) -> [Key], _ value: @escaping @Sendable (Row, Key) -> Value?
  ) {
    let header = Header(
      name: name, title: Sentence(title), help: Sentence(help), kind: Value.kind, isOptional: absent == nil,
      presence: presence, none: none)
    self.init(
      header: header, keys: keys, vector: { rows, key in Value.vector(rows.map { value($0, key) ?? absent }) }
    )
  }

  /// The keys of some rows, in the order of the columns.
  public func keys(of rows: some Sequence<Row>) -> [Key] {
    Set(rows.lazy.flatMap(keys)).sorted { $0.columnText < $1.columnText }
  }

  /// The column of one key.
  public subscript(key: Key) -> Column<Row> {
    let vector = vector
    return Column(header: header.filled(key.columnText), of: header, key: key) { rows in vector(rows, key) }
  }

  /// The family among the columns of a report.
  public var column: Column<Row> {
    Column(header: header, members: { rows in keys(of: rows).map { self[$0] } })
  }
}

extension ReportAnswer {
  /// The keys that a family has in this answer, in the order of its columns.
  package func keys<Key>(of family: ColumnFamily<R.Row, Key>) -> [Key] {
    columns(of: family.column).compactMap { $0.key as? Key }
  }
}
