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
  /// Whether it is of the environment in which a pull's rows count.
  var isOfPulls: Bool { get }
}

extension SpendRow: NetworkDayRow {
  var isOfPulls: Bool { environment == .production }
}

extension NetworkTotalRow: NetworkDayRow {
  var app: Int64? { nil }
  var isOfPulls: Bool { true }
}

private struct NetworkDay: Hashable {
  let day: Day
  let network: String
}

extension NetworkDayRow {
  /// Removes stored rows that a new answer no longer has.
  ///
  /// They are of days and networks that it has other rows of, and of its apps where its rows name them. A day without any
  /// row proves nothing.
  ///
  /// - Returns: How many there were.
  static func removeGone(
    after rows: GatheredRows<Self>, in days: Range<Day>, from changes: any ChangeWriter
  ) throws -> Int {
    var groups: Set<NetworkDay> = []
    var apps: Set<Int64> = []
    try rows.forEachChunk { rows in
      groups.formUnion(rows.map { NetworkDay(day: $0.day, network: $0.network) })
      apps.formUnion(rows.compactMap(\.app))
    }
    let store = ReferenceStore(changes)
    var gone: [Self] = []
    var count = 0
    var obstacle: (any Error)?
    func take(_ row: Self) throws {
      guard row.isOfPulls, groups.contains(NetworkDay(day: row.day, network: row.network)),
        apps.isEmpty || row.app.map(apps.contains) ?? false, try rows.row(like: row) == nil
      else { return }
      gone.append(row)
      guard gone.count == mostRemoved else { return }
      count += try store.remove(gone)
      gone = []
    }
    try LedgerReader(path: changes.path).forEachImported(from: days.lowerBound, to: days.upperBound) {
      (row: Self) in
      guard obstacle == nil else { return }
      do { try take(row) } catch { obstacle = error }
    }
    if let obstacle { throw obstacle }
    return gone.isEmpty ? count : count + (try store.remove(gone))
  }

  /// Rows of one change, which holds postbacks up for some milliseconds.
  private static var mostRemoved: Int { 1000 }
}
