import Foundation
import Ledger
import MappingLibrary
import Mappings
import MeasuredUsers
import Postbacks
import Simulation
import Testing
import TestSupport
import Values

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
private let day = Day.milliseconds

/// What one user of the sample game did.
private struct SampleUser {
  /// A row of the events file, with its seconds since the first launch.
  struct Event {
    let seconds: Int64
    let name: String
    let revenue: String
  }

  private(set) var events: [Event] = []

  /// The 2,000 users of the sample, in the order of the file.
  static func all() throws -> [SampleUser] {
    let file = root.appending(path: "tools/samples/f2p-events.csv.gz").path
    let text = try Subprocess.run("/bin/gzip", ["-dc", file]).output
    var users: [SampleUser] = []
    var places: [Substring: Int] = [:]
    for row in text.split(separator: "\n").dropFirst() {
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      let (time, installed) = (try #require(Int64(cells[1])), try #require(Int64(cells[7])))
      let place = places[cells[0]] ?? users.count
      if place == users.count { users.append(SampleUser()) }
      places[cells[0]] = place
      users[place].events.append(
        Event(seconds: time - installed, name: String(cells[2]), revenue: String(cells[3])))
    }
    return users
  }

  /// Rows of an events file of a user who launches the app first at a moment.
  func rows(named name: String, installed: Instant) -> String {
    events.map { event in
      let time = installed.milliseconds / 1000 + event.seconds
      return "\(name),\(time),\(event.name),\(event.revenue),\(event.revenue.isEmpty ? "" : "USD")\n"
    }
    .joined()
  }

  /// The same for a simulation.
  func played(_ usd: CurrencyCode) throws -> [UserEvent] {
    try events.map { event in
      let amount = Double(event.revenue)
      try #require(amount != nil || event.revenue.isEmpty)
      return UserEvent(
        secondsSinceInstall: event.seconds, name: event.name,
        revenue: amount.map { Money(micros: Int64(($0 * 1e6).rounded()), currency: usd) })
    }
  }
}

/// A version of the game's mapping under SKAdNetwork 3: 18 ranges of revenue, whose users count some share above the
/// lower end.
private struct SampleVersion {
  static let bounds: [Int64] = [
    10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1_000, 2_000, 4_000,
  ].map { $0 * 1000 }

  let effectiveFrom: Instant
  /// How far above the lower end an amount is, in fourths of the range.
  let fourths: Int64

  /// What a user with a value counts.
  func amount(_ value: Int) -> Int64 {
    guard value > 0 else { return 0 }
    let (low, high) = (Self.bounds[value - 1], Self.bounds[value])
    return low + (high - low) / 4 * fourths
  }

