public import Values

/// What is known of a column without any row: enough for headings, schemas and documentation.
public struct Header: Equatable, Sendable {
  public enum Presence: Hashable, Sendable {
    case always
    /// Only where the query asks for it, as for a dimension.
    case onRequest, onRequestForPrograms
    /// Only where the query asks for it; the total has it too.
    case onRequestWithTotal
    /// In tables for people only where a row has something in it; programs always get it.
    case whereUseful
    case forPeople, forPrograms
  }

  /// The kebab-case name for programs; the name of a family contains `{}`, as in `revenue-mid-{}`.
  public let name: String
  public let title: Sentence
  /// One sentence on what the column counts, with its unit.
  public let help: Sentence
  public let kind: ColumnKind
  /// Whether a row can have no value here.
  public let isOptional: Bool
  public let presence: Presence
  /// What people read where a row has no value; programs read that there is none.
  public var none = ""

  @usableFromInline
  init(
    name: String, title: Sentence, help: Sentence, kind: ColumnKind, isOptional: Bool, presence: Presence,
    none: String = ""
  ) {
    (self.name, self.title, self.help, self.kind) = (name, title, help, kind)
    (self.isOptional, self.presence, self.none) = (isOptional, presence, none)
  }

  /// Whether rows have it only where the query asks for it; a total never has it.
  var isOnRequest: Bool { presence == .onRequest || presence == .onRequestForPrograms }

  /// Whether it is a pattern for as many columns as the data need, such as one for each currency.
  public var isFamily: Bool { name.contains("{}") }

  func with(
    name: String? = nil, title: Sentence? = nil, kind: ColumnKind? = nil, presence: Presence? = nil
  ) -> Self {
    Self(
      name: name ?? self.name, title: title ?? self.title, help: help, kind: kind ?? self.kind,
      isOptional: isOptional, presence: presence ?? self.presence, none: none)
  }

  /// The members that programs read: an interval has two.
  public var fields: [String] {
    if case .interval = kind { ["\(name)-low", "\(name)-high"] } else { [name] }
  }

  func fields(of cell: Cell) -> [Cell] {
    guard case .interval = kind else { return [cell] }
    guard case .range(let low, let high) = cell else { return [.none, .none] }
    return [low, high].map { $0.map { .decimal(micros: $0) } ?? .none }
  }

  /// The cells of each field.
  func vectors(of vector: Vector, count: Int) -> [Vector] {
    guard case .interval = kind else { return [vector] }
    let pairs = (0..<count).map { fields(of: vector[$0]) }
    return [0, 1].map { bound in .cells(pairs.map { $0[bound] }) }
  }
}

/// A column: its header, and how it gets its cell out of a row.
public struct Column<Row>: Sendable {
  public let header: Header
  /// The header that it was declared with: that of its family, where it is one column of a family.
  private let declared: Header
  private let keys: (@Sendable (Row) -> [String])?
  /// What distinguishes it in its family, such as a currency; empty for a column of none.
  package let key: String
  private let vector: @Sendable ([Row], String) -> Vector
  /// The columns that it is made together with, and its place among them.
  let part: (whole: ColumnBlock<Row>, column: Int)?

  @usableFromInline
  init(
    header: Header, of declared: Header? = nil, keys: (@Sendable (Row) -> [String])?, key: String,
    vector: @escaping @Sendable ([Row], String) -> Vector
  ) {
    (self.header, self.keys, self.key, self.vector) = (header, keys, key, vector)
    self.declared = declared ?? header
    part = nil
  }

  private init(_ header: Header, _ whole: ColumnBlock<Row>, _ column: Int) {
    (self.header, declared, keys, key, part) = (header, header, nil, "", (whole, column))
    vector = { rows, _ in .part(whole.numbers(of: rows), column) }
  }
}

/// Columns of whole numbers that are made row by row, because a row gives all of them in less time than one by one.
final class ColumnBlock<Row>: Sendable {
  private let width: Int
  private let append: @Sendable (Row, inout [Int64]) -> Void

  init(width: Int, _ append: @escaping @Sendable (Row, inout [Int64]) -> Void) {
    (self.width, self.append) = (width, append)
  }

  func numbers(of rows: [Row]) -> NumberBlock {
    var numbers: [Int64] = []
    numbers.reserveCapacity(rows.count * width)
    for row in rows { append(row, &numbers) }
    return NumberBlock(numbers, width: width)
  }
}

// What makes the cells of many rows is inlined where a column is declared, so that it is a loop over numbers.

extension Column {
  /// Declares a column; the type of its value decides its kind.
  @inlinable
  public init<Value: CellValue>(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words,
    shown presence: Header.Presence = .always,
    none: String = "", _ value: @escaping @Sendable (Row) -> Value
  ) {
    let header = Header(
      name: name, title: Sentence(title), help: Sentence(help), kind: Value.kind,
      isOptional: Value.isOptional,
      presence: presence, none: none)
    self.init(header: header, keys: nil, key: "", vector: { rows, _ in Value.vector(rows.map(value)) })
  }

