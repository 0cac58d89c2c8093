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

  /// The column of a family for a key.
  func filled(_ key: String) -> Self {
    let kind = kind == .money(nil) ? .money(CurrencyCode(key)) : kind
    return with(
      name: name.replacing("{}", with: key, maxReplacements: 1), title: title.filled(key), kind: kind)
  }

  /// The key that a column of the family has which is called so; `nil` where the name does not fit.
  func key(of name: String) -> String? {
    guard let place = self.name.firstRange(of: "{}") else { return nil }
    let (before, after) = (self.name[..<place.lowerBound], self.name[place.upperBound...])
    guard name.hasPrefix(before), name.hasSuffix(after),
      name.utf8.count > before.utf8.count + after.utf8.count
    else { return nil }
    return String(name.dropFirst(before.count).dropLast(after.count))
  }

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
///
/// Name, title, explanation, and a value whose type decides how each format prints it.
///
/// ```swift
/// static let city = Column<Shop>("city", "city", "Name of the city.") { Identifier($0.city) }
/// static let sold = Column<Shop>("sold", "sold", "Pieces sold; none before the opening.", \.sold)
/// static let opened = Column<Shop>("opened", "opened", "First day.", shown: .whereUseful, \.opened)
/// ```
public struct Column<Row>: Sendable {
  public let header: Header
  /// The header that it was declared with: that of its family, where it is one column of a family.
  private let declared: Header
  /// What distinguishes it in its family, such as a currency; `nil` for a column of none.
  let key: (any ColumnKey)?
  private let vector: @Sendable ([Row]) -> Vector
  /// The columns that it is made together with, and its place among them.
  let part: (whole: ColumnBlock<Row>, column: Int)?
  /// The columns that a family has for some rows; `nil` for a single column.
  private let members: (@Sendable ([Row]) -> [Column])?
  /// What of an answer it is made of, beside what every row has.
  private(set) var needs: AnswerParts = []

  @usableFromInline
  init(
    header: Header, of declared: Header? = nil, key: (any ColumnKey)? = nil,
    vector: @escaping @Sendable ([Row]) -> Vector
  ) {
    (self.header, self.key, self.vector, part, members) = (header, key, vector, nil, nil)
    self.declared = declared ?? header
  }

  /// A family.
  init(header: Header, of declared: Header? = nil, members: @escaping @Sendable ([Row]) -> [Column]) {
    (self.header, key, part, self.members) = (header, nil, nil, members)
    self.declared = declared ?? header
    vector = { rows in .cells(rows.map { _ in .none }) }
  }

  private init(_ header: Header, _ whole: ColumnBlock<Row>, _ column: Int) {
    (self.header, declared, key, part, members) = (header, header, nil, (whole, column), nil)
    vector = { rows in .part(whole.numbers(of: rows), column) }
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
    self.init(header: header, vector: { rows in Value.vector(rows.map(value)) })
  }

  /// Declares a family among columns that need it nowhere else; see ``ColumnFamily``.
  @inlinable
  public static func each<Key: ColumnKey, Value: CellValue>(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words, absent: Value? = nil,
    shown presence: Header.Presence = .always, none: String = "",
    keys: @escaping @Sendable (Row) -> [Key], _ value: @escaping @Sendable (Row, Key) -> Value?
  ) -> Self {
    ColumnFamily(name, title, help, absent: absent, shown: presence, none: none, keys: keys, value).column
  }

  /// Declares a family whose values a row holds as a dictionary.
  public static func each<Key: ColumnKey, Value: CellValue>(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words, absent: Value? = nil,
    shown presence: Header.Presence = .always, _ values: @escaping @Sendable (Row) -> [Key: Value]
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
      header: header,
      vector: { rows in
        .cells(rows.map { row in .records(value(row).map { part in parts.map { $0.cell(of: part) } }) })
      })
  }

  package var name: String { header.name }
  /// The parameter `sort` for the smallest first.
  package var ascending: String { name }
  /// The parameter `sort` for the largest first.
  package var descending: String { "-" + name }

  /// The same column, made of some parts of an answer.
  package func needing(_ parts: AnswerParts) -> Self {
    var column = self
    column.needs.formUnion(parts)
    return column
  }

  /// Whether it has this name or member, or can have it as one of a family.
  func canBe(called name: String) -> Bool {
    header.name == name || header.fields.contains(name) || header.isFamily && header.key(of: name) != nil
  }

  /// Whether it is this column, or one of this family.
  func isOf(_ family: Column) -> Bool {
    declared.name == family.declared.name && declared.fields.count == family.declared.fields.count
  }

  package func cell(of row: Row) -> Cell { vector([row])[0] }

  func vector(of rows: [Row]) -> Vector { vector(rows) }

  public func of<Outer>(_ row: @escaping @Sendable (Outer) -> Row) -> Column<Outer> {
    if let members {
      return Column<Outer>(
        header: header, of: declared, members: { outers in members(outers.map(row)).map { $0.of(row) } }
      ).needing(needs)
    }
    let vector = vector
    return Column<Outer>(
      header: header, of: declared, key: key, vector: { outers in vector(outers.map(row)) }
    ).needing(needs)
  }

  /// The column itself, or the columns that a family has for these rows, by name.
  func expanded(over rows: [Row]) -> [Column] { members?(rows) ?? [self] }

  /// The column of a family that has this name, for no rows; `nil` where the name does not fit.
  func filled(toBe name: String) -> Column? {
    guard members != nil, let key = header.key(of: name) else { return nil }
    return Column(header: header.filled(key), of: declared, key: key, vector: vector)
  }

  /// The same column, shown whether or not a row has something in it.
  var chosen: Column {
    switch header.presence {
    case .whereUseful, .forPrograms, .forPeople:
      if let (whole, column) = part {
        Column(header.with(presence: .always), whole, column)
      } else {
        Column(header: header.with(presence: .always), of: declared, key: key, vector: vector)
      }
    case .always, .onRequest, .onRequestForPrograms, .onRequestWithTotal: self
    }
  }
}

extension Column<[Cell]> {
  /// A column of a table whose cells are there already.
  init(_ header: Header, at index: Int) {
    self.init(header: header) { rows in .cells(rows.map { $0[index] }) }
  }
}