  func stored() throws -> StoredMapping {
    func units(_ micros: Int64) -> String {
      let rest = "\(micros % 1_000_000)"
      return "\"\(micros / 1_000_000).\(String(repeating: "0", count: 6 - rest.count))\(rest)\""
    }
    let rules = (1..<Self.bounds.count).map { value in
      #"{"value":\#(value),"revenue":{"from":\#(units(Self.bounds[value - 1])),"to":\#(units(Self.bounds[value])),"#
        + #""representative":\#(units(amount(value)))}}"#
    }
    let text = #"""
      {"name":"from \#(effectiveFrom)","app":525463029,"currency":"USD","effective-from":"\#(effectiveFrom)",
       "protocol":"skan3","fine":[\#(rules.joined(separator: ","))]}
      """#
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    return StoredMapping(
      source: "\(effectiveFrom)", app: mapping.app, effectiveFrom: effectiveFrom, digest: "\(effectiveFrom)",
      loadedAt: Instant(seconds: 0), document: Array(text.utf8))
  }
}

struct `A change of the mapping of the sample game` {
  private let change: Instant
  private let app: AppID
  private let usd: CurrencyCode
  private let versions: [SampleVersion]
  private let own: [SampleUser]
  private let others: [SampleUser]

  init() throws {
    change = try #require(Instant("2026-01-08T00:00:00Z"))
    app = try #require(AppID(525_463_029))
    usd = try #require(CurrencyCode("USD"))
    // Two changes, a week apart, of what the same values are worth.
    versions = [
      SampleVersion(effectiveFrom: change + -90 * day, fourths: 1),
      SampleVersion(effectiveFrom: change, fourths: 3),
      SampleVersion(effectiveFrom: change + 7 * day, fourths: 2),
    ]
    let users = try SampleUser.all()
    own = users.indices.filter { $0.isMultiple(of: 2) }.map { users[$0] }
    others = users.indices.filter { !$0.isMultiple(of: 2) }.map { users[$0] }
  }

  /// What is counted for the postbacks of campaigns.
  private struct Counted {
    var postbacks = 0
    var mixed = 0
    /// By version.
    var counted = [0.0, 0, 0]
    var truth = [0.0, 0, 0]

    var mixedShare: Double { Double(mixed) / Double(postbacks) }
    /// By version, and of all together.
    var ratios: [Double] {
      zip(counted, truth).map { $0 / $1 } + [counted.reduce(0, +) / truth.reduce(0, +)]
    }
  }

  /// Learns the last rises of one half of the users, as an import of a file does.
  private func learn(into path: String) throws {
    let weeks: [(start: Instant, days: Int64)] = [
      (change + -60 * day, 20), (change, 7), (change + 7 * day, 20),
    ]
    var text = "user,time,event,revenue,currency\n"
    for (week, (start, days)) in weeks.enumerated() {
      for (number, user) in own.enumerated() {
        text += user.rows(
          named: "own-\(week)-\(number)",
          installed: start + days * day * Int64(number) / Int64(own.count))
      }
    }
    let measure = try UserFile.measure(Array(text.utf8), of: app, horizons: [], LedgerReader(path: path))
    #expect(measure.finalHours.reduce(0) { $0 + $1.users } == 3 * Int64(own.count))
    let store = try ReferenceStore(path: path)
    for version in measure.versions {
      try store.replaceWorth(
        of: app, effectiveFrom: version.effectiveFrom, with: version.rows, finalHours: version.finalHours)
    }
  }

  /// The postbacks of the other half, who install at a steady rate from two weeks before the first change to two weeks
  /// after the second.
  private func postbacks() throws -> [(version: Int, postback: SimulatedPostback)] {
    let copies = 5
    var random = SplitMix64(seed: 3)
    var builders = versions.map { _ in CohortBuilder() }
    for (number, user) in others.enumerated() {
      let events = try user.played(usd)
      for copy in 0..<copies {
        let place = (Double(copy) + random.fraction()) / Double(copies)
        let installed = change + -14 * day + Int64(place * Double(35 * day))
        let version = versions.lastIndex { $0.effectiveFrom <= installed } ?? 0
        builders[version].add(user: "\(number)-\(copy)", installed: installed, campaign: "12", events: events)
      }
    }
    var found: [(version: Int, postback: SimulatedPostback)] = []
    for (version, builder) in builders.enumerated() {
      let document = try versions[version].stored().document
      let mapping = try #require(MappingDocument.read(document).document?.mapping)
      let simulator = Simulator(SimulationConfiguration(mapping))
      let cohort = builder.cohort()
      _ = simulator.run(cohort, crowd: simulator.crowd(from: simulator.crowd(of: cohort))) {
        found.append((version, $0))
      }
    }
    return found
  }

  private func count(_ postbacks: [(version: Int, postback: SimulatedPostback)], _ path: String) throws
    -> Counted
  {
    let catalog = try MappingCatalog(from: LedgerReader(path: path))
    var counted = Counted()
    for (version, postback) in postbacks {
      let value = Int(try #require(postback.trueFine).number)
      let expectation = try #require(
        catalog.expectation(
          of: postback.value, app: app, version: .v3_0, window: .first, timers: .full,
          receivedAt: postback.sentAt))
      counted.postbacks += 1
      if expectation.isMixed { counted.mixed += 1 }
      counted.truth[version] += Double(versions[version].amount(value))
      for reading in expectation.readings {
        counted.counted[reading.version] +=
          reading.probability * Double(versions[reading.version].amount(value))
      }
    }
    return counted
  }

  /// The figures are those of "Dating a postback" in docs/methods.md.
  @Test
  func `A change of the mapping of the sample game mixes half as many postbacks once users are imported`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    try MappingStore(path: path).replaceAll(with: versions.map { try $0.stored() })
    let postbacks = try postbacks()
    let assumed = try count(postbacks, path)
    try learn(into: path)
    let learned = try count(postbacks, path)
    #expect(assumed.postbacks == 5 * others.count)
    #expect(abs(assumed.mixedShare - 0.28) < 0.01, "\(assumed.mixedShare)")
    #expect(abs(learned.mixedShare - 0.12) < 0.01, "\(learned.mixedShare)")
    for (before, after) in zip(assumed.ratios, learned.ratios) {
      #expect(abs(before - 1) < 0.04 && abs(after - 1) < 0.04, "\(assumed.ratios) \(learned.ratios)")
      #expect(abs(after - before) < 0.01, "\(assumed.ratios) \(learned.ratios)")
    }
  }
}
