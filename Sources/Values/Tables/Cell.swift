package import Values

/// What a column holds; every format decides from this how it prints a cell.
package enum ColumnKind: Hashable, Sendable {
  /// A whole number of things.
  case count
  /// A number of things that is expected, so that it can have a fraction.
  case expectedCount
  /// A part of a whole, 0 to 1; people read per cent.
  case share
  /// A difference as part of a former value, which can be negative and above 1; people read per cent.
  case change
  /// A number without a unit.
  case ratio
  /// An amount of money; `nil` where another column of the row names the currency.
  case money(CurrencyCode?)
  /// Two bounds of one kind.
  indirect case interval(ColumnKind)
  case time, day
  /// A name from outside; it stays text even where it is all digits.
  case identifier
  case text, words, flag
  /// Rows inside one cell, such as the events of a postback.
  case records([Header])

  /// Whether cells end at the same place in a table for people.
  package var isNumeric: Bool {
    switch self {
    case .count, .expectedCount, .share, .change, .ratio, .money, .interval: true
    case .time, .day, .identifier, .text, .words, .flag, .records: false
    }
  }
}

/// One value of a table, exact in every format.
package enum Cell: Hashable, Sendable {
  /// No value, which is not zero.
  case none
  case integer(Int64)
  /// A decimal number in millionths.
  case decimal(micros: Int64)
  /// Two bounds in millionths; `nil` where there is none.
  case range(low: Int64?, high: Int64?)
  case text(String)
  case words([String])
  case flag(Bool)
  case records([[Cell]])

  /// Whether a reader learns nothing from it.
  var isVoid: Bool {
    switch self {
    case .none, .integer(0), .decimal(micros: 0), .text(""), .words([]), .records([]): true
    default: false
    }
  }
}

/// A type that a column can show; it decides the column's kind, so the two cannot disagree.
package protocol CellValue: Sendable, SendableMetatype {
  static var kind: ColumnKind { get }
  static var isOptional: Bool { get }
  var cell: Cell { get }
}

extension CellValue { package static var isOptional: Bool { false } }

extension Optional: CellValue where Wrapped: CellValue {
  package static var kind: ColumnKind { Wrapped.kind }
  package static var isOptional: Bool { true }
  package var cell: Cell { self?.cell ?? .none }
}

/// A number that was computed in binary, rounded to millionths; what is not finite or too large is no value.
private func decimal(_ number: Double?) -> Int64? {
  guard let number, number.isFinite, number.magnitude < 9e12 else { return nil }
  return Int64((number * 1e6).rounded())
}

/// A part of a whole, 0 to 1.
package struct Share: CellValue, Hashable {
  package static let kind = ColumnKind.share
  package let cell: Cell

  /// - Returns: `nil` where the whole is nothing.
  package init?(_ part: Int64, of whole: Int64) {
    guard whole > 0 else { return nil }
    self.init(Double(part) / Double(whole))
  }

  package init(_ share: Double) { cell = decimal(share).map { .decimal(micros: $0) } ?? .none }
}

/// A difference as part of a former value.
package struct Change: CellValue, Hashable {
  package static let kind = ColumnKind.change
  package let cell: Cell

  package init(_ change: Double) { cell = decimal(change).map { .decimal(micros: $0) } ?? .none }
}

/// A number without a unit.
package struct Ratio: CellValue, Hashable {
  package static let kind = ColumnKind.ratio
  package let cell: Cell

  package init(_ number: Double) { cell = decimal(number).map { .decimal(micros: $0) } ?? .none }
}

/// A number of things that is expected.
package struct ExpectedCount: CellValue, Hashable {
  package static let kind = ColumnKind.expectedCount
  package let cell: Cell

  package init(_ number: Double) { cell = decimal(number).map { .decimal(micros: $0) } ?? .none }

  package init(micros: Int64) { cell = .decimal(micros: micros) }
}

/// A low and a high bound, which programs read as two members, `NAME-low` and `NAME-high`.
package struct Bounds<Bound: CellValue>: CellValue {
  package static var kind: ColumnKind { .interval(Bound.kind) }
  package let cell: Cell

  package init(_ low: Bound?, _ high: Bound?) {
    func micros(_ bound: Bound?) -> Int64? {
      switch bound?.cell {
      case .decimal(let micros): micros
      case .integer(let number): number.multipliedReportingOverflow(by: 1_000_000).partialValue
      default: nil
      }
    }
    cell = .range(low: micros(low), high: micros(high))
  }
}

/// A number that is formatted already, such as `12 h`, for tables that only people read.
package struct NumberCell: CellValue, Hashable {
  package static let kind = ColumnKind.count
  package let cell: Cell

  package init(_ text: String) { cell = .text(text) }
}

/// A name from outside.
package struct Identifier: CellValue, Hashable {
  package static let kind = ColumnKind.identifier
  package let cell: Cell

  package init(_ text: String) { cell = .text(text) }
}

extension Amount: CellValue {
  /// An amount that was computed in binary; `nil` where it is not finite or too large.
  package init?(rounding number: Double?) {
    guard let micros = decimal(number) else { return nil }
    self.init(micros: micros)
  }

  package static var kind: ColumnKind { .money(nil) }
  package var cell: Cell { .decimal(micros: micros) }
}

extension Int64: CellValue {
  package static var kind: ColumnKind { .count }
  package var cell: Cell { .integer(self) }
}

extension Int: CellValue {
  package static var kind: ColumnKind { .count }
  package var cell: Cell { .integer(Int64(self)) }
}

extension Bool: CellValue {
  package static var kind: ColumnKind { .flag }
  package var cell: Cell { .flag(self) }
}

extension String: CellValue {
  package static var kind: ColumnKind { .text }
  package var cell: Cell { .text(self) }
}

extension Day: CellValue {
  package static var kind: ColumnKind { .day }
  package var cell: Cell { .text(description) }
}

extension Instant: CellValue {
  package static var kind: ColumnKind { .time }
  package var cell: Cell { .text(description) }
}

extension [String]: CellValue {
  package static var kind: ColumnKind { .words }
  package var cell: Cell { .words(self) }
}
