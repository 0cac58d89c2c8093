import Values

/// What is known of a column without any row: enough for headings, schemas and documentation.
package struct Header: Hashable, Sendable {
  /// When a column is shown.
  package enum Presence: Hashable, Sendable {
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
  package let name: String
  /// The heading for people.
  package let title: String
  /// One sentence on what the column counts, with its unit.
  package let help: String
  package let kind: ColumnKind
  /// Whether a row can have no value here.
  package let isOptional: Bool
  package let presence: Presence
  /// What people read where a row has no value; programs read that there is none.
  package var none = ""

  /// Whether rows have it only where the query asks for it; a total never has it.
  var isOnRequest: Bool { presence == .onRequest || presence == .onRequestForPrograms }

  /// Whether it is a pattern for as many columns as the data need, such as one for each currency.
  package var isFamily: Bool { name.contains("{}") }

  func with(
    name: String? = nil, title: String? = nil, kind: ColumnKind? = nil, presence: Presence? = nil
  ) -> Self {
    Self(
      name: name ?? self.name, title: title ?? self.title, help: help, kind: kind ?? self.kind,
      isOptional: isOptional, presence: presence ?? self.presence, none: none)
  }

  /// The members that programs read: an interval has two.
  package var fields: [String] {
    if case .interval = kind { ["\(name)-low", "\(name)-high"] } else { [name] }
  }

  /// The cells of those members.
  func fields(of cell: Cell) -> [Cell] {
    guard case .interval = kind else { return [cell] }
    guard case .range(let low, let high) = cell else { return [.none, .none] }
    return [low, high].map { $0.map { .decimal(micros: $0) } ?? .none }
  }
}

/// A column: its header, and how it gets its cell out of a row.
package struct Column<Row>: Sendable {
  package let header: Header
  private let keys: (@Sendable (Row) -> [String])?
  private let key: String
  private let value: @Sendable (Row, String) -> Cell
}

extension Column {
  /// Declares a column; the type of its value decides its kind.
  package init<Value: CellValue>(
    _ name: String, _ title: String, _ help: String, shown presence: Header.Presence = .always,
    none: String = "", _ value: @escaping @Sendable (Row) -> Value
  ) {
    let header = Header(
      name: name, title: title, help: help, kind: Value.kind, isOptional: Value.isOptional,
      presence: presence, none: none)
    self.init(header: header, keys: nil, key: "") { row, _ in value(row).cell }
  }

  /// Declares a family: one column for each key that any row of the table has, such as each currency.
  ///
  /// Rows without the key have the value `absent`. `value` is called once for each cell, so it has to be a look-up and
  /// not make a dictionary.
  package static func each<Value: CellValue>(
    _ name: String, _ title: String, _ help: String, absent: Value? = nil,
    shown presence: Header.Presence = .always, none: String = "",
    keys: @escaping @Sendable (Row) -> [String],
    _ value: @escaping @Sendable (Row, String) -> Value?
  ) -> Self {
    let header = Header(
      name: name, title: title, help: help, kind: Value.kind, isOptional: absent == nil, presence: presence,
      none: none)
    return Self(header: header, keys: keys, key: "") { row, key in
      (value(row, key) ?? absent)?.cell ?? .none
    }
  }

  /// Declares a family whose values a row holds as a dictionary.
  package static func each<Value: CellValue>(
    _ name: String, _ title: String, _ help: String, absent: Value? = nil,
    shown presence: Header.Presence = .always, _ values: @escaping @Sendable (Row) -> [String: Value]
  ) -> Self {
    each(
      name, title, help, absent: absent, shown: presence, keys: { Array(values($0).keys) },
      { values($0)[$1] })
  }

  /// Declares a column of rows inside a row: objects in JSON, nothing in CSV.
  package static func records<Part>(
    _ name: String, _ help: String, _ parts: [Column<Part>], _ value: @escaping @Sendable (Row) -> [Part]
  ) -> Self {
    let header = Header(
      name: name, title: name, help: help, kind: .records(parts.map(\.header)), isOptional: false,
      presence: .forPrograms)
    return Self(header: header, keys: nil, key: "") { row, _ in
      .records(value(row).map { part in parts.map { $0.cell(of: part) } })
    }
  }

  func cell(of row: Row) -> Cell { value(row, key) }

  /// The same column of rows that one can be made of.
  package func of<Outer>(_ row: @escaping @Sendable (Outer) -> Row) -> Column<Outer> {
    var outerKeys: (@Sendable (Outer) -> [String])?
    if let keys { outerKeys = { outer in keys(row(outer)) } }
    let value = value
    return Column<Outer>(header: header, keys: outerKeys, key: key) { outer, key in value(row(outer), key) }
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

  /// The column of a family for a key.
  private func filled(_ key: String) -> Column {
    let kind = header.kind == .money(nil) ? .money(CurrencyCode(key)) : header.kind
    return Column(
      header: header.with(
        name: Self.filled(header.name, key), title: Self.filled(header.title, key), kind: kind),
      keys: nil, key: key, value: value)
  }

  /// The same column, shown whether or not a row has something in it.
  var chosen: Column {
    switch header.presence {
    case .whereUseful, .forPrograms, .forPeople:
      Column(header: header.with(presence: .always), keys: keys, key: key, value: value)
    case .always, .onRequest, .onRequestForPrograms, .onRequestWithTotal: self
    }
  }

  private static func filled(_ template: String, _ key: String) -> String {
    template.split(separator: "{}", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: key)
  }
}
