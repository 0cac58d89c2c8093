import Imports
import Ledger
import Postbacks
import System
import Values
@_spi(Unsigned) import Verification

/// Makes a database as an advertiser's is: postbacks of simulated users under several mappings and versions, names, spend,
/// rates, own users, copies and conflicts.
///
/// The same numbers make the same database.
struct WorldBench {
  private static let batch = 4096
  /// What follows an identifier in a body, which is as long as Apple's.
  private static let rest = [UInt8](repeating: UInt8(ascii: "x"), count: 380)
  /// Users that the apps know, about.
  private static let ownUsers = 40_000

  let path: String
  /// Postbacks and copies, about.
  let rows: Int
  let campaigns: Int
  let days: Int
  let seed: UInt64

  /// Fills the database, and prints what it has.
  func run() throws {
    let before = processMicroseconds()
    // One week tells how many postbacks an install makes.
    let guess = Double(rows) / 1.7
    let trial = try WorldPlan(campaigns: campaigns, days: days, installs: guess, seed: seed)
    var pilot = try WorldUsers(trial, own: 0, installs: guess, seed: seed)
    var postbacks = 0
    pilot.install(week: days / 14 * 7) { _ in postbacks += 1 }
    let installs = Double(rows) * Double(max(1, pilot.users)) / Double(max(1, postbacks))
    let plan = try WorldPlan(campaigns: campaigns, days: days, installs: installs, seed: seed)
    var users = try WorldUsers(plan, own: Self.ownUsers, installs: installs, seed: seed)
    try storeMappings(users)
    let stored = try store(&users)
    let spend = try WorldReferences(plan: plan, path: path).store(installs: users.installs, seed: seed)
    for (app, file) in zip(plan.apps, users.files) {
      var choice = UserImport.Choice()
      choice.app = app.id
      choice.horizon = [7, 30]
      _ = try UserImport.store(Array(file.utf8), choice, in: LedgerFile(path: path), now: WorldPlan.end)
    }
    print(
      """
      {"postbacks":\(stored.first),"copies":\(stored.copies),"conflicts":\(stored.conflicts),\
      "campaigns":\(campaigns),"days":\(days),"spend":\(spend),\
      "seconds":\(hundredths((processMicroseconds() - before) / 1e6))}
      """)
  }

  private func storeMappings(_ users: WorldUsers) throws {
    _ = try LedgerWriter(path: path)
    try MappingStore(path: path).replaceAll(
      with: zip(users.plan.apps, users.mappings).flatMap { app, versions in
        versions.map { version in
          StoredMapping(
            source: "\(app.id.number)-\(version.from).json", app: app.id, effectiveFrom: version.from.start,
            digest: "", loadedAt: version.from.start, document: version.document)
        }
      })
  }

  /// Stores what arrives in its order: of a week that is over, nobody who installs later sends anything.
  private func store(_ users: inout WorldUsers) throws -> (first: Int, copies: Int, conflicts: Int) {
    let writer = try LedgerWriter(path: path)
    var waiting: [Int32: [WorldUsers.Arriving]] = [:]
    var counts = (first: 0, copies: 0, conflicts: 0)
    for week in stride(from: 0, to: days, by: 7) {
      users.install(week: week) { waiting[$0.at.day.number, default: []].append($0) }
      let isLast = week + 7 >= days
      let end = isLast ? WorldPlan.end.day : users.plan.day(week + 7)
      for day in waiting.keys.filter({ $0 < end.number }).sorted() {
        let arriving = (waiting.removeValue(forKey: day) ?? []).sorted { $0.at < $1.at }
        for start in stride(from: 0, to: arriving.count, by: Self.batch) {
          let part = arriving[start..<min(arriving.count, start + Self.batch)]
          for commitment in try writer.commit(part.map(receipt)) {
            switch commitment.effect {
            case .first: counts.first += 1
            case .copy: counts.copies += 1
            case .conflict: counts.conflicts += 1
            case .keptRejected, .countedRejected, .inboxOnly: break
            }
          }
        }
      }
    }
    return counts
  }

  private func receipt(_ arriving: WorldUsers.Arriving) -> Receipt {
    let origin =
      arriving.isForwarded
      ? Origin(.forwarded, name: arriving.attested.network.canonical) : Origin(.advertiserCopy)
    return Receipt(
      arrival: Arrival(
        receivedAt: arriving.at, origin: origin, quotaSource: "",
        body: Array(arriving.attested.id.utf8) + Self.rest),
      finding: .valid(
        .unsigned(attested: arriving.attested, claimed: arriving.claimed, environment: .production)))
  }
}
