import Imports
import Intake
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Signing
import Simulation
import System
package import Values
import Verification

/// A database of invented postbacks for a first look: three apps, two mapping versions, spend, names and users.
///
/// Its postbacks are signed with a key that is thrown away, so they count in the test environment alone.
package struct SampleDatabase {
  /// The database file.
  package let path: String
  /// The folder with the users' events files, as `--samples` takes it.
  package let samples: String
  private let now: Instant
  private let seed: UInt64
  /// The part of the story's installs that is made.
  private let share: Double

  private static let environment = Environment.test
  /// How the name of a database begins that is not finished.
  private static let unfinished = "making-"

  /// - Parameters:
  ///   - now: The end of the story; later postbacks are still to come.
  ///   - share: The part of the story's installs to make, above 0; tests make few.
  package init(path: String, samples: String, now: Instant, seed: UInt64 = 1, share: Double = 1) {
    (self.path, self.samples, self.now, self.seed, self.share) = (path, samples, now, seed, share)
  }

  /// Makes the database and the events files.
  ///
  /// - Parameter step: Called with the share of the work that is done; `false` ends it.
  /// - Returns: Whether it was made; `false` where `step` ended it.
  /// - Throws: `FileError` where a file is there already or cannot be written; ``LedgerError``.
  package func make(_ step: (_ done: Double) -> Bool = { _ in true }) throws -> Bool {
    let folder = try Folder(making: samples)
    // What a making left behind that was killed.
    for entry in try folder.entries() where entry.name.hasPrefix(Self.unfinished) {
      try folder.remove(entry.name)
    }
    let name = "\(Self.unfinished)\(now.milliseconds).db"
    let work = "\(samples)/\(name)"
    defer { for ending in ["", "-wal", "-shm", "-maintenance"] { try? folder.remove(name + ending) } }
    let keys = try SigningKeys.generate()
    var parts = 0
    let all = Double(SampleStory.apps.count + 2)
    func goOn() -> Bool {
      parts += 1
      return step(Double(parts) / all)
    }
    var proceeds = "date,app,currency,proceeds,commission,refunds,tax\n"
    for app in SampleStory.apps {
      let users = users(of: app, 0..<SampleStory.days, seed: seed)
      // Users of before the story go on to pay in it.
      let earlier = self.users(of: app, -Self.daysBefore..<0, seed: seed &+ 5)
      proceeds += self.proceeds(of: app, users + earlier)
      try loadMappings(of: app, into: work)
      try store(try postbacks(of: app, users, keys), keys, into: work)
      try keep(users, of: app, in: work)
      guard goOn() else { return false }
    }
    try importReferences(into: work)
    _ = try ProceedsImport.store(Array(proceeds.utf8), NoChoice(), in: LedgerFile(path: work), now: now)
    guard goOn() else { return false }
    let upkeep = try LedgerUpkeep(path: work)
    try upkeep.note(.sampleMade, at: now)
    try upkeep.copy(to: path)
    return goOn()
  }

  private var firstDay: Day { Day(number: now.day.number - Int32(SampleStory.days - 1)) }

  private func day(_ number: Int) -> Day { Day(number: firstDay.number + Int32(number)) }

  // MARK: Users

  /// How many days before the story users installed who pay in it.
  private static let daysBefore = 35

  private func users(of app: SampleStory.App, _ days: Range<Int>, seed: UInt64) -> [SampleUser] {
    var random = SplitMix64(seed: seed ^ UInt64(app.id.number))
    var users: [SampleUser] = []
    for number in days {
      let day = day(number)
      // Weekends have more installs than working days.
      let weekend = (day.number - day.monday.number) >= 5 ? 1.2 : 0.92
      for campaign in app.campaigns.map({ Optional($0) }) + [nil] {
        let change: SampleStory.Change = campaign?.change(number) ?? (1, 1)
        let mean = (campaign?.installs ?? app.organicInstalls) * change.installs * weekend * share
        let count = Int(mean * (0.9 + 0.2 * random.fraction()) + random.fraction())
        for _ in 0..<count {
          let seconds = random.number(below: Int(Day.seconds))
          users.append(
            SampleUser(
              "\(app.id.number)-\(users.count)", of: app.kind, in: app.currency,
              installed: day.start + Int64(seconds) * 1000, by: campaign,
              quality: (campaign?.quality ?? 1.1) * change.quality, &random))
        }
      }
    }
    return users.filter { $0.installed < now }
  }

  /// Writes an events file of the users without an ad and of every third other one, and measures their worths.
  private func keep(_ users: [SampleUser], of app: SampleStory.App, in database: String) throws {
    var text = "user,time,event,revenue,currency,campaign\n"
    for (number, user) in users.enumerated() where user.campaign == nil || number % 3 == 0 {
      for event in user.events {
        let time = user.installed + event.secondsSinceInstall * 1000
        guard time < now else { continue }
        let money = event.revenue.map { "\($0.amount),\($0.currency.text)" } ?? ","
        text +=
          "\(user.name),\(time.milliseconds / 1000),\(event.name),\(money),\(user.campaign?.digits ?? "")\n"
      }
    }
    let bytes = Array(text.utf8)
    let file = app.name.lowercased().replacing(" ", with: "-")
    try AtomicFile.write(bytes, to: "\(samples)/\(file).csv")
    var choice = UserImport.Choice()
    choice.app = app.id
    choice.horizon = [7, 30]
    _ = try UserImport.store(bytes, choice, in: LedgerFile(path: database), now: now)
  }

  /// What users paid on each whole day of the story, as an import has it: after a commission and a few refunds.
  private func proceeds(of app: SampleStory.App, _ users: [SampleUser]) -> String {
    var paid: [Day: Int64] = [:]
    for user in users {
      for event in user.events {
        guard let revenue = event.revenue else { continue }
        let day = (user.installed + event.secondsSinceInstall * 1000).day
        guard (firstDay..<now.day).contains(day) else { continue }
        paid[day] = (paid[day] ?? 0).addingHeld(revenue.amount.micros)
      }
    }
    return (firstDay.number..<now.day.number).map { number in
      let gross = paid[Day(number: number)] ?? 0
      // Whole cents.
      let (commission, refunds) = (gross * 3 / 10 / 10_000 * 10_000, gross / 50 / 10_000 * 10_000)
      let left = gross - commission - refunds
      let amounts = [left, commission, refunds, 0].map { Amount(micros: $0).description }
      return
        "\(Day(number: number)),\(app.id.number),\(app.currency.text),\(amounts.joined(separator: ","))\n"
    }.joined()
  }

  // MARK: Postbacks

  private func mapping(_ app: SampleStory.App, version: Int) throws -> (bytes: [UInt8], mapping: Mapping) {
    let text = SampleMapping.text(
      of: app.id, app.kind, in: app.currency, version: version + 1, from: day(app.versionDays[version]))
    let bytes = Array(text.utf8)
    guard let mapping = MappingDocument.read(bytes).sound else { throw SampleDataError(app: app.name) }
    return (bytes, mapping)
  }

  private func loadMappings(of app: SampleStory.App, into database: String) throws {
    let files = try app.versionDays.indices.map { version in
      MappingLoad.File(
        source: "\(app.name.lowercased().replacing(" ", with: "-"))-\(version + 1).json",
        contents: .success(try mapping(app, version: version).bytes))
    }
    _ = try MappingLoad.load(files, into: MappingStore(path: database), isWhole: false, now: now)
  }

  /// The bodies that arrived by now, in the order of arrival.
  private func postbacks(
    of app: SampleStory.App, _ users: [SampleUser], _ keys: SigningKeys
  ) throws -> [[UInt8]] {
    var found: [(at: Instant, body: [UInt8])] = []
    for version in app.versionDays.indices {
      let mapping = try mapping(app, version: version).mapping
      var configuration = SimulationConfiguration(mapping)
      configuration.seed = seed
      configuration.crowd = .logistic(LogisticReveal(median: SampleStory.revealingInstalls))
      let simulator = Simulator(configuration)
      let from = day(app.versionDays[version]).start
      let next = app.versionDays.dropFirst(version + 1).first.map { day($0).start }
      let own = users.filter { user in user.installed >= from && next.map { user.installed < $0 } ?? true }
      for network in SampleStory.Network.allCases {
        var builder = CohortBuilder()
        for user in own where user.campaign?.network == network {
          builder.add(
            user: user.name, installed: user.installed, campaign: user.campaign?.digits, events: user.events)
        }
        let cohort = builder.cohort()
        var cast = SimulatedCast(app: app.id)
        cast.network = network.rawValue
        var sent: [SimulatedPostback] = []
        let crowd = simulator.crowd(from: simulator.crowd(of: cohort))
        _ = simulator.run(cohort, crowd: crowd) { if $0.sentAt < now { sent.append($0) } }
        for postback in sent {
          found.append((postback.sentAt, try keys.sign(postback, cast: cast, seed: seed)))
        }
      }
    }
    return found.sorted { $0.at < $1.at }.map(\.body)
  }

  private func store(_ bodies: [[UInt8]], _ keys: SigningKeys, into database: String) throws {
    let ingest = BulkIngest(keyring: try Keyring(trusting: keys.keys), database: database)
    var next = bodies[...]
    do {
      _ = try ingest.run(
        from: Origin(.file, name: "sample"), clock: { [now] in now },
        times: ArrivalTimes(in: SigningKeys.simulatedArrival)
      ) {
        guard !next.isEmpty else { return nil }
        defer { next = next.dropFirst(500) }
        return Array(next.prefix(500).joined(separator: [0x0A])) + [0x0A]
      } onProgress: { _ in
        true
      }
    } catch {
      throw error.cause
    }
  }

  // MARK: Imports

  private func importReferences(into database: String) throws {
    var random = SplitMix64(seed: seed &+ 77)
    var spend = "date,network,campaign,app,amount,currency,impressions,clicks\n"
    var names = "network,campaign,app,from,name\n"
    var installs = "date,app,installs\n"
    for network in SampleStory.Network.allCases {
      names += "\(network.rawValue),,,\(firstDay),\(network.name)\n"
    }
    for app in SampleStory.apps {
      names += ",,\(app.id.number),\(firstDay),\(app.name)\n"
      for campaign in app.campaigns {
        names +=
          "\(campaign.network.rawValue),\(campaign.digits),\(app.id.number),\(firstDay),\"\(campaign.name)\"\n"
      }
      for number in 0..<SampleStory.days {
        var all = app.organicInstalls
        for campaign in app.campaigns {
          let count = campaign.installs * campaign.change(number).installs
          all += count
          let amount = Amount(
            micros: Int64(Double(campaign.cost) * count * (0.9 + 0.2 * random.fraction()) * share) / 10_000
              * 10_000)
          let clicks = Int(count * 9 * share)
          spend +=
            "\(day(number)),\(campaign.network.rawValue),\(campaign.digits),\(app.id.number),\(amount),"
            + "\(app.currency.text),\(clicks * 60),\(clicks)\n"
        }
        installs += "\(day(number)),\(app.id.number),\(Int(all * share))\n"
      }
    }
    let rates = "date,currency,quote,rate\n\(firstDay),EUR,USD,1.09\n\(day(35)),EUR,USD,1.11\n"
    var choice = SpendImport.Choice()
    choice.environment = Self.environment
    _ = try SpendImport.store(Array(spend.utf8), choice, in: LedgerFile(path: database), now: now)
    _ = try NameImport.store(Array(names.utf8), NoChoice(), in: LedgerFile(path: database), now: now)
    _ = try RateImport.store(Array(rates.utf8), NoChoice(), in: LedgerFile(path: database), now: now)
    _ = try InstallImport.store(Array(installs.utf8), NoChoice(), in: LedgerFile(path: database), now: now)
  }
}

/// A mapping of the sample apps that the program itself cannot read.
struct SampleDataError: UserFacingError {
  let app: String

  let exitCode = ExitCode.bug
  let remedy: String? = nil
  var message: String { "the sample mapping of \(app) has errors" }
}
