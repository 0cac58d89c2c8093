package import JSONText
import Values

extension Sheet {
  /// A row as the members of a JSON object, for documents that hold more than rows.
  package func members(of row: Row) -> [JSONOutput.Member] { headers.members(cells(of: row)) }

  /// Rows as an array of JSON objects, by the columns' names.
  package func array(of rows: [Row]) -> JSONOutput {
    let headers = headers
    return .array(cells(of: rows).map { .object(headers.members($0)) })
  }
}

extension CellValue {
  /// The value as a member of a JSON object has it.
  package var json: JSONOutput { cell.json(Self.kind) }
}

extension [Header] {
  fileprivate func members(_ cells: [Cell]) -> [JSONOutput.Member] {
    zip(self, cells).flatMap { header, cell in
      zip(header.fields, header.fields(of: cell)).map { JSONOutput.Member($0, $1.json(header.kind)) }
    }
  }
}

extension Cell {
  fileprivate func json(_ kind: ColumnKind) -> JSONOutput {
    switch self {
    case .none, .range: .null
    case .integer(let number): .integer(number)
    // Most of a simulation's numbers are whole, and there can be millions of them.
    case .decimal(let micros) where micros.isMultiple(of: 1_000_000): .integer(micros / 1_000_000)
    case .decimal(let micros): JSONNumber(Amount(micros: micros).description).map { .number($0) } ?? .null
    case .text(let text): .string(text)
    case .sentence(let sentence): .string(sentence.english)
    case .words(let words): .array(words.map { .string($0) })
    case .flag(let isOn): .bool(isOn)
    case .records(let rows):
      if case .records(let headers) = kind {
        .array(rows.map { .object(headers.members($0)) })
      } else {
        .null
      }
    }
  }
}
