import Arguments
import Values

/// Which columns an answer has and what its rows are sorted by: parameters of every report whose rows are all held.
struct Arrangement: Query {
  var sort: [SortColumn] = []
  var columns: [String] = []

  static let parameters: [Parameter<Self>] = [
    .init(
      "sort", \.sort,
      "Columns to sort rows by, named as in CSV; -NAME sorts the largest first. Rows without a "
        + "value come last.",
      as: .init(defaultNote: "the report's own order")),
    .init(
      "columns", \.columns, "Columns to print, in this order, named as in CSV.",
      as: .init(placeholder: "COLUMN", defaultNote: "all")),
  ]

  /// What an answer needs to have a column that it lacks; `nil` where nothing helps.
  typealias Needs = (_ column: String) -> Sentence?

  /// The columns that were asked for, or all that the format shows.
  ///
  /// - Throws: ``ParameterError`` for a name that no column of the format has.
  func sheet<Row>(
    _ columns: [Column<Row>], held rows: [Row], for format: Format, needs: Needs = { _ in nil }
  ) throws(ParameterError) -> Sheet<Row> {
    guard !self.columns.isEmpty else { return Sheet(columns, held: rows, for: format) }
    let allowed = columns.filter { $0.header.canBeChosen(for: format) }
    let finder = ColumnFinder(allowed, held: rows, parameter: "columns")
    var chosen: [Column<Row>] = []
    for name in self.columns { chosen.append(try finder.column(name, needs).chosen) }
    return Sheet(chosen)
  }

  /// What of an answer the columns that a format then has need, and those that it is sorted by.
  func parts<Row>(of columns: [Column<Row>], for format: Format) -> AnswerParts {
    columns.reduce(into: []) { parts, column in
      let isShown =
        self.columns.isEmpty
        ? format.shows(column.header) : self.columns.contains { column.canBe(called: $0) }
      if isShown || sort.contains(where: { column.canBe(called: $0.name) }) { parts.formUnion(column.needs) }
    }
  }

  /// A further table of a report with the rows and columns that were asked for.
  ///
  /// - Throws: ``ParameterError`` for a name that no column has.
  func arranged(_ table: Table, for format: Format) throws(ParameterError) -> Table {
    let columns = table.headers.indices.map { Column(table.headers[$0], at: $0) }
    let cells = Array(table.rows)
    let rows = try sorted(cells, by: sort, columns, keyed: cells)
    let sheet = try sheet(columns, held: rows, for: format)
    return Table(
      name: table.name, headers: sheet.headers, rows: TableRows(sheet.cells(of: rows)), total: nil)
  }

  /// Rows in the order that was asked for; rows that are equal by it stay as they are.
  ///
  /// Rows of an outline are sorted among the parts of the same row, and each takes its own parts along.
  ///
  /// - Throws: ``ParameterError`` for a name that no column has.
  func sorted<Row>(
    _ rows: [Row], by order: [SortColumn], _ columns: [Column<Row>], keyed: [Row],
    depth: ((Row) -> Int)? = nil, needs: Needs = { _ in nil }
  ) throws(ParameterError) -> [Row] {
    guard !order.isEmpty else { return rows }
    let finder = ColumnFinder(columns, held: keyed, parameter: "sort")
    var keys: [SortKey] = []
    for part in order {
      let column = try finder.column(part.name, needs)
      let header = column.header
      let bound = header.fields.firstIndex(of: part.name) ?? 0
      let vector = header.vectors(of: column.vector(of: rows), count: rows.count)[bound]
      keys.append(SortKey(vector, count: rows.count, isDescending: part.isDescending))
    }
    let places = SortKey.places(rows.count, by: keys)
    guard let depth else { return places.map { rows[$0] } }
    return Self.outlined(places, depths: rows.map(depth)).map { rows[$0] }
  }

  /// The places of rows in an order, with the parts of each directly behind it: the deeper ones that were.
  private static func outlined(_ places: [Int], depths: [Int]) -> [Int] {
    var wholes = [Int?](repeating: nil, count: depths.count)
    var open: [Int] = []
    for (place, depth) in depths.enumerated() {
      while let last = open.last, depths[last] >= depth { open.removeLast() }
      wholes[place] = open.last
      open.append(place)
    }
    var parts: [Int?: [Int]] = [:]
    for place in places { parts[wholes[place], default: []].append(place) }
    var outlined: [Int] = []
    var waiting = Array((parts[nil] ?? []).reversed())
    while let place = waiting.popLast() {
      outlined.append(place)
      waiting += (parts[place] ?? []).reversed()
    }
    return outlined
  }
}

/// A column to sort by, such as `installs`, or `-installs` for the largest first.
struct SortColumn: ParameterValue, Equatable {
  static let kind = ValueKind.text
  static let placeholder = "COLUMN"

  let name: String
  let isDescending: Bool

  init(_ name: String, isDescending: Bool) {
    self.name = name
    self.isDescending = isDescending
  }

  init?(parameter text: String) {
    isDescending = text.hasPrefix("-")
    name = String(isDescending ? text.dropFirst() : text[...])
    if name.isEmpty { return nil }
  }

  var parameterText: String { (isDescending ? "-" : "") + name }
}

/// The cells of a column as the order of rows needs them.
private enum SortKey {
  /// Numbers in ascending order; none is the last one.
  case numbers([Int64])
  case cells([Cell], isDescending: Bool)

