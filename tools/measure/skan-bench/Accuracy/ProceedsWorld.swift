import Campaigns
import EstimateReports
import JSONText
import Ledger
import Mappings
import Numerics
import Postbacks
import Simulation
import System
import Values
@_spi(Unsigned) import Verification

/// An app whose database has what an advertiser's has, and of which it is known what each user paid and when.
///
/// The books have the payments of all users by their days, from ten days before the first install day that is asked for on.
/// Own users are half of the users of an events file; the others are those of campaigns and the organic ones, each as often
/// as chance has it.
struct ProceedsWorld {
  /// The install days that are asked for.
  static let asked = 0..<30
  /// Days of install, long enough ago that hardly anybody before them still pays.
  private static let installed = -150..<66
  private static let shown = -8..<38
  private static let campaigns = 8
  static let horizons = [2, 7, 30]
  private static let first = Day(number: 20_000)

  /// A user whom campaigns can have.
  fileprivate struct User: Sendable {
    let code: Int
    let payments: [(seconds: Int, amount: Double)]

    func paid(within days: Int) -> Double {
      payments.reduce(0) { $1.seconds < days * 86_400 ? $0 + $1.amount : $0 }
    }
  }

  /// What is the same for all seeds of a file and mapping.
  struct Pool: Sendable {
    fileprivate let users: [User]
    fileprivate let tilted: TiltedUsers
    fileprivate let worths: [ValueWorthRow]
    fileprivate let mapping: StoredMapping

    /// - Returns: `nil` where own users or the others are too few.
    init?(_ app: AppUsers, _ kind: SplitTrial.Kind, seed: Int) {
      let split = UserSplit(app: app, seed: UInt64(seed))
      guard let own = kind.mapping(split), let currency = app.currency else { return nil }
      let halves = split.play(own)
      var payments: [UInt64: [(seconds: Int, amount: Double)]] = [:]
      for cohort in app.cohorts {
        for user in cohort.users {
          payments[user.key] = cohort.events[Int(user.events.lowerBound)..<Int(user.events.upperBound)]
            .filter { $0.currency == 0 && $0.micros > 0 }
            .map { (max(0, Int($0.secondsSinceInstall)), Double($0.micros) / 1e6) }
        }
      }
      let known = app.amounts(days: 30)
      let users = halves.others.filter { known[$0.key] != nil }.map {
        User(code: $0.code, payments: payments[$0.key] ?? [])
      }
      guard users.count >= 100, let tilted = TiltedUsers(users.map { $0.paid(within: 30) }) else {
        return nil
      }
      (self.users, self.tilted) = (users, tilted)
      var worths: [ValueWorthRow] = []
      for days in [0, 7, 30, 90] {
        let amounts = days == 0 ? nil : app.amounts(days: days)
        var each: [Int: [Int64]] = [:]
        for user in halves.own {
          guard let amount = amounts.map({ $0[user.key] }) ?? user.amount else { continue }
          each[user.code, default: []].append(Int64((amount * 1e6).rounded()))
        }
        worths += each.map { code, micros in
          ValueWorthRow(
            app: own.app, effectiveFrom: own.effectiveFrom,
            horizon: days == 0 ? .firstWindow : .days(days), currency: currency.text, value: code,
            each: micros)
        }
      }
      self.worths = worths
      mapping = StoredMapping(
        source: "mapping.json", app: own.app, effectiveFrom: own.effectiveFrom, digest: "d",
        loadedAt: Instant(seconds: 0), document: own.json.bytes())
    }
  }

  /// What users of one campaign, or organic ones, paid by the horizons.
  private(set) var truths: [[Double]]
  let path: String
  let app: AppID

