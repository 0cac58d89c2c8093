import Simulation
import Values

/// Gathers the packed rows of a partition into users, by the rules of a plain reader that the tests compare it with.
struct CohortAssembly: Sendable {
  /// What the numbers in the rows stand for.
  let names: CohortNames
  /// Whether only the first of rows that are the same counts.
  let dropsDuplicates: Bool
  /// The campaign of a user without one, an index into ``names``; -1 where such a user is organic.
  let usualCampaign: Int32

  /// The users of a partition, and what was found on the way.
  struct Result: Sendable {
    let cohort: Cohort
    /// Rows that disagree with others; they are not in the cohort.
    let skipped: SkippedRows
    /// Rows that repeat another one.
    let duplicates: Int
    let firstDuplicate: Int?
  }

  /// Gathers rows, which are in the order of the file.
  func assemble(_ words: [UInt64]) -> Result {
    let rows = words.span
    let count = rows.count / PackedRow.width
    var users = UserTable()
    var userOfRow = [Int32](repeating: 0, count: count)
    for row in 0..<count {
      userOfRow[row] = users.number(PackedRow(rows, at: row))
    }
    // A counting sort: each user's rows side by side, in the order of the file.
    var starts = [Int](repeating: 0, count: users.count + 1)
    for user in userOfRow { starts[Int(user) + 1] += 1 }
    for user in 0..<users.count { starts[user + 1] += starts[user] }
    var next = starts
    var moments = [RowMoment](repeating: RowMoment(time: 0, row: 0), count: count)
    for row in 0..<count {
      let user = Int(userOfRow[row])
      moments[next[user]] = RowMoment(time: PackedRow(rows, at: row).time, row: Int32(row))
      next[user] += 1
    }
    var gathering = Gathering(
      dropsDuplicates: dropsDuplicates, usualCampaign: usualCampaign, rows: count, users: users.count)
    for user in 0..<users.count {
      gathering.add(rows, &moments, starts[user]..<starts[user + 1])
    }
    guard let cohort = Cohort(names: names, events: gathering.events, users: gathering.users) else {
      preconditionFailure("Every index was made by the reader.")
    }
    return Result(
      cohort: cohort, skipped: gathering.skipped, duplicates: gathering.duplicates,
      firstDuplicate: gathering.firstDuplicate)
  }
}

/// When a row happened, and its place among the rows of a partition, whose lines rise.
private struct RowMoment {
  let time: Int64
  let row: Int32

  @inline(__always)
  static func < (a: Self, b: Self) -> Bool { a.time != b.time ? a.time < b.time : a.row < b.row }
}

/// Users with a number each, in the order of their first rows.
private struct UserTable {
  private var users: [(key: UInt64, check: UInt32)] = []
  /// Numbers by hash, -1 where free; a power of two of them, at most half taken.
  private var table = [Int32](repeating: -1, count: 1 << 12)

  var count: Int { users.count }

  @inline(__always)
  mutating func number(_ row: PackedRow) -> Int32 {
    var slot = Int(truncatingIfNeeded: row.key) & (table.count - 1)
    while table[slot] >= 0 {
      let user = users[Int(table[slot])]
      if user.key == row.key, user.check == row.check { return table[slot] }
      slot = (slot + 1) & (table.count - 1)
    }
    let number = Int32(users.count)
    table[slot] = number
    users.append((row.key, row.check))
    if users.count * 2 > table.count { grow() }
    return number
  }

