import Simulation
import Values

/// Gathers the packed rows of a partition into users, by the same rules as ``UserEvents``.
struct CohortAssembly: Sendable {
  /// What the numbers in the rows stand for.
  let names: CohortNames
  /// Whether only the first of rows that are the same counts.
  let dropsDuplicates: Bool

  /// The users of a partition, and what was found on the way.
  struct Result: Sendable {
    let cohort: Cohort
    /// Rows that disagree with others; they are not in the cohort.
    let skipped: SkippedRows
    /// Rows that repeat another one.
    let duplicates: Int
    /// The first of these.
    let firstDuplicate: Int?
  }

  /// Gathers rows, which are in the order of the file.
  func assemble(_ words: [UInt64]) -> Result {
    let count = words.count / PackedRow.width
    var users = UserTable(rows: count)
    var userOfRow = [Int32](repeating: 0, count: count)
    for row in 0..<count {
      userOfRow[row] = users.number(PackedRow(words, at: row))
    }
    // A counting sort: each user's rows side by side, in the order of the file.
    var starts = [Int](repeating: 0, count: users.count + 1)
    for user in userOfRow { starts[Int(user) + 1] += 1 }
    for user in 0..<users.count { starts[user + 1] += starts[user] }
    var next = starts
    var order = [Int32](repeating: 0, count: count)
    for row in 0..<count {
      order[next[Int(userOfRow[row])]] = Int32(row)
      next[Int(userOfRow[row])] += 1
    }
    var gathering = Gathering(dropsDuplicates: dropsDuplicates, rows: count, users: users.count)
    for user in 0..<users.count {
      gathering.add(order[starts[user]..<starts[user + 1]].map { PackedRow(words, at: Int($0)) })
    }
    guard let cohort = Cohort(names: names, events: gathering.events, users: gathering.users) else {
      preconditionFailure("Every index was made by the reader.")
    }
    return Result(
      cohort: cohort, skipped: gathering.skipped, duplicates: gathering.duplicates,
      firstDuplicate: gathering.firstDuplicate)
  }
}

/// Users with a number each, in the order of their first rows.
private struct UserTable {
  private var users: [(key: UInt64, check: UInt32)] = []
  /// Numbers by hash, -1 where free; a power of two of them, at most half taken.
  private var table: [Int32]

  var count: Int { users.count }

  init(rows: Int) {
    var size = 16
    while size < rows * 2 { size *= 2 }
    table = [Int32](repeating: -1, count: size)
  }

  mutating func number(_ row: PackedRow) -> Int32 {
    var slot = Int(truncatingIfNeeded: row.key) & (table.count - 1)
    while table[slot] >= 0 {
      let user = users[Int(table[slot])]
      if user.key == row.key, user.check == row.check { return table[slot] }
      slot = (slot + 1) & (table.count - 1)
    }
    table[slot] = Int32(users.count)
    users.append((row.key, row.check))
    return table[slot]
  }
}

/// Users and their events as they are put into the columns of a cohort.
private struct Gathering {
  private struct Deed: Hashable {
    let name: UInt32
    let tag: UInt32?
    let currency: Int?
    let micros: Int64
  }

  /// Rows of one moment whose set is used again.
  private static let fewDeeds = 16

  let dropsDuplicates: Bool
  var events: [CohortEvent] = []
  var users: [CohortUser] = []
  var skipped = SkippedRows()
  var duplicates = 0
  var firstDuplicate: Int?

  init(dropsDuplicates: Bool, rows: Int, users: Int) {
    self.dropsDuplicates = dropsDuplicates
    events.reserveCapacity(rows)
    self.users.reserveCapacity(users)
  }

  /// Adds a user by all rows in the order of the file.
  mutating func add(_ all: consuming [PackedRow]) {
    var installed: Int64?
    // Not copied: one user may have most rows of a file.
    var rows = consume all
    if rows.contains(where: { $0.installed != nil }) {
      rows.removeAll { row in
        guard let install = row.installed else { return false }
        if let installed, installed != install {
          skipped.add(
            EventFileError(
              code: "two-installs", line: row.line,
              sentence:
                "the user's install is at \(Instant(milliseconds: install)) here and at "
                + "\(Instant(milliseconds: installed)) in an earlier row"))
          return true
        }
        installed = install
        return false
      }
      rows.removeAll { row in
        guard let installed, row.time < installed else { return false }
        skipped.add(
          EventFileError(
            code: "event-before-install", line: row.line,
            sentence: "the event is at \(Instant(milliseconds: row.time)), before the user's install at "
              + "\(Instant(milliseconds: installed))"))
        return true
      }
    }
    guard let first = rows.first else { return }
    let campaign = rows.lazy.compactMap(\.campaign).first
    let origin = rows.lazy.compactMap(\.origin).first
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { $0.time <= $1.time }
    // Lines of the stream rise in `rows`, so that they decide between equal times.
    if !isSorted { rows.sort { ($0.time, $0.line) < ($1.time, $1.line) } }
    let start = installed ?? (isSorted ? first.time : rows[0].time)
    let place = Int32(events.count)
    addEvents(rows, start)
    users.append(
      CohortUser(
        key: first.key, installed: Instant(milliseconds: start), campaign: campaign.map { Int32($0) } ?? -1,
        origin: origin.map { Int32($0) } ?? -1,
        events: place..<Int32(events.count)))
  }

  private mutating func addEvents(_ rows: [PackedRow], _ start: Int64) {
    var seen: Set<Deed> = []
    for (index, row) in rows.enumerated() {
      let repeatsTime = index > 0 && rows[index - 1].time == row.time
      // To empty a set costs as much as its capacity, so one that grew large must not stay for all later moments.
      if !repeatsTime, !seen.isEmpty { seen.removeAll(keepingCapacity: seen.count <= Self.fewDeeds) }
      // Most rows are alone with their time; only the others are worth a set.
      if repeatsTime || (index + 1 < rows.count && rows[index + 1].time == row.time) {
        let deed = Deed(name: row.name, tag: row.tag, currency: row.currency, micros: row.micros)
        if !seen.insert(deed).inserted {
          duplicates += 1
          firstDuplicate = min(firstDuplicate ?? row.line, row.line)
          if dropsDuplicates { continue }
        }
      }
      events.append(
        CohortEvent(
          secondsSinceInstall: Int32(clamping: (row.time - start) / 1000), name: Int32(row.name),
          currency: row.currency.map { Int32($0) } ?? -1, micros: row.micros,
          tag: row.tag.map { Int32($0) } ?? -1))
    }
  }
}
