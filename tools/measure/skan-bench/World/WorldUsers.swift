import Mappings
import Numerics
import Postbacks
import SampleData
import Simulation
import System
import Values
@_spi(Unsigned) import Verification

/// Simulates the users of a plan, and makes what their devices send.
struct WorldUsers {
  /// A postback as it arrives.
  struct Arriving {
    let at: Instant
    let attested: AttestedFacts
    let claimed: ClaimedFacts
    /// Whether the network forwards it rather than the device sending it.
    var isForwarded = false
  }

  /// Installs of a campaign and day from which half of the values are shown: far fewer than networks recommend, because
  /// campaigns are as much smaller.
  private static let revealingInstalls = LogisticReveal(median: 2.5, slope: 0.7)
  private static let nonWinnerShare = 0.2
  private static let countries = ["US", "DE", "JP", "BR", "GB", "FR", "ES", "IT", "KR", "MX"]

  let plan: WorldPlan
  let mappings: [[(from: Day, document: [UInt8])]]
  /// The users that the apps know, as files of events.
  private(set) var files: [String]
  /// Users who installed, those without an ad included.
  private(set) var installs: [[Int: Int64]]
  private let simulators: [[(usual: Simulator, old: Simulator)]]
  private let networks: [AdNetworkID]
  private let origins: [UserOrigin]
  private let ownEvery: Int
  private let seed: UInt64
  private var random: SplitMix64
  /// Users of campaigns so far.
  private(set) var users = 0

  /// - Parameter own: How many users the apps know, about.
  init(_ plan: WorldPlan, own: Int, installs expected: Double, seed: UInt64) throws {
    self.plan = plan
    self.seed = seed
    random = SplitMix64(seed: seed &+ 1)
    ownEvery = max(1, Int(expected) / max(1, own / 2))
    files = plan.apps.map { _ in "user,time,event,revenue,currency,campaign\n" }
    installs = plan.apps.map { _ in [:] }
    networks = try plan.networks.map {
      guard let network = AdNetworkID($0) else { throw BenchError.usage }
      return network
    }
    origins = (0..<2000).map { number in
      UserOrigin(
        sourceApp: AppID(1_300_000_000 + Int64(number / Self.countries.count) * 7),
        country: Self.countries[number % Self.countries.count])
    }
    var mappings: [[(from: Day, document: [UInt8])]] = []
    simulators = try plan.apps.map { app in
      var documents: [(from: Day, document: [UInt8])] = []
      defer { mappings.append(documents) }
      return try app.versions.enumerated().map { index, number in
        let from = plan.day(number)
        let text = SampleMapping.text(
          of: app.id, app.kind, in: app.currency, version: index % 2 + 1, from: from)
        documents.append((from, Array(text.utf8)))
        guard let mapping = MappingDocument.read(Array(text.utf8)).sound else { throw BenchError.usage }
        func simulator(_ device: Mapping.Device?) -> Simulator {
          var configuration = SimulationConfiguration(mapping, device: device)
          configuration.seed = seed
          configuration.crowd = .logistic(Self.revealingInstalls)
          configuration.nonWinnerShare = Self.nonWinnerShare
          return Simulator(configuration)
        }
        return (simulator(nil), simulator(.skan3))
      }
    }
    self.mappings = mappings
  }

  /// Lets the users of seven days install, and takes what their devices send then and later.
  mutating func install(week first: Int, _ each: (Arriving) -> Void) {
    for (number, app) in plan.apps.enumerated() {
      guard let version = app.versions.lastIndex(where: { $0 <= first }) else { continue }
      let simulators = self.simulators[number][version]
      for network in networks.indices {
        var (usual, old) = (CohortBuilder(), CohortBuilder())
        for campaign in plan.campaigns(app: number, network: network) {
          for day in campaign.days.clamped(to: first..<min(plan.days, first + 7)) {
            let count = random.poisson(plan.installs(campaign, on: day))
            installs[number][day, default: 0] += Int64(count + count / 3)
            for _ in 0..<count {
              // Every twentieth device has a system without windows.
              let isOld = app.kind == .game && random.happens(0.05)
              if isOld {
                add(campaign, of: number, on: day, to: &old)
              } else {
                add(campaign, of: number, on: day, to: &usual)
              }
            }
          }
        }
        run(usual, simulators.usual, number, network, each)
        run(old, simulators.old, number, network, each)
      }
    }
  }