  init(_ vector: Vector, count: Int, isDescending: Bool) {
    let numbers = vector.numbers(count: count).flatMap { Self.ranks($0, isDescending) }
    if let numbers {
      self = .numbers(numbers)
    } else {
      let cells = (0..<count).map { vector[$0] }
      self = Self.ranks(cells, isDescending).map { .numbers($0) } ?? .cells(cells, isDescending: isDescending)
    }
  }

  /// Numbers in ascending order; `nil` where one of them would have the place of none.
  private static func ranks(_ numbers: [Int64], _ isDescending: Bool) -> [Int64]? {
    let ranks = isDescending ? numbers.map { ~$0 } : numbers
    return ranks.contains(.max) ? nil : ranks
  }

  /// Cells of one kind of number as such in ascending order, which are compared in a fraction of the time.
  private static func ranks(_ cells: [Cell], _ isDescending: Bool) -> [Int64]? {
    var ranks: [Int64] = []
    ranks.reserveCapacity(cells.count)
    var (hasIntegers, hasDecimals) = (false, false)
    for cell in cells {
      let number: Int64
      switch cell {
      case .none:
        ranks.append(.max)
        continue
      case .integer(let integer): (number, hasIntegers) = (integer, true)
      case .decimal(let micros): (number, hasDecimals) = (micros, true)
      default: return nil
      }
      let rank = isDescending ? ~number : number
      // The last place is that of no number.
      if rank == .max { return nil }
      ranks.append(rank)
    }
    return hasIntegers && hasDecimals ? nil : ranks
  }

  /// Whether a row comes before another one; `nil` where both are equal.
  private func isBefore(_ a: Int, _ b: Int) -> Bool? {
    switch self {
    case .numbers(let numbers): numbers[a] == numbers[b] ? nil : numbers[a] < numbers[b]
    case .cells(let cells, let isDescending): cells[a].isBefore(cells[b], isDescending: isDescending)
    }
  }

  /// The places of rows in the order of some columns; rows that are equal by them stay as they are.
  static func places(_ count: Int, by keys: [Self]) -> [Int] {
    if keys.count == 1, case .numbers(let numbers) = keys[0] {
      return (0..<count).sorted { numbers[$0] == numbers[$1] ? $0 < $1 : numbers[$0] < numbers[$1] }
    }
    return (0..<count).sorted { a, b in
      for key in keys {
        if let isBefore = key.isBefore(a, b) { return isBefore }
      }
      return a < b
    }
  }
}

private struct ColumnFinder<Row> {
  private let declared: [Column<Row>]
  private let expanded: [Column<Row>]
  private let isEmpty: Bool
  private let parameter: String

  init(_ columns: [Column<Row>], held rows: [Row], parameter: String) {
    declared = columns
    expanded = columns.flatMap { $0.expanded(over: rows) }
    isEmpty = rows.isEmpty
    self.parameter = parameter
  }

  func column(_ name: String, _ needs: Arrangement.Needs) throws(ParameterError) -> Column<Row> {
    if let found = expanded.first(where: { $0.header.name == name || $0.header.fields.contains(name) }) {
      return found
    }
    // Without rows the keys of a family are not known.
    if isEmpty, let found = declared.lazy.compactMap({ $0.filled(toBe: name) }).first { return found }
    if let need = needs(name) {
      throw ParameterError(parameter, Sentence("the column '\(name: name)' needs \(need)."))
    }
    // A figure and its interval are two columns of one name.
    var names: [String] = []
    for header in expanded.map(\.header) where !header.isOfPrograms && names.last != "`\(header.name)`" {
      names.append("`\(header.name)`")
    }
    let missing = Sentence(
      "there is no column '\(name: name)' here; use one of \(code: names.joined(separator: ", ")), or another member of "
        + "a row of --format json.")
    guard let meant = nearest(to: name, among: expanded.map(\.header.name)) else {
      throw ParameterError(parameter, missing)
    }
    throw ParameterError(parameter, Sentence("\(missing) Did you mean '\(code: meant)'?"))
  }
}

extension Header {
  fileprivate var isOfPrograms: Bool { presence == .forPrograms || presence == .onRequestForPrograms }

  /// Whether a format can show it where it is asked for by its name.
  fileprivate func canBeChosen(for format: Format) -> Bool {
    if case .records = kind { return format.shows(self) }
    return format == .table || format.shows(self)
  }
}

extension Cell {
  /// Whether it comes before another one of its column.
  ///
  /// `nil` where both are equal. No value comes last.
  fileprivate func isBefore(_ other: Cell, isDescending: Bool) -> Bool? {
    if self == other { return nil }
    if self == .none { return false }
    if other == .none { return true }
    let isLess =
      switch (self, other) {
      case (.integer(let a), .integer(let b)): a < b
      case (.decimal(let a), .decimal(let b)): a < b
      case (.text(let a), .text(let b)): a < b
      case (.sentence(let a), .sentence(let b)): a.english < b.english
      case (.words(let a), .words(let b)): a.lexicographicallyPrecedes(b)
      case (.flag(let a), .flag(let b)): !a && b
      default: sortRank < other.sortRank
      }
    return isLess != isDescending
  }

  /// An order of cells of unlike kinds, which no column has.
  private var sortRank: Int {
    switch self {
    case .integer: 0
    case .decimal: 1
    case .range: 2
    case .text, .sentence: 3
    case .words: 4
    case .flag: 5
    case .records: 6
    case .none: 7
    }
  }
}