  /// Makes a database.
  ///
  /// - Throws: ``LedgerError``.
  init(_ pool: Pool, path: String, seed: Int) throws {
    self.path = path
    app = pool.mapping.app
    var random = SplitMix64(seed: UInt64(seed) &* 1_000_003 &+ UInt64(pool.users.count))
    truths = [[Double]](repeating: [0, 0, 0], count: Self.campaigns + 1)
    let sizes = (0..<Self.campaigns).map { _ in 30 * exponential(0.8 * random.normal()) }
    var (installs, books) = ([Int: Int64](), [Int: Double]())
    var receipts: [Receipt] = []
    for group in 0...Self.campaigns {
      let isOrganic = group == Self.campaigns
      let size = isOrganic ? sizes.reduce(0, +) / 2 : sizes[group]
      let quality = Scenario.spread * random.normal()
      for day in Self.installed {
        let count = random.poisson(size * Self.factor(day, seed))
        installs[day, default: 0] += Int64(count)
        // Every other app withholds the values of a campaign's day below 30 installs.
        let isWithheld = seed / 5 % 2 == 1 && count < 30
        for number in 0..<count {
          let user = pool.users[pool.tilted.user(quality: quality, &random)]
          let second = day * 86_400 + random.number(below: 86_400)
          for payment in user.payments {
            let moment = second + payment.seconds
            books[(moment - (moment % 86_400 + 86_400) % 86_400) / 86_400, default: 0] += payment.amount
          }
          if Self.asked.contains(day) {
            for (place, days) in Self.horizons.enumerated() {
              truths[group][place] += user.paid(within: days)
            }
          }
          guard !isOrganic, Self.shown.contains(day) else { continue }
          let arrival = second + 72 * 3600 + random.number(below: 86_400)
          receipts.append(
            try Self.receipt(
              "\(group) \(day) \(number)", campaign: group, isWithheld ? nil : user.code,
              at: Self.first.start + Int64(arrival) * 1000, of: app))
        }
      }
    }
    let writer = try LedgerWriter(path: path)
    for start in stride(from: 0, to: receipts.count, by: 4000) {
      _ = try writer.commit(Array(receipts[start..<min(receipts.count, start + 4000)]))
    }
    try MappingStore(path: path).replaceAll(with: [pool.mapping])
    let reference = try ReferenceStore(path: path)
    try reference.replaceWorth(of: app, effectiveFrom: pool.mapping.effectiveFrom, with: pool.worths)
    try reference.put(
      installs.map { OwnInstallsRow(day: Self.day($0), app: pool.mapping.app, installs: $1) })
    let currency = pool.worths.first?.currency ?? "USD"
    try reference.put(
      (-10..<Self.asked.upperBound + 31).map { day in
        ProceedsRow(
          day: Self.day(day), app: pool.mapping.app, currency: currency,
          proceeds: Int64(((books[day] ?? 0) * 1e6).rounded()), commission: 0, refunds: 0, tax: 0)
      })
  }

  /// The report on this app, by a place in the horizons.
  ///
  /// - Throws: What a report throws.
  func lines(horizon: Int) throws -> [ProceedsReport.Row] {
    var report = ProceedsReport()
    report.days = horizon == 0 ? nil : Self.horizons[horizon]
    report.period.from = Self.day(Self.asked.lowerBound)
    report.period.to = Self.day(Self.asked.upperBound)
    return try report.lines(
      from: LedgerReader(path: path), now: Self.day(Self.installed.upperBound + 100).start)
  }

  /// The group that a line is of; `nil` for reasons.
  func group(of line: ProceedsReport.Row) -> Int? {
    line.part == .organic ? Self.campaigns : line.campaignDigits.flatMap { Int($0) }.map { $0 - 10 }
  }

  private static func day(_ number: Int) -> Day { Day(number: first.number + Int32(number)) }

  /// How installs change: not at all, up, down, by weekday, or from nothing two weeks before the days asked for.
  private static func factor(_ day: Int, _ seed: Int) -> Double {
    switch seed % 5 {
    case 1: exponential(Double(day) / 60)
    case 2: exponential(-Double(day) / 60)
    case 3: (day + 700) % 7 < 2 ? 1.8 : 0.7
    case 4: day < -14 ? 0 : 1
    default: 1
    }
  }

  private static func receipt(
    _ id: String, campaign: Int, _ code: Int?, at moment: Instant, of app: AppID
  ) throws -> Receipt {
    guard let network = AdNetworkID("example.skadnetwork"),
      let campaign = SourceIdentifier("\(10 + campaign)")
    else { throw BenchError.usage }
    let attested = AttestedFacts(
      version: .v4_0, network: network, advertisedApp: app, campaign: .sourceIdentifier(campaign), id: id,
      window: .first, outcome: .install, interaction: .click, publisher: .undisclosed)
    let value: ConversionValue = code.flatMap { FineValue(Int64($0)) }.map { .fine($0) } ?? .absent
    return Receipt(
      arrival: Arrival(receivedAt: moment, origin: Origin(.advertiserCopy), quotaSource: "", body: [0x7B]),
      finding: .valid(
        .unsigned(
          attested: attested, claimed: ClaimedFacts(value: value, interaction: nil, country: nil),
          environment: .production)))
  }
}
