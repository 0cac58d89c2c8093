import Mappings
import Postbacks
@testable import Simulation
import Testing
import Values

/// A second, minute, hour and day in seconds.
let hour: Int64 = 3600
let day: Int64 = 86_400

/// The moment that users install at unless a test sets another: a Saturday, 2026-11-21T00:00:00Z.
let epoch = Instant(seconds: 1_795_219_200)

/// Makes an event that earns some cents, or nothing.
func event(_ name: String, at seconds: Int64, cents: Int64? = nil) -> UserEvent {
  UserEvent(
    secondsSinceInstall: seconds, name: name,
    revenue: cents.map { Money(micros: $0 * 10_000, currency: usd) })
}

/// Makes a range of amounts in cents, closed below and open above.
func cents(_ low: Int64?, _ high: Int64?) throws -> RevenueCondition {
  let range = AmountRange(
    lower: low.map { .closed(Amount(micros: $0 * 10_000)) } ?? .unbounded,
    upper: high.map { .open(Amount(micros: $0 * 10_000)) } ?? .unbounded)
  let whole = try #require(range)
  return try #require(RevenueCondition(whole, usd))
}

/// Makes a mapping in which a name like `v7` of an event sets that value: the newest one under list order.
func mapping(
  _ device: Mapping.Device, fine: [FineRule], coarse: [ConversionWindow: CoarseRules] = [:],
  precedence: Mapping.Precedence = .highestValue
) throws -> Mapping {
  Mapping(
    name: "test", app: try #require(AppID(525_463_029)), currency: usd, effectiveFrom: Instant(seconds: 0),
    device: device, precedence: precedence, fine: fine, coarse: coarse)
}

/// Makes a rule that an event has to have happened for, some number of times.
func rule(
  _ value: Int64, _ name: String, count: Int = 1, coarse: CoarseValue? = nil, lock: Bool = false
) throws -> FineRule {
  let range = try #require(CountRange(min: count, max: nil))
  let value = try #require(FineValue(value))
  return FineRule(
    value: value,
    conditions: Conditions(events: [
      EventCondition(name: name, count: range)
    ]), coarse: coarse, lock: lock)
}

/// Makes a cohort of one user of campaign 5239.
func one(_ events: [UserEvent], installed: Instant = epoch) -> Cohort {
  var builder = CohortBuilder()
  builder.add(user: "u", installed: installed, campaign: "5239", events: events)
  return builder.cohort()
}

/// Runs whole cohorts and returns what came of it, with every postback.
func simulate(_ configuration: SimulationConfiguration, _ cohorts: [Cohort], run: Int = 0) -> (
  outcome: SimulationOutcome, postbacks: [SimulatedPostback]
) {
  let simulator = Simulator(configuration)
  var counts = CrowdCounts()
  for cohort in cohorts { counts.merge(simulator.crowd(of: cohort)) }
  let crowd = simulator.crowd(from: counts)
  var outcome = SimulationOutcome(currency: configuration.currency)
  var postbacks: [SimulatedPostback] = []
  for cohort in cohorts {
    outcome.merge(simulator.run(cohort, crowd: crowd, run: run) { postbacks.append($0) })
  }
  return (outcome, postbacks)
}

/// Replays one user and returns what each window ends with.
func replayed(_ mapping: Mapping, _ events: [UserEvent], rules: AttributionKitRules = AttributionKitRules())
  -> UserReplay
{
  let cohort = one(events)
  var replay = UserReplay(CompiledMapping(mapping), cohort, currency: usd, rules: rules, isTracing: true)
  replay.replay(cohort.users[0])
  return replay
}
