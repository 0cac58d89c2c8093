import Mappings
import Simulation
import SimulationReports
import System
import Testing
import Values

/// A Saturday, 2026-11-21T00:00:00Z.
let epoch = Instant(seconds: 1_795_219_200)

/// Reads a mapping of the usual head and the given rest.
func mapping(
  _ device: Mapping.Device, _ rest: String = ladder, name: String = "Spring", currency: String = "USD",
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Mapping {
  let head = #""name":"\#(name)","app":1,"currency":"\#(currency)","effective-from":"2026-11-01""#
  let reading = MappingDocument.read(
    Array(#"{\#(head),"protocol":"\#(device.rawValue)",\#(rest)}"#.utf8))
  return try #require(reading.document, "\(reading.findings)", sourceLocation: sourceLocation).mapping
}

/// Four steps of revenue.
let ladder = #"""
  "grids":[{"first-value":1,"revenue":[0.01,5,20,50,100]}]
  """#

/// Sixteen steps of revenue in four spans of activity: all 64 values.
let grid = #"""
  "grids":[{"first-value":0,"active-hours":[0,6,16,30,48],
  "revenue":[0,0.01,1,2,3,5,7,10,14,19,25,33,45,60,80,120,500]}],
  "coarse":[{"window":2,"totals":"window","low":{"label":"came back","events":["open"]},
  "medium":{"revenue":{"from":5,"to":40,"representative":13}},
  "high":{"revenue":{"from":40,"to":400,"representative":70}}},
  {"window":3,"low":{"events":["open"]},"high":{"revenue":{"from":30,"to":900,"representative":80}}}]
  """#

/// One user of a population.
struct Person {
  var name: String
  var installed: Instant
  var campaign: String?
  var events: [UserEvent]
}

/// Some people, the same ones every time; half of them pay at least once.
func crowd(
  _ count: Int, campaigns: [(name: String, weight: Int)], days: Int, seed: UInt64 = 11, isFree: Bool = false,
  currency: String = "USD"
) throws -> [Person] {
  let money = try #require(CurrencyCode(currency))
  var random = SplitMix64(seed: seed)
  let weights = campaigns.map(\.weight).reduce(0, +)
  return (0..<count).map { number in
    var place = random.number(below: weights)
    let campaign = campaigns.first { option in
      place -= option.weight
      return place < 0
    }
    let generosity = 1 + (campaign?.name.utf8.count ?? 0) % 5
    var events: [UserEvent] = []
    var at: Int64 = 0
    for _ in 0..<(1 + random.number(below: 9)) {
      at += Int64(exponential(random.fraction() * 7.2) * 240)
      events.append(UserEvent(secondsSinceInstall: at, name: "open", revenue: nil))
      if !isFree, random.happens(0.3) {
        let micros = Int64(exponential(random.fraction() * 3.9) * 900_000) * Int64(generosity)
        events.append(
          UserEvent(
            secondsSinceInstall: at + 60, name: "purchase",
            revenue: Money(micros: micros / 10_000 * 10_000, currency: money)))
      }
    }
    // A first day with more installs than the days after it.
    let day = Int64(min(random.number(below: days), random.number(below: days)))
    return Person(
      name: "user \(number)",
      installed: epoch + (day * 86_400_000 + Int64(random.number(below: 86_400_000))),
      campaign: campaign.flatMap { $0.name.isEmpty ? nil : $0.name }, events: events)
  }
}

/// Simulates people under a configuration.
func variant(
  _ name: String, _ mapping: Mapping, _ people: [Person], crowd: String = "none", runs: Int = 1,
  seed: UInt64 = 7, nonWinners: Double = 0
) throws -> SimulationReport.Variant {
  var configuration = SimulationConfiguration(mapping)
  configuration.crowd = try CrowdModel(crowd)
  configuration.seed = seed
  configuration.nonWinnerShare = nonWinners
  let simulator = Simulator(configuration)
  var builder = CohortBuilder()
  for person in people {
    builder.add(
      user: person.name, installed: person.installed, campaign: person.campaign, events: person.events)
  }
  let cohort = builder.cohort()
  let crowd = simulator.crowd(from: simulator.crowd(of: cohort))
  return try SimulationReport.Variant(
    name: name, configuration: configuration,
    outcome: VariantOutcome((0..<runs).map { simulator.run(cohort, crowd: crowd, run: $0) }))
}

/// A report of one mapping or several.
func report(
  _ variants: [SimulationReport.Variant], _ people: [Person], chain: RollingChain? = nil,
  skipped: [(code: String, rows: Int, firstLine: Int)] = [], duplicates: Int = 0
) throws -> SimulationReport {
  try SimulationReport(
    variants,
    population: .init(
      source: "events.csv", rows: people.reduce(0) { $0 + $1.events.count }, users: people.count,
      skipped: skipped, duplicates: duplicates), chain: chain)
}

/// Three campaigns of a small population, and organic users.
let small: [(name: String, weight: Int)] = [("5239", 6), ("41", 3), ("brand", 1), ("", 2)]

/// More campaigns than the bars of the page show, of very different sizes.
let many: [(name: String, weight: Int)] =
  [("", 40)]
  + (0..<26).map { number in
    let names = ["summer_sale", "retarget-video-long-name-of-a-campaign", "search", "网络广告", "tiktok", "u"]
    return ("\(names[number % 6])_\(number)", 1 + 400 / (1 + number * number / 3))
  }