  private mutating func add(
    _ campaign: WorldPlan.Campaign, of app: Int, on day: Int, to builder: inout CohortBuilder
  ) {
    let (kind, currency) = (plan.apps[app].kind, plan.apps[app].currency)
    let installed = plan.day(day).start + Int64(random.number(below: Int(Day.seconds))) * 1000
    var events = SampleUser.events(of: kind, in: currency, quality: campaign.quality, &random)
    if kind == .subscription, random.happens(0.12) {
      let name = random.happens(0.4) ? "redownload" : "re-engagement"
      let seconds = Int64(86_400 * (8 + 30 * random.fraction()))
      events.append(UserEvent(secondsSinceInstall: seconds, name: name))
      events.append(UserEvent(secondsSinceInstall: seconds + 60, name: "trial_start"))
    }
    users += 1
    if users % ownEvery == 0 {
      write("c\(users)", installed, campaign.digits, events, to: app)
      write(
        "o\(users)", installed, "", SampleUser.events(of: kind, in: currency, quality: 1.1, &random), to: app)
    }
    builder.add(
      user: "\(users)", installed: installed, campaign: campaign.digits,
      origin: origins[random.number(below: origins.count)], events: events)
  }

  private mutating func write(
    _ user: String, _ installed: Instant, _ digits: String, _ events: [UserEvent], to app: Int
  ) {
    for event in events {
      let time = installed + event.secondsSinceInstall * 1000
      guard time < WorldPlan.end else { continue }
      let money = event.revenue.map { "\($0.amount),\($0.currency.text)" } ?? ","
      files[app] += "\(user),\(time.milliseconds / 1000),\(event.name),\(money),\(digits)\n"
    }
  }

  private mutating func run(
    _ builder: CohortBuilder, _ simulator: Simulator, _ app: Int, _ network: Int,
    _ each: (Arriving) -> Void
  ) {
    let cohort = builder.cohort()
    guard !cohort.users.isEmpty else { return }
    let crowd = simulator.crowd(from: simulator.crowd(of: cohort))
    var sent: [SimulatedPostback] = []
    _ = simulator.run(cohort, crowd: crowd) { sent.append($0) }
    for postback in sent where postback.sentAt < WorldPlan.end {
      guard let arriving = arriving(postback, app, network) else { continue }
      each(arriving)
      if random.happens(0.03) {
        each(copy(of: arriving, arriving.claimed))
      } else if case .fine(let fine) = arriving.claimed.value, random.happens(0.001),
        let other = FineValue(Int64((fine.number + 1) % 64))
      {
        // A copy that disagrees.
        each(
          copy(
            of: arriving,
            ClaimedFacts(
              value: .fine(other), interaction: arriving.claimed.interaction,
              country: arriving.claimed.country)))
      }
    }
  }

  private mutating func copy(of arriving: Arriving, _ claimed: ClaimedFacts) -> Arriving {
    Arriving(
      at: arriving.at + 60_000 + Int64(random.number(below: 172_800_000)), attested: arriving.attested,
      claimed: claimed, isForwarded: true)
  }

  private func arriving(_ postback: SimulatedPostback, _ app: Int, _ network: Int) -> Arriving? {
    let hasWindows = postback.version.hasWindows
    let campaign: Campaign
    if hasWindows {
      campaign = postback.campaignOnWire
    } else {
      guard let number = Int64(postback.campaign), let id = CampaignID((number + 99) % 100 + 1) else {
        return nil
      }
      campaign = .campaignID(id)
    }
    // Users that had the app before; the simulation knows them for AdAttributionKit alone.
    let isRedownload = postback.version != .adAttributionKit && postback.user % 11 == 0
    let outcome: Outcome = !postback.didWin ? .assist : isRedownload ? .redownload : postback.kind
    let isView = Int((postback.user >> 8) % 100) < 15 + network % 7 * 8
    let interaction: AdInteraction = isView ? .view : .click
    let isAAK = postback.version == .adAttributionKit
    let isShown = postback.value != .absent
    let won = postback.didWin ? network : (network + 1 + Int(postback.user % 3)) % networks.count
    var identifier = SplitMix64(
      seed: seed ^ postback.user ^ UInt64(postback.conversion) << 56 ^ (postback.didWin ? 0 : 1 << 63))
    let publisher: Publisher =
      if let source = postback.sourceApp {
        postback.version == .v4_0 && postback.user % 17 == 0
          ? .web("news\(postback.user % 40).example") : .app(source)
      } else {
        .undisclosed
      }
    let attested = AttestedFacts(
      version: postback.version, network: networks[won], advertisedApp: plan.apps[app].id, campaign: campaign,
      id: String(identifier.next(), radix: 16) + "-" + String(identifier.next(), radix: 16),
      window: postback.window, outcome: outcome, interaction: isAAK ? nil : interaction, publisher: publisher,
      marketplace: isAAK && isShown ? "com.apple.AppStore" : nil)
    let claimed = ClaimedFacts(
      value: postback.value, interaction: isAAK ? interaction : nil, country: postback.country)
    return Arriving(at: postback.sentAt, attested: attested, claimed: claimed)
  }
}
