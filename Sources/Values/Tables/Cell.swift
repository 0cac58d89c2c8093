public import Values

/// What a column holds; every format decides from this how it prints a cell.
public enum ColumnKind: Equatable, Sendable {
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
  indirect case interval(ColumnKind)
  case time, day
  /// A name from outside; it stays text even where it is all digits.
  case identifier
  case text, words, flag
  /// Rows inside one cell, such as the events of a postback.
  case records([Header])

  /// Whether cells end at the same place in a table for people.
  public var isNumeric: Bool {
    switch self {
    case .count, .expectedCount, .share, .change, .ratio, .money, .interval: true
    case .time, .day, .identifier, .text, .words, .flag, .records: false
    }
  }
}

/// One value of a table, exact in every format.
public enum Cell: Hashable, Sendable {
  /// No value, which is not zero.
  case none
  case integer(Int64)
  case decimal(micros: Int64)
  /// Two bounds in millionths; `nil` where there is none.
  case range(low: Int64?, high: Int64?)
  case text(String)
  case sentence(Sentence)
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
public protocol CellValue: Sendable, SendableMetatype {
  static var kind: ColumnKind { get }
  static var isOptional: Bool { get }
  var cell: Cell { get }
  static func vector(_ values: [Self]) -> Vector
  static func vector(_ values: [Self?]) -> Vector
}

extension CellValue {
  @inlinable public static var isOptional: Bool { false }
  @inlinable public static func vector(_ values: [Self]) -> Vector { .cells(values.map(\.cell)) }
  @inlinable public static func vector(_ values: [Self?]) -> Vector {
    .cells(values.map { $0?.cell ?? .none })
  }
}

extension Optional: CellValue where Wrapped: CellValue {
  @inlinable public static var kind: ColumnKind { Wrapped.kind }
  @inlinable public static var isOptional: Bool { true }
  @inlinable public var cell: Cell { self?.cell ?? .none }
  @inlinable public static func vector(_ values: [Self]) -> Vector { Wrapped.vector(values) }
}

/// A number that was computed in binary, rounded to millionths; what is not finite or too large is no value.
private func decimal(_ number: Double?) -> Int64? {
  guard let number, number.isFinite, number.magnitude < 9e12 else { return nil }
  return Int64(nearest: number * 1e6)
}

/// A part of a whole, 0 to 1.
public struct Share: CellValue, Hashable {
  public static let kind = ColumnKind.share
  public let cell: Cell

  /// - Returns: `nil` where the whole is nothing.
  public init?(_ part: Int64, of whole: Int64) {
    guard whole > 0 else { return nil }
    self.init(Double(part) / Double(whole))
  }

  public init(_ share: Double) { cell = decimal(share).map { .decimal(micros: $0) } ?? .none }
}

/// A difference as part of a former value.
public struct Change: CellValue, Hashable {
  public static let kind = ColumnKind.change
  public let cell: Cell

  public init(_ change: Double) { cell = decimal(change).map { .decimal(micros: $0) } ?? .none }
}

/// A number without a unit.
public struct Ratio: CellValue, Equatable {
  public static let kind = ColumnKind.ratio
  public let cell: Cell

  public init(_ number: Double) { cell = decimal(number).map { .decimal(micros: $0) } ?? .none }
}

public struct ExpectedCount: CellValue, Equatable {
  public static let kind = ColumnKind.expectedCount
  public let cell: Cell

  public init(_ number: Double) { cell = decimal(number).map { .decimal(micros: $0) } ?? .none }

  public init(micros: Int64) { cell = .decimal(micros: micros) }
}

/// A low and a high bound, which programs read as two members, `NAME-low` and `NAME-high`.
public struct Bounds<Bound: CellValue>: CellValue {
  public static var kind: ColumnKind { .interval(Bound.kind) }
  public let cell: Cell

  public init(_ low: Bound?, _ high: Bound?) {
    func micros(_ bound: Bound?) -> Int64? {
      switch bound?.cell {
      case .decimal(let micros): micros
      case .integer(let number): number.multipliedHeld(by: 1_000_000)
      default: nil
      }
    }
    cell = .range(low: micros(low), high: micros(high))
  }
}

/// A number that a column shows with six decimals at most.
package protocol DecimalValue: CellValue {}

extension DecimalValue {
  /// In millionths, as every format has it; `nil` where it is not finite.
  package var number: Double? { cell.number }
}

extension Share: DecimalValue {}
extension Change: DecimalValue {}
extension Ratio: DecimalValue {}
extension ExpectedCount: DecimalValue {}

extension Bounds {
  /// The low and the high bound; `nil` where one is missing.
  package var ends: (low: Amount, high: Amount)? { cell.bounds }
}

/// A number that is formatted already, such as `12 h`, for tables that only people read.
public struct NumberCell: CellValue, Equatable {
  public static let kind = ColumnKind.count
  public let cell: Cell

  public init(_ text: String) { cell = .text(text) }
}

public struct Identifier: CellValue, Equatable {
  public static let kind = ColumnKind.identifier
  public let cell: Cell

  public init(_ text: String) { cell = .text(text) }
}

extension Amount: CellValue {
  /// An amount that was computed in binary; `nil` where it is not finite or too large.
  public init?(rounding number: Double?) {
    guard let micros = decimal(number) else { return nil }
    self.init(micros: micros)
  }

  public static var kind: ColumnKind { .money(nil) }
  @inlinable public var cell: Cell { .decimal(micros: micros) }
  @inlinable public static func vector(_ values: [Self]) -> Vector { .decimals(values.map(\.micros)) }
  @inlinable public static func vector(_ values: [Self?]) -> Vector {
    .decimalsOrNone(values.map { $0?.micros })
  }
}

extension Int64: CellValue {
  public static var kind: ColumnKind { .count }
  @inlinable public var cell: Cell { .integer(self) }
  @inlinable public static func vector(_ values: [Self]) -> Vector { .integers(values) }
  @inlinable public static func vector(_ values: [Self?]) -> Vector { .integersOrNone(values) }
}

extension Int: CellValue {
  public static var kind: ColumnKind { .count }
  @inlinable public var cell: Cell { .integer(Int64(self)) }
  @inlinable public static func vector(_ values: [Self]) -> Vector { .integers(values.map { Int64($0) }) }
  @inlinable public static func vector(_ values: [Self?]) -> Vector {
    .integersOrNone(values.map { $0.map { Int64($0) } })
  }
}

extension Bool: CellValue {
  public static var kind: ColumnKind { .flag }
  @inlinable public var cell: Cell { .flag(self) }
}

extension String: CellValue {
  public static var kind: ColumnKind { .text }
  @inlinable public var cell: Cell { .text(self) }
}

extension Sentence: CellValue {
  public static var kind: ColumnKind { .text }
  public var cell: Cell { .sentence(self) }
}

extension Day: CellValue {
  public static var kind: ColumnKind { .day }
  public var cell: Cell { .text(description) }
}

extension Instant: CellValue {
  public static var kind: ColumnKind { .time }
  public var cell: Cell { .text(description) }
}

extension [String]: CellValue {
  public static var kind: ColumnKind { .words }
  public var cell: Cell { .words(self) }
}
