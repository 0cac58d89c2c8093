import Values

extension ColumnKind {
  /// What one of its numbers is, as a noun phrase.
  package var unit: String {
    switch self {
    case .count: "count"
    case .expectedCount: "expected count, which can have a fraction"
    case .share: "share, from 0 to 1"
    case .change: "part of another figure, which can be below 0 or above 1"
    case .ratio: "number without a unit"
    case .money(let currency?): "amount in \(currency.text)"
    case .money(nil): "amount in the currency of the row"
    case .interval(let kind): kind.unit
    case .time: "moment in UTC"
    case .day: "day"
    case .identifier: "identifier"
    case .text: "text"
    case .words: "list of words"
    case .flag: "true or false"
    case .records: "list of objects"
    }
  }
}

extension ColumnKind {
  /// The same for a table that people read, which has shares in per cent.
  package var unitForPeople: String {
    switch self {
    case .share, .change: "per cent"
    case .interval(let kind): kind.unitForPeople
    default: unit
    }
  }
}

extension Table {
  /// The columns that people see: those that their format shows, and that are always there or have something in a row.
  package var headersForPeople: [Header] {
    let table = shown(in: .table)
    return table.headers.indices.filter { index in
      table.headers[index].presence == .always || table.rows.contains { !$0[index].isVoid }
    }.map { table.headers[$0] }
  }
}