  private mutating func grow() {
    table = [Int32](repeating: -1, count: table.count * 2)
    for (number, user) in users.enumerated() {
      var slot = Int(truncatingIfNeeded: user.key) & (table.count - 1)
      while table[slot] >= 0 { slot = (slot + 1) & (table.count - 1) }
      table[slot] = Int32(number)
    }
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
  /// Rows of a user that are sorted in place by insertion; most users have fewer.
  private static let fewRows = 32

  let dropsDuplicates: Bool
  let usualCampaign: Int32
  var events: [CohortEvent] = []
  var users: [CohortUser] = []
  var skipped = SkippedRows()
  var duplicates = 0
  var firstDuplicate: Int?

  init(dropsDuplicates: Bool, usualCampaign: Int32, rows: Int, users: Int) {
    self.dropsDuplicates = dropsDuplicates
    self.usualCampaign = usualCampaign
    events.reserveCapacity(rows)
    self.users.reserveCapacity(users)
  }

  /// Adds a user.
  ///
  /// - Parameters:
  ///   - all: Where those of the user lie, in the order of the file; they are sorted.
  mutating func add(_ rows: Span<UInt64>, _ moments: inout [RowMoment], _ all: Range<Int>) {
    var own = all
    let installed = settleInstall(rows, &moments, &own)
    guard !own.isEmpty else { return }
    var campaign: UInt32?
    var origin: UInt32?
    for index in own where campaign == nil || origin == nil {
      let row = PackedRow(rows, at: Int(moments[index].row))
      campaign = campaign ?? row.campaign
      origin = origin ?? row.origin
    }
    Self.sort(&moments, own)
    let first = moments[own.lowerBound]
    let start = installed ?? first.time
    let place = Int32(events.count)
    addEvents(rows, moments, own, start)
    users.append(
      CohortUser(
        key: PackedRow(rows, at: Int(first.row)).key, installed: Instant(milliseconds: start),
        campaign: campaign.map { Int32($0) } ?? usualCampaign, origin: origin.map { Int32($0) } ?? -1,
        events: place..<Int32(events.count)))
  }

  /// Takes out rows that name another install than the first that names one, and rows before the install.
  ///
  /// - Returns: The install, in milliseconds since 1970; `nil` where no row names it.
  private mutating func settleInstall(
    _ rows: Span<UInt64>, _ moments: inout [RowMoment], _ own: inout Range<Int>
  ) -> Int64? {
    var installed: Int64?
    var end = own.lowerBound
    for index in own {
      let moment = moments[index]
      let row = PackedRow(rows, at: Int(moment.row))
      if let install = row.installed {
        if let installed, installed != install {
          skipped.add(
            EventFileError(
              code: "two-installs", line: row.line,
              sentence: Sentence(
                "the user's install is at \(Instant(milliseconds: install)) here and at "
                  + "\(Instant(milliseconds: installed)) in an earlier row")))
          continue
        }
        installed = install
      }
      moments[end] = moment
      end += 1
    }
    own = own.lowerBound..<end
    guard let installed else { return nil }
    end = own.lowerBound
    for index in own {
      let moment = moments[index]
      guard moment.time >= installed else {
        skipped.add(
          EventFileError(
            code: "event-before-install", line: PackedRow(rows, at: Int(moment.row)).line,
            sentence: Sentence(
              "the event is at \(Instant(milliseconds: moment.time)), before the user's install at "
                + "\(Instant(milliseconds: installed))")))
        continue
      }
      moments[end] = moment
      end += 1
    }
    own = own.lowerBound..<end
    return installed
  }

  /// Sorts by time; rows of one time stay in the order of the file.
  private static func sort(_ moments: inout [RowMoment], _ own: Range<Int>) {
    guard own.count <= fewRows else { return moments[own].sort(by: <) }
    for index in own.dropFirst() {
      let moment = moments[index]
      var place = index
      while place > own.lowerBound, moment < moments[place - 1] {
        moments[place] = moments[place - 1]
        place -= 1
      }
      moments[place] = moment
    }
  }

  private mutating func addEvents(
    _ rows: Span<UInt64>, _ moments: [RowMoment], _ own: Range<Int>, _ start: Int64
  ) {
    var seen: Set<Deed> = []
    for index in own {
      let moment = moments[index]
      let row = PackedRow(rows, at: Int(moment.row))
      let repeatsTime = index > own.lowerBound && moments[index - 1].time == moment.time
      // To empty a set costs as much as its capacity, so one that grew large must not stay for all later moments.
      if !repeatsTime, !seen.isEmpty { seen.removeAll(keepingCapacity: seen.count <= Self.fewDeeds) }
      // Most rows are alone with their time; only the others are worth a set.
      if repeatsTime || (index + 1 < own.upperBound && moments[index + 1].time == moment.time) {
        let deed = Deed(name: row.name, tag: row.tag, currency: row.currency, micros: row.micros)
        if !seen.insert(deed).inserted {
          duplicates += 1
          firstDuplicate = min(firstDuplicate ?? row.line, row.line)
          if dropsDuplicates { continue }
        }
      }
      events.append(
        CohortEvent(
          secondsSinceInstall: Int32(clamping: (moment.time - start) / 1000), name: Int32(row.name),
          currency: row.currency.map { Int32($0) } ?? -1, micros: row.micros,
          tag: row.tag.map { Int32($0) } ?? -1))
    }
  }
}