  /// Declares a family: one column for each key that any row of the table has, such as each currency.
  ///
  /// Rows without the key have the value `absent`. `value` is called once for each cell, so it has to be a look-up and
  /// not make a dictionary.
  @inlinable
  public static func each<Value: CellValue>(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words, absent: Value? = nil,
    shown presence: Header.Presence = .always, none: String = "",
    keys: @escaping @Sendable (Row) -> [String],
    _ value: @escaping @Sendable (Row, String) -> Value?
  ) -> Self {
    let header = Header(
      name: name, title: Sentence(title), help: Sentence(help), kind: Value.kind, isOptional: absent == nil,
      presence: presence,
      none: none)
    return Self(
      header: header, keys: keys, key: "",
      vector: { rows, key in Value.vector(rows.map { value($0, key) ?? absent }) })
  }

  /// Declares a family whose values a row holds as a dictionary.
  public static func each<Value: CellValue>(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words, absent: Value? = nil,
    shown presence: Header.Presence = .always, _ values: @escaping @Sendable (Row) -> [String: Value]
  ) -> Self {
    each(
      name, title, help, absent: absent, shown: presence, keys: { Array(values($0).keys) },
      { values($0)[$1] })
  }

  /// Declares columns of counts by their headers.
  ///
  /// - Parameter append: Appends the numbers of a row, one for each header.
  public static func counts(
    _ headers: [(name: String, title: Sentence.Words, help: Sentence.Words, presence: Header.Presence)],
    _ append: @escaping @Sendable (Row, inout [Int64]) -> Void
  ) -> [Self] {
    let whole = ColumnBlock(width: headers.count, append)
    return headers.enumerated().map { column, header in
      Self(
        Header(
          name: header.name, title: Sentence(header.title), help: Sentence(header.help), kind: .count,
          isOptional: false,
          presence: header.presence), whole, column)
    }
  }

  /// Declares a column of rows inside a row: objects in JSON, nothing in CSV.
  public static func records<Part>(
    _ name: String, _ help: Sentence.Words, _ parts: [Column<Part>],
    _ value: @escaping @Sendable (Row) -> [Part]
  ) -> Self {
    let header = Header(
      name: name, title: Sentence(name: name), help: Sentence(help), kind: .records(parts.map(\.header)),
      isOptional: false,
      presence: .forPrograms)
    return Self(
      header: header, keys: nil, key: "",
      vector: { rows, _ in
        .cells(rows.map { row in .records(value(row).map { part in parts.map { $0.cell(of: part) } }) })
      })
  }

  package var name: String { header.name }
  /// The parameter `sort` for the smallest first.
  package var ascending: String { name }
  /// The parameter `sort` for the largest first.
  package var descending: String { "-" + name }

  /// Whether it is this column, or one of this family.
  func isOf(_ family: Column) -> Bool {
    declared.name == family.declared.name && declared.fields.count == family.declared.fields.count
  }

  package func cell(of row: Row) -> Cell { vector([row], key)[0] }

  func vector(of rows: [Row]) -> Vector { vector(rows, key) }

  public func of<Outer>(_ row: @escaping @Sendable (Outer) -> Row) -> Column<Outer> {
    var outerKeys: (@Sendable (Outer) -> [String])?
    if let keys { outerKeys = { outer in keys(row(outer)) } }
    let vector = vector
    return Column<Outer>(
      header: header, of: declared, keys: outerKeys, key: key,
      vector: { outers, key in vector(outers.map(row), key) })
  }

  /// The column itself, or the columns that a family has for these rows, by name.
  func expanded(over rows: some Sequence<Row>) -> [Column] {
    guard let keys else { return [self] }
    return Set(rows.lazy.flatMap(keys)).sorted().map(filled)
  }

  /// The column of a family that has this name, whatever keys there are; `nil` where the name does not fit.
  func filled(toBe name: String) -> Column? {
    let parts = header.name.split(separator: "{}", maxSplits: 1, omittingEmptySubsequences: false)
    guard keys != nil, parts.count == 2, name.hasPrefix(parts[0]), name.hasSuffix(parts[1]),
      name.utf8.count > parts[0].utf8.count + parts[1].utf8.count
    else { return nil }
    return filled(String(name.dropFirst(parts[0].count).dropLast(parts[1].count)))
  }

  /// The column of a family for one key.
  package func filled(_ key: String) -> Column {
    let kind = header.kind == .money(nil) ? .money(CurrencyCode(key)) : header.kind
    return Column(
      header: header.with(
        name: Self.filled(header.name, key), title: header.title.filled(key), kind: kind),
      of: declared, keys: nil, key: key, vector: vector)
  }

  /// The same column, shown whether or not a row has something in it.
  var chosen: Column {
    switch header.presence {
    case .whereUseful, .forPrograms, .forPeople:
      if let (whole, column) = part {
        Column(header.with(presence: .always), whole, column)
      } else {
        Column(header: header.with(presence: .always), of: declared, keys: keys, key: key, vector: vector)
      }
    case .always, .onRequest, .onRequestForPrograms, .onRequestWithTotal: self
    }
  }

  private static func filled(_ template: String, _ key: String) -> String {
    template.split(separator: "{}", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: key)
  }
}

extension Column<[Cell]> {
  /// A column of a table whose cells are there already.
  init(_ header: Header, at index: Int) {
    self.init(header: header, keys: nil, key: "") { rows, _ in .cells(rows.map { $0[index] }) }
  }
}
