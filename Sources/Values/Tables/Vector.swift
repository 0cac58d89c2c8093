import CSVText
import JSONText
import Values

/// The cells of one column for some rows, in the form that takes least to write: a campaign report has a hundred columns,
/// and a hundred thousand rows.
public enum Vector: Sendable {
  case integers([Int64])
  /// Millionths.
  case decimals([Int64])
  case integersOrNone([Int64?])
  /// Millionths.
  case decimalsOrNone([Int64?])
  case cells([Cell])
  /// One of the columns of a block.
  case part(NumberBlock, Int)

  subscript(row: Int) -> Cell {
    switch self {
    case .integers(let numbers): .integer(numbers[row])
    case .decimals(let micros): .decimal(micros: micros[row])
    case .integersOrNone(let numbers): numbers[row].map { .integer($0) } ?? .none
    case .decimalsOrNone(let micros): micros[row].map { .decimal(micros: $0) } ?? .none
    case .cells(let cells): cells[row]
    case .part(let block, let column): .integer(block[row, column])
    }
  }

  /// Its numbers, where every cell is one of the same kind.
  func numbers(count: Int) -> [Int64]? {
    switch self {
    case .integers(let numbers), .decimals(let numbers): numbers
    case .part(let block, let column): (0..<count).map { block[$0, column] }
    case .integersOrNone, .decimalsOrNone, .cells: nil
    }
  }

  func appendCSV(_ row: Int, to bytes: inout [UInt8]) {
    switch self {
    case .integers(let numbers): appendDigits(of: numbers[row], to: &bytes)
    case .decimals(let micros): Amount(micros: micros[row]).append(to: &bytes)
    case .integersOrNone(let numbers):
      if let number = numbers[row] { appendDigits(of: number, to: &bytes) }
    case .decimalsOrNone(let micros):
      if let micros = micros[row] { Amount(micros: micros).append(to: &bytes) }
    case .cells(let cells): cells.span[row].appendCSV(to: &bytes)
    case .part(let block, let column): appendDigits(of: block[row, column], to: &bytes)
    }
  }

  /// Appends a cell as a value of JSON, of a column that is no interval.
  func appendJSON(_ row: Int, _ kind: ColumnKind, to bytes: inout [UInt8]) {
    switch self {
    case .integers(let numbers): appendDigits(of: numbers[row], to: &bytes)
    case .decimals(let micros): Amount(micros: micros[row]).append(to: &bytes)
    case .integersOrNone(let numbers):
      guard let number = numbers[row] else { return bytes += "null".utf8 }
      appendDigits(of: number, to: &bytes)
    case .decimalsOrNone(let micros):
      guard let micros = micros[row] else { return bytes += "null".utf8 }
      Amount(micros: micros).append(to: &bytes)
    case .cells(let cells): cells.span[row].appendJSON(kind, to: &bytes)
    case .part(let block, let column): appendDigits(of: block[row, column], to: &bytes)
    }
  }
}

/// Whole numbers of several columns for some rows, row by row.
public final class NumberBlock: Sendable {
  private let numbers: [Int64]
  private let width: Int

  init(_ numbers: [Int64], width: Int) { (self.numbers, self.width) = (numbers, width) }

  subscript(row: Int, column: Int) -> Int64 { numbers[row * width + column] }

  /// Appends neighbouring columns of a row, with a comma between any two.
  func appendCSV(_ row: Int, _ columns: Range<Int>, to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: 21 * columns.count) { bytes in
      for column in columns {
        if column > columns.lowerBound { bytes.append(UInt8(ascii: ",")) }
        appendDigits(of: numbers[row * width + column], to: &bytes)
      }
    }
  }
}

extension Cell {
  func appendCSV(to bytes: inout [UInt8]) {
    switch self {
    case .none, .range, .records: break
    case .integer(let number): appendDigits(of: number, to: &bytes)
    case .decimal(let micros): Amount(micros: micros).append(to: &bytes)
    case .text(let text): CSV.append(text, to: &bytes)
    case .sentence(let sentence): CSV.append(sentence.english, to: &bytes)
    case .words(let words): CSV.append(words.joined(separator: "; "), to: &bytes)
    case .flag(let isOn): bytes += (isOn ? "true" : "false").utf8
    }
  }

  func appendJSON(_ kind: ColumnKind, to bytes: inout [UInt8]) {
    switch self {
    case .none, .range: bytes += "null".utf8
    case .integer(let number): appendDigits(of: number, to: &bytes)
    case .decimal(let micros): Amount(micros: micros).append(to: &bytes)
    case .text(let text): appendJSONString(text, to: &bytes)
    case .sentence(let sentence): appendJSONString(sentence.english, to: &bytes)
    case .words(let words): bytes += JSONOutput.array(words.map { .string($0) }).bytes()
    case .flag(let isOn): bytes += (isOn ? "true" : "false").utf8
    case .records(let rows):
      guard case .records(let headers) = kind else { return bytes += "null".utf8 }
      ObjectWriter(headers).append(rows, to: &bytes)
    }
  }
}

private func appendDigits(of number: Int64, to bytes: inout [UInt8]) {
  bytes.append(addingCapacity: 20) { appendDigits(of: number, to: &$0) }
}

private func appendDigits(of number: Int64, to bytes: inout OutputSpan<UInt8>) {
  if number < 0 { bytes.append(UInt8(ascii: "-")) }
  appendDecimalDigits(of: number.magnitude, to: &bytes)
}
