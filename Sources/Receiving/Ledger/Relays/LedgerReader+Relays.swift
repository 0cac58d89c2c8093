import Postbacks
import SQLite
import Values

/// Rows of one table that wait for a relay, in their order.
private struct RelayLane {
  /// A row, with the postback to pass on where the relay takes it.
  struct Entry {
    let row: Int64
    let receivedAt: Instant
    let postback: RelayPostback?
  }

  static let mostRows = 1024
  static let mostPostbacks = 256
  /// Bytes of their bodies after which there are no more.
  static let mostBytes = 1 << 20

  var entries: [Entry] = []
  private var postbacks = 0
  private var bytes = 0

  /// Whether rows can follow that were not read.
  var isCut: Bool { isFull || entries.count >= Self.mostRows }

  private var isFull: Bool { postbacks >= Self.mostPostbacks || bytes >= Self.mostBytes }

  /// Adds a row, and returns whether there is space for more.
  mutating func add(_ entry: Entry) -> Bool {
    entries.append(entry)
    if let postback = entry.postback {
      postbacks += 1
      bytes += postback.body?.count ?? 0
    }
    return !isFull
  }
}

extension LedgerReader {
  /// The next postbacks that a relay passes on, in the order of their arrival.
  ///
  /// First copies are in the order of their rows, further copies too, and both are merged by their time of arrival. Of a
  /// conversion the first copy of each kind counts. What is read stays within a mebibyte and a body, however much waits.
  ///
  /// - Parameters:
  ///   - cursor: Up to where the relay is done.
  /// - Returns: The postbacks, each with the cursor behind it.
  public func relayBatch(
    after cursor: RelayCursor, _ selection: RelaySelection
  ) throws(LedgerError) -> RelayBatch {
    try requireBodies()
    return try consistently { () throws(LedgerError) in
      // Not those that were known when the database was opened: a new network's rows would be passed over.
      let filter = RelayFilter(selection, networks: try names(in: .network), origins: try origins())
      let firsts = try firstCopies(after: cursor.postback, filter)
      let copies = try furtherCopies(after: cursor.copy, filter)
      return Self.merged(firsts, copies, from: cursor)
    }
  }

  private static func merged(_ firsts: RelayLane, _ copies: RelayLane, from cursor: RelayCursor) -> RelayBatch
  {
    var batch = RelayBatch(end: cursor)
    var (first, copy) = (firsts.entries[...], copies.entries[...])
    while true {
      let isFirst: Bool
      switch (first.first, copy.first) {
      case (let a?, let b?): isFirst = a.receivedAt <= b.receivedAt
      // What was not read yet may be older than what is left of the other lane.
      case (_?, nil) where !copies.isCut: isFirst = true
      case (nil, _?) where !firsts.isCut: isFirst = false
      default:
        batch.hasMore = firsts.isCut || copies.isCut
        return batch
      }
      guard let entry = isFirst ? first.popFirst() : copy.popFirst() else { return batch }
      if isFirst { batch.end.postback = entry.row } else { batch.end.copy = entry.row }
      if var postback = entry.postback {
        postback.cursor = batch.end
        batch.postbacks.append(postback)
      }
    }
  }

  private func firstCopies(after row: Int64, _ filter: RelayFilter) throws(LedgerError) -> RelayLane {
    var lane = RelayLane()
    let statement = try connection.prepare(
      """
      SELECT id, received_at, origin, environment, network, app, body FROM postback
      WHERE id > \(row) ORDER BY id LIMIT \(RelayLane.mostRows)
      """)
    try statement.readRows { row in
      let moment = Instant(milliseconds: row.count(1))
      let taken = filter.takes(row, origin: 2, environment: 3, network: 4, app: 5)
      return lane.add(
        RelayLane.Entry(
          row: row.count(0), receivedAt: moment,
          postback: taken.map { origin, environment in
            RelayPostback(
              row: row.count(0), copy: nil, receivedAt: moment, origin: origin, environment: environment,
              app: row.count(5), body: row.bytes(6))
          }))
    }
    return lane
  }

  private func furtherCopies(after row: Int64, _ filter: RelayFilter) throws(LedgerError) -> RelayLane {
    var lane = RelayLane()
    let statement = try connection.prepare(
      """
      SELECT c.id, c.received_at, c.origin, p.environment, p.network, p.app, p.origin, c.postback,
        CASE WHEN c.digest IS NULL THEN p.body ELSE c.body END,
        (SELECT group_concat(DISTINCT e.origin) FROM postback_copy e WHERE e.postback = c.postback AND e.id < c.id)
      FROM postback_copy c JOIN postback p ON p.id = c.postback
      WHERE c.id > \(row) ORDER BY c.id LIMIT \(RelayLane.mostRows)
      """)
    try statement.readRows { row in
      let moment = Instant(milliseconds: row.count(1))
      let taken = filter.takes(row, origin: 2, environment: 3, network: 4, app: 5)
      let isNew =
        taken.map { filter.isChosen($0.0, besides: filter.earlier(row, first: 6, others: 9)) } ?? false
      return lane.add(
        RelayLane.Entry(
          row: row.count(0), receivedAt: moment,
          postback: isNew
            ? taken.map { origin, environment in
              RelayPostback(
                row: row.count(7), copy: row.count(0), receivedAt: moment, origin: origin,
                environment: environment, app: row.count(5), body: row.isNull(8) ? nil : row.bytes(8))
            } : nil))
    }
    return lane
  }

