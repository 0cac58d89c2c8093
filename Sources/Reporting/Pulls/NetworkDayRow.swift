import Imports
import Intake
import Ledger
import Postbacks
import Values

extension ImportProfile.Kind {
  /// What imports rows of the kind.
  var importer: any ReferenceImport.Type {
    switch self {
    case .spend: SpendImport.self
    case .names: NameImport.self
    case .rates: RateImport.self
    case .totals: TotalImport.self
    case .installs: InstallImport.self
    case .proceeds: ProceedsImport.self
    }
  }

  /// Whether its rows are of a day and a network.
  var hasDaysOfNetworks: Bool {
    func isOfNetworks<Kind: ReferenceImport>(_: Kind.Type) -> Bool {
      Kind.Listed.Row.self is any NetworkDayRow.Type
    }
    return isOfNetworks(importer)
  }
}

/// A row of a day and a network, of which a source knows all.
protocol NetworkDayRow: FileRow {
  var day: Day { get }
  var network: String { get }
  /// The App Store number of the app; `nil` where rows have none.
  var app: Int64? { get }
  /// What is stored of days up to one that is excluded, and of the environment in which a pull's rows count.
  static func stored(from: Day, to: Day, in reader: LedgerReader) throws(LedgerError) -> [Self]
}

extension SpendRow: NetworkDayRow {
  static func stored(from: Day, to: Day, in reader: LedgerReader) throws(LedgerError) -> [Self] {
    try reader.spend(from: from, to: to, environment: .production)
  }
}

extension NetworkTotalRow: NetworkDayRow {
  var app: Int64? { nil }

  static func stored(from: Day, to: Day, in reader: LedgerReader) throws(LedgerError) -> [Self] {
    try reader.networkTotals(from: from, to: to)
  }
}

private struct NetworkDay: Hashable {
  let day: Day
  let network: String
}

extension NetworkDayRow {
  /// Stored rows that a new answer no longer has.
  ///
  /// They are of days and networks that it has other rows of, and of its apps where its rows name them. A day without any
  /// row proves nothing.
  static func gone(
    after rows: [Self], in days: Range<Day>, _ reader: LedgerReader
  ) throws(LedgerError) -> [Self] {
    let groups = Set(rows.map { NetworkDay(day: $0.day, network: $0.network) })
    let keys = Set(rows.map { table.key(of: $0) })
    let apps = Set(rows.compactMap(\.app))
    return try stored(from: days.lowerBound, to: days.upperBound, in: reader).filter { row in
      groups.contains(NetworkDay(day: row.day, network: row.network)) && !keys.contains(table.key(of: row))
        && (apps.isEmpty || row.app.map(apps.contains) ?? false)
    }
  }
}
