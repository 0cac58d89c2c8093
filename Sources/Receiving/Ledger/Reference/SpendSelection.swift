package import Postbacks
import SQLite
package import Values

/// Which rows of spend are read.
package struct SpendSelection: Sendable {
  private var conditions: [String] = []
  fileprivate private(set) var fields: [ReferenceField] = []

  /// Selects by what is named; the days are UTC, and of apps, networks and campaigns none means all.
  ///
  /// - Parameter orOfNoApp: Whether rows that name no app are selected beside those of some apps.
  package init(
    from: Day? = nil, to: Day? = nil, apps: [AppID] = [], orOfNoApp: Bool = false,
    networks: [AdNetworkID] = [],
    campaign: String? = nil, environment: Environment? = nil
  ) {
    if let environment { add("environment = ?", [.integer(environment.code)]) }
    if let from { add("day >= ?", [.integer(Int64(from.number))]) }
    if let to { add("day < ?", [.integer(Int64(to.number))]) }
    if !networks.isEmpty {
      add("network IN (\(marks(networks.count)))", networks.map { .text($0.canonical) })
    }
    if let campaign { add("campaign = ?", [.text(campaign)]) }
    // 0 stands for no app.
    let numbers = apps.map(\.number).filter { $0 != 0 } + (orOfNoApp ? [0] : [])
    if !apps.isEmpty { add("app IN (\(marks(numbers.count)))", numbers.map { .integer($0) }) }
  }

  /// The rows of it that come behind a place.
  fileprivate func rest(behind place: SpendRowPlace) -> Self {
    var rest = self
    rest.add("(\(SpendRow.table.order)) > (\(marks(place.key.count)))", place.key)
    return rest
  }

  /// What is left of it for a reader.
  fileprivate func left(by limit: ReadLimit) -> Self {
    var left = self
    if let apps = limit.appsText { left.add("app IN (\(apps))", []) }
    return left
  }

  fileprivate var clause: String {
    conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
  }

  private mutating func add(_ condition: String, _ fields: [ReferenceField]) {
    conditions.append(condition)
    self.fields += fields
  }
}

private func marks(_ count: Int) -> String {
  Array(repeating: "?", count: count).joined(separator: ", ")
}

/// Where a row of spend is among all, which an import of others does not move.
package struct SpendRowPlace: LosslessStringConvertible, Sendable {
  fileprivate let key: [ReferenceField]

  package init(_ row: SpendRow) { key = SpendRow.table.key(of: row) }

  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    var key: [ReferenceField] = []
    for part in parts {
      if let number = Int64(part) {
        key.append(.integer(number))
      } else if part.hasPrefix("t"), let bytes = Base64.decodeURL(part.dropFirst().utf8),
        let text = String(validating: bytes, as: UTF8.self)
      {
        key.append(.text(text))
      } else {
        return nil
      }
    }
    guard key.count == SpendRow.table.keyCount else { return nil }
    self.key = key
  }

  package var description: String {
    key.map { field in
      switch field {
      case .integer(let number): "\(number ?? 0)"
      // A text can have every letter, also one that looks like a number.
      case .text(let text): "t" + String(decoding: Base64.encodeURL(Array((text ?? "").utf8)), as: UTF8.self)
      }
    }.joined(separator: ".")
  }
}

extension LedgerReader {
  /// How many rows of spend there are.
  package func spendCount(_ selection: SpendSelection) throws(LedgerError) -> Int {
    let selection = selection.left(by: limit)
    let statement = try connection.prepare("SELECT count(*) FROM spend \(selection.clause)")
    try statement.bind(selection.fields)
    return try statement.firstRow { Int($0.count(0)) } ?? 0
  }

  /// Gives rows of spend one after the other, by environment, day, network, campaign, currency and app, until the body
  /// returns false.
  ///
  /// - Parameter place: That of the last row before; `nil` to begin with the first.
  package func forEachSpend(
    _ selection: SpendSelection, behind place: SpendRowPlace? = nil, _ body: (SpendRow) -> Bool
  ) throws(LedgerError) {
    let selection = (place.map { selection.rest(behind: $0) } ?? selection).left(by: limit)
    let statement = try connection.prepare(
      "\(SpendRow.table.selection) \(selection.clause) ORDER BY \(SpendRow.table.order)")
    try statement.bind(selection.fields)
    try statement.readRows { row in SpendRow.read(row).map(body) ?? true }
  }
}