  /// A postback by its rows, for another attempt; `nil` where there is none, or a selection leaves that copy out because the
  /// conversion has been chosen by another one.
  public func relayPostback(
    row: Int64, copy: Int64?, _ selection: RelaySelection
  ) throws(LedgerError) -> RelayPostback? {
    let origins = try origins()
    let filter = RelayFilter(selection, networks: [:], origins: origins)
    let statement =
      if let copy {
        try connection.prepare(
          """
          SELECT c.received_at, c.origin, p.environment, CASE WHEN c.digest IS NULL THEN p.body ELSE c.body END, p.app,
            p.origin, (SELECT group_concat(DISTINCT e.origin) FROM postback_copy e
              WHERE e.postback = c.postback AND e.id < c.id)
          FROM postback_copy c JOIN postback p ON p.id = c.postback WHERE c.id = \(copy) AND p.id = \(row)
          """)
      } else {
        try connection.prepare(
          "SELECT received_at, origin, environment, body, app, NULL, NULL FROM postback WHERE id = \(row)")
      }
    let found = try statement.firstRow { found -> RelayPostback? in
      let origin = origins[found.count(1)] ?? Origin(.file)
      guard copy == nil || filter.isChosen(origin, besides: filter.earlier(found, first: 5, others: 6))
      else {
        return nil
      }
      return RelayPostback(
        row: row, copy: copy, receivedAt: Instant(milliseconds: found.count(0)), origin: origin,
        environment: decoded(found.integer(2)) { $0.code } ?? .test, app: found.count(4),
        body: found.isNull(3) ? nil : found.bytes(3))
    }
    return found ?? nil
  }

  public func relayBacklog(after cursor: RelayCursor) throws(LedgerError) -> RelayBacklog {
    var waiting: Int64 = 0
    var oldest: Instant?
    for (table, row) in [("postback", cursor.postback), ("postback_copy", cursor.copy)] {
      waiting += max(0, (try connection.integer("SELECT max(id) FROM \(table)") ?? 0) - row)
      let moment = try connection.integer(
        "SELECT received_at FROM \(table) WHERE id > \(row) ORDER BY id LIMIT 1")
      if let moment = moment.map({ Instant(milliseconds: $0) }) { oldest = min(oldest ?? moment, moment) }
    }
    return RelayBacklog(waiting: waiting, oldest: oldest)
  }

  public func relayCursor(_ start: RelayStart) throws(LedgerError) -> RelayCursor {
    switch start {
    case .beginning: RelayCursor()
    case .newest:
      RelayCursor(
        postback: try connection.integer("SELECT max(id) FROM postback") ?? 0,
        copy: try connection.integer("SELECT max(id) FROM postback_copy") ?? 0)
    case .moment(let moment):
      RelayCursor(
        postback: try lastRow(of: "postback", before: moment),
        copy: try lastRow(of: "postback_copy", before: moment))
    }
  }

  /// The last row that arrived before a moment, by halving: rows are in the order of arrival, and have no index of it.
  func lastRow(of table: String, before moment: Instant) throws(LedgerError) -> Int64 {
    var (low, high) = (Int64(0), try connection.integer("SELECT max(id) FROM \(table)") ?? 0)
    let find = try connection.prepare(
      "SELECT id, received_at FROM \(table) WHERE id <= ?1 ORDER BY id DESC LIMIT 1")
    while low < high {
      let middle = low + (high - low + 1) / 2
      try find.bind(middle)
      let isBefore = try find.firstRow { $0.count(1) < moment.milliseconds } ?? true
      if isBefore { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

private struct RelayFilter {
  private let selection: RelaySelection
  private let networks: Set<Int64>
  private let origins: [Int64: Origin]

  init(_ selection: RelaySelection, networks: [Int64: String], origins: [Int64: Origin]) {
    self.selection = selection
    self.networks = Set(networks.filter { selection.networks.contains($0.value) }.keys)
    self.origins = origins
  }

  func takes(
    _ row: borrowing Row, origin: Int32, environment: Int32, network: Int32, app: Int32
  ) -> (Origin, Environment)? {
    let from = origins[row.count(origin)] ?? Origin(.file)
    guard let environment: Environment = decoded(row.integer(environment), by: { $0.code }),
      selection.environments.contains(environment), selection.kinds.contains(RelayKind(from.route)),
      selection.networks.isEmpty || networks.contains(row.count(network)),
      selection.apps.isEmpty || AppID(row.count(app)).map(selection.apps.contains) == true
    else { return nil }
    return (from, environment)
  }

  /// The origins of the copies before one.
  func earlier(_ row: borrowing Row, first: Int32, others: Int32) -> [Int64] {
    (row.text(others) ?? "").split(separator: ",").compactMap { Int64($0) } + [row.count(first)]
  }

  /// Whether a further copy is chosen: no copy of these origins is of the same kind, or, where a conversion is chosen once,
  /// of any kind that is chosen.
  func isChosen(_ origin: Origin, besides earlier: [Int64]) -> Bool {
    let kind = RelayKind(origin.route)
    return !earlier.contains {
      let other = RelayKind((origins[$0] ?? Origin(.file)).route)
      return selection.isOncePerConversion ? selection.kinds.contains(other) : other == kind
    }
  }
}
